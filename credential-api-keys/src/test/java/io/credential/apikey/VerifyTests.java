package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class VerifyTests extends RegistryTestBase {

    VerifyTests(TestDatabase database) {
        super(database);
    }

    @Test
    void issueThenTokenHasTheDocumentedForm() {
        IssuedApiKey issued = fixture.issue();

        assertThat(issued.key()).matches("bk_" + fixture.namespace + "_[0-9a-f]{16}_[0-9a-f]{32}");
        assertThat(ApiKeyToken.parse(issued.key()).orElseThrow().idHex()).isEqualTo(issued.id());
    }

    @Test
    void verifyThenGivesTheRecordThatWasIssued() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42")
                .scopes("read:orders", "write:orders")
                .metadata(Map.of("plan", "pro", "seats", 3))
                .expiresAt(fixture.clock.instant().plus(Duration.ofDays(1))));

        assertThat(registry.verify(issued.key())).hasValueSatisfying(key -> {
            assertThat(key.id()).isEqualTo(issued.id());
            assertThat(key.namespace()).isEqualTo(fixture.namespace);
            assertThat(key.prefix()).isEqualTo("bk");
            assertThat(key.ownerId()).isEqualTo("user-42");
            assertThat(key.scopes()).containsExactly("read:orders", "write:orders");
            assertThat(key.metadata()).isEqualTo(Map.of("plan", "pro", "seats", 3));
            assertThat(key.createdAt()).isEqualTo(fixture.clock.instant());
            assertThat(key.expiresAt()).isEqualTo(fixture.clock.instant().plus(Duration.ofDays(1)));
            assertThat(key.revokedAt()).isNull();
            assertThat(key.secondaryExpiresAt()).isNull();
            assertThat(key.usedSecondary()).isFalse();
        });
    }

    @Test
    void verifyWhenRowIsUnchangedThenContentsAreRemembered() {
        String token = fixture.issue().key();
        ApiKey first = registry.verify(token).orElseThrow();

        assertThat(registry.verify(token).orElseThrow().metadata()).isSameAs(first.metadata());

        registry.update(first.id(), ApiKeyChanges.none().metadata(Map.of("plan", "free")));
        assertThat(registry.verify(token).orElseThrow().metadata()).isEqualTo(Map.of("plan", "free"));
    }

    @Test
    void metadataThenNeitherItNorItsContentsCanBeChanged() {
        String token = registry.issue(IssueRequest.forOwner("user-42")
                        .metadata(Map.of("tenants", List.of("a"), "plan", Map.of("name", "pro"))))
                .key();
        Map<String, Object> metadata = registry.verify(token).orElseThrow().metadata();

        assertThat(List.of(metadata, metadata.get("plan")))
                .allSatisfy(object -> assertThatExceptionOfType(UnsupportedOperationException.class)
                        .isThrownBy(() -> ((Map<?, ?>) object).clear()));
        assertThat(metadata.get("tenants"))
                .isInstanceOfSatisfying(
                        List.class,
                        tenants -> assertThatExceptionOfType(UnsupportedOperationException.class)
                                .isThrownBy(tenants::clear));
    }

    @Test
    void verifyWhenSecretIsWrongThenRejected() {
        IssuedApiKey issued = fixture.issue();
        String other = fixture.issue().key();
        String forged =
                issued.key().substring(0, issued.key().lastIndexOf('_')) + other.substring(other.lastIndexOf('_'));

        assertThat(registry.verify(forged)).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure bad-secret");
    }

    @Test
    void verifyWhenIdIsUnknownThenRejected() {
        assertThat(registry.verify("bk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16)))
                .isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.verify failure unknown");
    }

    @Test
    void verifyWhenSecretIsInUpperCaseThenRejected() {
        String token = fixture.issue().key();
        int secret = token.lastIndexOf('_') + 1;
        String upper = token.substring(0, secret) + token.substring(secret).toUpperCase(Locale.ROOT);

        assertThat(upper).isNotEqualTo(token);
        assertThat(registry.verify(upper)).isEmpty();
    }

    @Test
    void verifyWhenPrefixOrNamespaceIsForeignThenRejected() {
        IssuedApiKey issued = fixture.issue();
        fixture.tamper(issued.id(), "secret_hash = 'unreachable'");

        assertThat(registry.verify(issued.key().replaceFirst("bk_", "sk_"))).isEmpty();
        assertThat(registry.verify(issued.key().replace(fixture.namespace, "elsewhere")))
                .isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure foreign-namespace");
    }

    @Test
    void verifyWhenPrefixChangedThenEarlierKeysAreRejected() {
        IssuedApiKey issued = fixture.issue();
        RegistryFixture renamed = renamedToShop();

        assertThat(renamed.registry.verify(issued.key().replaceFirst("bk_", "shop_")))
                .isEmpty();
        assertThat(renamed.trail()).endsWith("apikey.verify failure foreign-namespace");
        assertThat(renamed.audit.get(0).resourceId()).isEqualTo(issued.id());
    }

    @Test
    void rotateWhenPrefixChangedThenOnlyNewTokenIsAccepted() {
        IssuedApiKey issued = fixture.issue();
        ApiKeyRegistry renamed = renamedToShop().registry;

        RotatedApiKey rotated = renamed.rotate(issued.id(), Rotation.graceful());

        assertThat(rotated.secondaryExpiresAt()).isNull();
        assertThat(renamed.verify(rotated.key())).map(ApiKey::prefix).contains("shop");
        assertThat(renamed.verify(issued.key().replaceFirst("bk_", "shop_"))).isEmpty();
    }

    private RegistryFixture renamedToShop() {
        return fixture.reopened(fixture.keyring, options -> options.withPrefix("shop"), builder -> builder);
    }

    @Test
    void verifyWhenMalformedThenReportsOnlyHowMany() {
        for (String text : List.of("", "x", "a_b_c", "z".repeat(100_000))) {
            assertThat(registry.verify(text)).isEmpty();
        }
        assertThat(registry.verify(null)).isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.verify failure malformed");
        fixture.audit.clear();

        fixture.registries.close();

        assertThat(fixture.audit).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("malformed");
            assertThat(event.attributes()).isEqualTo(Map.of("count", 4L));
        });
    }

    @Test
    void verifyWhenRevokedThenRejected() {
        IssuedApiKey issued = fixture.issue();
        registry.revoke(issued.id());

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure revoked");
    }

    @Test
    void verifyWhenExpiryIsReachedThenRejected() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusMillis(2)));

        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.verify(issued.key())).isPresent();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure expired");
    }

    @Test
    void verifyWhenRevokedAndSecretIsWrongThenBadSecret() {
        IssuedApiKey issued = fixture.issue();
        registry.revoke(issued.id());
        String wrong = issued.key().substring(0, issued.key().lastIndexOf('_') + 1) + "00".repeat(16);

        assertThat(registry.verify(wrong)).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure bad-secret");
    }

    @Test
    void verifyWhenDatabaseIsGoneThenUnavailable() {
        IssuedApiKey issued = fixture.issue();
        try (TestDatabase gone = TestDatabase.create(database.kind())) {
            RegistryFixture other = new RegistryFixture(
                    gone.migrate(JdbcApiKeyRegistries.SCHEMA),
                    fixture.keyring,
                    fixture.namespace,
                    options -> options,
                    builder -> builder);
            gone.dataSource().close();

            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> other.registry.verify(issued.key()))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/unavailable"));
            assertThat(other.trail()).containsExactly("apikey.verify failure unavailable");
        }
    }

    @Test
    void forTokenThenRoutesByPrefixAndNamespaceAlone() {
        IssuedApiKey issued = fixture.issue();

        assertThat(fixture.registries.forToken(issued.key())).contains(registry);
        assertThat(fixture.registries.forToken(issued.key().replaceFirst("bk_", "sk_")))
                .isEmpty();
        assertThat(fixture.registries.forToken("bk_other_01_02")).isEmpty();
        assertThat(fixture.registries.forToken("nothing")).isEmpty();
        assertThat(fixture.registries.forToken(null)).isEmpty();
    }

    @Test
    void forTokenWhenTextIsTooLongThenMalformed() {
        String head = "bk_" + fixture.namespace + "_";
        String longest = head + "0".repeat(ApiKeyToken.MAX_LENGTH - head.length());

        assertThat(fixture.registries.forToken(longest)).contains(registry);
        assertThat(fixture.registries.forToken(longest + "0")).isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.verify failure malformed");
    }

    @Test
    void forTokenWhenRoutedThenOnlyVerifyChecksTheForm() {
        String malformed = "bk_" + fixture.namespace + "_not-hex";

        assertThat(fixture.registries.forToken(malformed)).contains(registry);
        assertThat(fixture.trail()).isEmpty();
        assertThat(registry.verify(malformed)).isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.verify failure malformed");
    }

    @Test
    void auditWhenOneHalfIsSwitchedOffThenOtherGoesOn() {
        RegistryFixture silentSuccess = new RegistryFixture(database, options -> options.withAuditSuccess(false));
        silentSuccess.registry.verify(silentSuccess.issue().key());
        silentSuccess.registry.verify("bk_" + silentSuccess.namespace + "_0123456789abcdef_" + "00".repeat(16));
        assertThat(silentSuccess.trail()).containsExactly("apikey.verify failure unknown");

        RegistryFixture silentFailures = new RegistryFixture(database, options -> options.withAuditFailures(false));
        silentFailures.registry.verify(silentFailures.issue().key());
        silentFailures.registry.verify("bk_" + silentFailures.namespace + "_0123456789abcdef_" + "00".repeat(16));
        assertThat(silentFailures.trail()).containsExactly("apikey.issue success", "apikey.verify success");
    }

    @Test
    void auditWhenRegistryHasItsOwnSinkThenReportsToIt() {
        List<String> own = new java.util.ArrayList<>();
        RegistryFixture other =
                new RegistryFixture(database, options -> options.withAuditSink(event -> own.add(event.name())));

        other.issue();

        assertThat(own).containsExactly("apikey.issue");
        assertThat(other.audit).isEmpty();
    }

    @Test
    void auditWhenSinkThrowsThenOutcomeIsUnchanged() {
        RegistryFixture broken = new RegistryFixture(
                database,
                options -> options.withAuditSink(event -> {
                    throw new IllegalStateException("sink is full");
                }));

        IssuedApiKey issued = broken.issue();

        assertThat(broken.registry.verify(issued.key())).isPresent();
        assertThat(broken.registry.revoke(issued.id())).isTrue();
    }
}
