package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeyImport;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakResponse;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.audit.AuditEvent;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeadershipRequiredException;
import io.credential.secret.internal.FieldBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A reported token is the token of a key only if its secret is right, and is never a use of the key. */
@BothDatabases
class LeakResponderTests {

    private static final String URL = "https://github.com/octocat/Hello-World/blob/main/foo.txt";

    private final RegistryFixture fixture;
    private final IssuedApiKey issued;

    LeakResponderTests(TestDatabase database) {
        this.fixture = new RegistryFixture(database);
        this.issued = fixture.issue();
        fixture.audit.clear();
    }

    @Test
    void respondWhenDisablingThenKeyIsDisabledAndAudited() {
        LeakedKey leaked = respond(LeakResponse.DISABLE, issued.key()).get(0).orElseThrow();

        assertThat(leaked.key().id()).isEqualTo(issued.id());
        assertThat(leaked.key().disabledAt()).isEqualTo(fixture.clock.instant());
        assertThat(leaked.version()).isEqualTo(2);
        assertThat(fixture.audit).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.leaked");
            assertThat(event.actor()).isEqualTo("leak-report:github");
            assertThat(event.resourceId()).isEqualTo(issued.id());
            assertThat(event.attributes())
                    .isEqualTo(Map.of(
                            "response",
                            "disable",
                            "effective",
                            true,
                            "oldSecret",
                            false,
                            "source",
                            "commit",
                            "url",
                            URL,
                            AuditEvent.VERSION,
                            2L));
        });
        assertThat(fixture.registry.verify(issued.key())).isEmpty();
        assertThat(fixture.registry.enable(issued.id())).isTrue();
        assertThat(fixture.registry.verify(issued.key())).isPresent();
    }

    @Test
    void respondWhenTokenIsOfAnImportedKeyThenDisabled() {
        String secret = "0123456789abcdef0123456789abcdef01234567";
        RegistryFixture imported = fixture.reopened(
                fixture.keyring,
                options ->
                        options.withImportedTokens(ForeignTokenForm.withId("(?<id>[0-9]+)\\|(?<secret>[0-9a-f]{40})")),
                builder -> builder);
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        ForeignHash hash = ForeignHash.of(ForeignHashAlgorithm.SHA256, FieldBytes.sha256(bytes, bytes.length));
        imported.registry.importKeys(
                List.of(KeyImport.of(IssueRequest.forOwner("user-42"), hash, "17"))
                        .iterator(),
                ImportOptions.defaults());
        LeakResponder leaks = imported.registries.leaks();

        assertThat(leaks.respond(
                        List.of(new LeakReport("17|" + secret.replace('4', '5'), null, null)), LeakResponse.DISABLE))
                .containsExactly(Optional.empty());
        assertThat(imported.registry.verify("17|" + secret)).isPresent();
        assertThat(leaks.respond(List.of(new LeakReport("17|" + secret, null, null)), LeakResponse.DISABLE)
                        .get(0))
                .isPresent();
        assertThat(imported.registry.verify("17|" + secret)).isEmpty();
    }

    @Test
    void respondWhenRevokingThenKeyIsRevoked() {
        assertThat(key(LeakResponse.REVOKE, issued.key()).revokedAt()).isEqualTo(fixture.clock.instant());

        assertThat(fixture.registry.verify(issued.key())).isEmpty();
    }

    @Test
    void respondWhenRevokingADisabledKeyThenKeyIsRevoked() {
        fixture.registry.disable(issued.id());

        assertThat(key(LeakResponse.REVOKE, issued.key()).revokedAt()).isNotNull();
    }

    @Test
    void respondWhenOnlyReportingThenKeyStaysAndIsAudited() {
        assertThat(key(LeakResponse.REPORT, issued.key()).disabledAt()).isNull();

        assertThat(fixture.trail()).containsExactly("apikey.leaked success");
        assertThat(fixture.registry.verify(issued.key())).isPresent();
    }

    @Test
    void respondThenIsNotAUse() {
        respond(LeakResponse.REPORT, issued.key());
        fixture.registries.flushLastUsed();

        assertThat(fixture.stored(issued.id(), "last_used_at")).isNull();
        assertThat(fixture.registry.getById(issued.id()).map(ApiKey::lastUsedAt))
                .isEmpty();
        assertThat(fixture.trail()).noneMatch(event -> event.startsWith("apikey.verify"));
    }

    @Test
    void respondWhenRepeatedThenChangesNothing() {
        LeakedKey first = respond(LeakResponse.DISABLE, issued.key()).get(0).orElseThrow();
        Map<String, @Nullable Object> row = fixture.row(issued.id());
        fixture.clock.advance(Duration.ofMinutes(1));

        LeakedKey second = respond(LeakResponse.DISABLE, issued.key()).get(0).orElseThrow();

        assertThat(second).isEqualTo(first);
        assertThat(fixture.row(issued.id())).isEqualTo(row);
        assertThat(fixture.audit)
                .last()
                .satisfies(event -> assertThat(event.attributes())
                        .containsEntry("effective", false)
                        .doesNotContainKey(AuditEvent.VERSION));
    }

    @Test
    void respondWhenReportedTwiceAtOnceThenChangedOnce() {
        List<Optional<LeakedKey>> leaked = respond(LeakResponse.DISABLE, issued.key(), "none", issued.key());

        assertThat(leaked).extracting(Optional::isPresent).containsExactly(true, false, true);
        assertThat(leaked.get(2).orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void respondWhenSecretIsWrongThenNothingChanges() {
        Map<String, @Nullable Object> row = fixture.row(issued.id());
        String other = fixture.issue().key();
        String forged =
                issued.key().substring(0, issued.key().lastIndexOf('_')) + other.substring(other.lastIndexOf('_'));
        fixture.audit.clear();

        assertThat(respond(LeakResponse.REVOKE, forged)).containsExactly(Optional.empty());

        assertThat(fixture.row(issued.id())).isEqualTo(row);
        assertThat(fixture.trail()).containsExactly("apikey.leaked failure bad-secret");
    }

    @Test
    void respondWhenNoTokenOfAKeyThenNothingChanges() {
        String start =
                issued.key().substring(0, issued.key().indexOf('_', issued.key().indexOf('_') + 1) + 1);
        String other =
                RegistryFixture.with(fixture.database, fixture.keyring).issue().key();

        assertThat(respond(
                        LeakResponse.REVOKE,
                        "",
                        "ghp_abc",
                        other,
                        start + "00_00",
                        start + "0011223344556677_" + "ab".repeat(32),
                        start + "x".repeat(600)))
                .hasSize(6)
                .containsOnly(Optional.empty());
        assertThat(fixture.trail()).contains("apikey.leaked failure unknown");
    }

    @Test
    void respondWhenTokenIsInUpperCaseThenFound() {
        String token = issued.key();
        int id = token.lastIndexOf('_', token.lastIndexOf('_') - 1);
        String upper = token.substring(0, id) + token.substring(id).toUpperCase(Locale.ROOT);

        assertThat(respond(LeakResponse.DISABLE, upper).get(0)).isPresent();
    }

    @Test
    void respondWhenOldSecretIsAcceptedThenDisabled() {
        RotatedApiKey rotated = fixture.registry.rotate(issued.id(), Rotation.graceful());

        assertThat(key(LeakResponse.DISABLE, issued.key()).disabledAt()).isNotNull();

        assertThat(fixture.registry.verify(rotated.key())).isEmpty();
        assertThat(fixture.audit)
                .anySatisfy(event -> assertThat(event.attributes()).containsEntry("oldSecret", true));
    }

    @Test
    void respondWhenOldSecretHasExpiredThenKeyStays() {
        RotatedApiKey rotated = fixture.registry.rotate(issued.id(), Rotation.graceful(Duration.ofHours(1)));
        fixture.clock.advance(Duration.ofHours(1));

        assertThat(key(LeakResponse.DISABLE, issued.key()).disabledAt()).isNull();

        assertThat(fixture.registry.verify(rotated.key())).isPresent();
    }

    @Test
    void respondWhenKeyIsRevokedOrExpiredThenStaysAsItIs() {
        fixture.registry.revoke(issued.id());
        IssuedApiKey expired = fixture.registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusSeconds(1)));
        fixture.clock.advance(Duration.ofSeconds(1));

        List<Optional<LeakedKey>> leaked = respond(LeakResponse.REVOKE, issued.key(), expired.key());

        assertThat(leaked.get(0).orElseThrow().version()).isEqualTo(2);
        assertThat(leaked.get(1).orElseThrow().key().revokedAt()).isNull();
    }

    @Test
    void respondWhenRowIsTamperedWithThenNotFoundAndAudited() {
        fixture.tamper(issued.id(), "expires_at = 4102444800000");

        assertThat(respond(LeakResponse.DISABLE, issued.key())).containsExactly(Optional.empty());

        assertThat(fixture.trail()).containsExactly("apikey.leaked failure integrity");
        assertThat(fixture.stored(issued.id(), "disabled_at")).isNull();
    }

    @Test
    void respondWhenOneCannotBeChangedThenNoneIs() {
        IssuedApiKey second = fixture.issue();
        JdbcApiKeyRegistries failing = fixture.reopened(
                        fixture.keyring, options -> options, builder -> builder.leadership(new LosesLeadership()))
                .registries;

        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(() -> failing.leaks()
                        .respond(List.of(report(issued.key()), report(second.key())), LeakResponse.DISABLE));

        assertThat(fixture.stored(issued.id(), "disabled_at")).isNull();
        assertThat(fixture.stored(second.id(), "disabled_at")).isNull();
    }

    @Test
    void respondWhenNodeDoesNotLeadThenRefusedWithLeaderUrl() {
        RegistryFixture follower = fixture.reopened(
                fixture.keyring,
                options -> options,
                builder -> builder.leadership(new OtherLeads("https://first.example")));

        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(
                        () -> follower.registries.leaks().respond(List.of(report(issued.key())), LeakResponse.DISABLE))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://first.example"));
        assertThat(follower.registries.leaks().respond(List.of(report(issued.key())), LeakResponse.REPORT))
                .singleElement()
                .satisfies(leaked -> assertThat(leaked).isPresent());
        assertThat(fixture.registry.verify(issued.key())).isPresent();
    }

    @Test
    void respondWhenTwoRegistriesThenEachFindsItsTokens() {
        RegistryFixture both = RegistryFixture.with(
                fixture.database,
                fixture.keyring,
                builder -> builder.registry(
                        ApiKeyRegistryOptions.forNamespace(fixture.namespace).withPrefix("other")));
        IssuedApiKey ofOther = both.registries.get(fixture.namespace).issue(IssueRequest.forOwner("user-1"));

        List<Optional<LeakedKey>> leaked = both.registries
                .leaks()
                .respond(
                        List.of(report(both.issue().key()), report(ofOther.key()), report(issued.key())),
                        LeakResponse.DISABLE);

        assertThat(leaked.get(0).orElseThrow().key().namespace()).isEqualTo(both.namespace);
        assertThat(leaked.get(1).orElseThrow().key().id()).isEqualTo(ofOther.id());
        assertThat(leaked.get(2)).as("of an earlier prefix").isEmpty();
    }

    @Test
    void reportThenShowsNoSecretAndIsBounded() {
        LeakReport report = new LeakReport(
                issued.key(), "c".repeat(1000), "https://a.example/?q=" + issued.key() + "\n" + "x".repeat(5000));

        assertThat(report.toString())
                .doesNotContain(issued.key().substring(issued.key().lastIndexOf('_') + 1));
        assertThat(report.source()).hasSize(64);
        assertThat(report.url()).hasSize(512).doesNotContain("\n");
        assertThat(new LeakReport("x", "", null).source()).isNull();
    }

    private ApiKey key(LeakResponse response, String token) {
        return respond(response, token).get(0).orElseThrow().key();
    }

    private List<Optional<LeakedKey>> respond(LeakResponse response, String... tokens) {
        return fixture.registries
                .leaks()
                .respond(Arrays.stream(tokens).map(LeakResponderTests::report).toList(), response);
    }

    private static LeakReport report(String token) {
        return new LeakReport(token, "commit", URL);
    }

    /** Leads while the first key is changed, and no longer when the second one is. */
    private static final class LosesLeadership implements Leadership {

        private final AtomicInteger checks = new AtomicInteger();

        @Override
        public OptionalLong epoch() {
            return OptionalLong.of(1);
        }

        @Override
        public void requireLeader() {
            if (checks.incrementAndGet() > 1) {
                throw new LeadershipRequiredException(null, null);
            }
        }
    }
}
