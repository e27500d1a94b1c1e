package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class LookupTests extends RegistryTestBase {

    LookupTests(TestDatabase database) {
        super(database);
    }

    @Test
    void listForOwnerThenActiveKeysAreNewestFirst() {
        IssuedApiKey first = fixture.issue();
        fixture.clock.advance(Duration.ofSeconds(1));
        IssuedApiKey second = fixture.issue();
        registry.issue(IssueRequest.forOwner("somebody-else"));
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusMillis(1)));
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(registry.listForOwner("user-42")).extracting(ApiKey::id).containsExactly(second.id(), first.id());
        assertThat(registry.listForOwner("nobody")).isEmpty();
    }

    @Test
    void listForOwnerWhenInAnotherNamespaceThenEmpty() {
        fixture.issue();
        RegistryFixture other = RegistryFixture.with(fixture.database, fixture.keyring);

        assertThat(other.registry.listForOwner("user-42")).isEmpty();
    }

    @Test
    void listForOwnerWhenAskedForThenShowsRevokedOrExpired() {
        IssuedApiKey active = fixture.issue();
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        IssuedApiKey expired = registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusMillis(1)));
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(ids(ListOptions.defaults())).containsExactlyInAnyOrder(active.id());
        assertThat(ids(ListOptions.defaults().withRevoked())).containsExactlyInAnyOrder(active.id(), revoked.id());
        assertThat(ids(ListOptions.defaults().withExpired())).containsExactlyInAnyOrder(active.id(), expired.id());
        assertThat(ids(ListOptions.defaults().withExpired().withRevoked()))
                .containsExactlyInAnyOrder(active.id(), revoked.id(), expired.id());
    }

    @Test
    void listForOwnerWhenMoreThanAPageThenGivesAll() {
        List<String> issued = fixture.database.inTransaction(() -> IntStream.rangeClosed(0, ListOptions.MAX_LIMIT)
                .mapToObj(i -> fixture.issue().id())
                .toList());

        assertThat(registry.listForOwner("user-42")).extracting(ApiKey::id).containsExactlyInAnyOrderElementsOf(issued);
    }

    @Test
    void pagesWhenManyKeysShareATimeThenHoldEachKeyOnce() {
        List<String> issued = new ArrayList<>(IntStream.range(0, 25)
                .mapToObj(i -> {
                    if (i % 10 == 0) {
                        fixture.clock.advance(Duration.ofMillis(1));
                    }
                    return fixture.issue().id();
                })
                .toList());

        List<String> seen = new ArrayList<>();
        ApiKeyPage page =
                registry.listForOwner("user-42", ListOptions.defaults().withLimit(7));
        seen.addAll(page.keys().stream().map(ApiKey::id).toList());
        while (page.nextCursor() != null) {
            page = registry.listForOwner(
                    "user-42", ListOptions.defaults().withLimit(7).after(page.nextCursor()));
            seen.addAll(page.keys().stream().map(ApiKey::id).toList());
        }

        Collections.sort(issued);
        assertThat(seen).hasSize(25).doesNotHaveDuplicates();
        assertThat(seen.stream().sorted().toList()).isEqualTo(issued);
    }

    @Test
    void listThenPagesOfAllOwnersNewestFirst() {
        List<String> issued = new ArrayList<>(IntStream.range(0, 25)
                .mapToObj(i -> {
                    fixture.clock.advance(Duration.ofMillis(1));
                    return registry.issue(IssueRequest.forOwner("owner-" + i % 4))
                            .id();
                })
                .toList());
        Collections.reverse(issued);
        RegistryFixture.with(fixture.database, fixture.keyring).issue();

        List<String> seen = new ArrayList<>();
        ApiKeyPage page = registry.list(ListOptions.defaults().withLimit(7));
        seen.addAll(page.keys().stream().map(ApiKey::id).toList());
        while (page.nextCursor() != null) {
            page = registry.list(ListOptions.defaults().withLimit(7).after(page.nextCursor()));
            seen.addAll(page.keys().stream().map(ApiKey::id).toList());
        }

        assertThat(seen).isEqualTo(issued);
    }

    @Test
    void listWhenRevokedOrEditedThenLeftOut() {
        IssuedApiKey active = fixture.issue();
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        IssuedApiKey edited = fixture.issue();
        fixture.tamper(edited.id(), "disabled_at = 1");

        assertThat(registry.list(ListOptions.defaults()).keys())
                .extracting(ApiKey::id)
                .containsExactly(active.id());
        assertThat(registry.list(ListOptions.defaults().withRevoked()).keys())
                .extracting(ApiKey::id)
                .containsExactlyInAnyOrder(active.id(), revoked.id());
        assertThat(fixture.trail()).contains("apikey.list failure integrity");
    }

    @Test
    void listForOwnerWhenRowIsEditedThenShortPageLeadsOn() {
        List<String> ids = IntStream.range(0, 3)
                .mapToObj(i -> {
                    fixture.clock.advance(Duration.ofMillis(1));
                    return fixture.issue().id();
                })
                .toList();
        fixture.tamper(ids.get(2), "row_mac = 'm1.k1.00'");

        ApiKeyPage first =
                registry.listForOwner("user-42", ListOptions.defaults().withLimit(2));
        assertThat(first.keys()).extracting(ApiKey::id).containsExactly(ids.get(1));
        assertThat(registry.listForOwner(
                                "user-42", ListOptions.defaults().after(Objects.requireNonNull(first.nextCursor())))
                        .keys())
                .extracting(ApiKey::id)
                .containsExactly(ids.get(0));
    }

    @Test
    void listForOwnerWhenPageIsTheLastThenNoCursor() {
        fixture.issue();

        assertThat(registry.listForOwner("user-42", ListOptions.defaults().withLimit(1))
                        .nextCursor())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "!!!",
                "MTIz",
                "OTIyMzM3MjAzNjg1NDc3NTgwOC5hYg",
                "MS4A",
                "OTk5OTk5OTk5OTk5OTk5OTk5OTk5LmFi"
            })
    void listForOwnerWhenCursorIsMadeUpThenRefused(String cursor) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() ->
                        registry.listForOwner("user-42", ListOptions.defaults().after(cursor)))
                .withMessage("cursor must be the nextCursor of an earlier page of the same listing")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    @Test
    void listForOwnerWhenOwnerIsBlankThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.listForOwner(" "))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/missing-owner"));
    }

    @Test
    void getByIdWhenActiveThenGivesWhatWasIssued() {
        Instant now = fixture.clock.instant();
        Instant expiresAt = now.plusSeconds(60);
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42")
                .name("laptop")
                .scopes("read:orders")
                .metadata(Map.of("team", "blue"))
                .expiresAt(expiresAt));

        assertThat(registry.getById(issued.id()))
                .contains(new ApiKey(
                        issued.id(),
                        fixture.namespace,
                        "bk",
                        "user-42",
                        "laptop",
                        List.of("read:orders"),
                        Map.of("team", "blue"),
                        now,
                        "tester",
                        expiresAt,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        false,
                        false));
    }

    @Test
    void getByIdWhenDisabledThenGivesTheKey() {
        IssuedApiKey issued = fixture.issue();
        registry.disable(issued.id());

        assertThat(registry.getById(issued.id()))
                .hasValueSatisfying(key -> assertThat(key.disabledAt()).isEqualTo(fixture.clock.instant()));
    }

    @Test
    void getByIdWhenExpiredThenGivesTheKey() {
        Instant expiresAt = fixture.clock.instant().plusMillis(1);
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").expiresAt(expiresAt));
        fixture.clock.advance(Duration.ofDays(1));

        assertThat(registry.getById(issued.id()))
                .hasValueSatisfying(key -> assertThat(key.expiresAt()).isEqualTo(expiresAt));
    }

    @Test
    void getByIdWhenRevokedThenGivesTheKey() {
        IssuedApiKey issued = fixture.issue();
        registry.revoke(issued.id());

        assertThat(registry.getById(issued.id()))
                .hasValueSatisfying(key -> assertThat(key.revokedAt()).isEqualTo(fixture.clock.instant()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef", "", "ABCDEF", "no id", "../../etc"})
    void getByIdWhenUnknownThenEmptyWhateverItsForm(String id) {
        assertThat(registry.getById(id)).isEmpty();
    }

    @Test
    void getByIdAndRevokeWhenInAnotherNamespaceThenUnknown() {
        IssuedApiKey issued = fixture.issue();
        RegistryFixture other = RegistryFixture.with(fixture.database, fixture.keyring);

        assertThat(other.registry.getById(issued.id())).isEmpty();
        assertThat(other.registry.revoke(issued.id())).isFalse();
        assertThat(registry.verify(issued.key())).isPresent();
    }

    @Test
    void revokeWhenRepeatedOrUnknownThenFalse() {
        IssuedApiKey issued = fixture.issue();

        assertThat(registry.revoke(issued.id())).isTrue();
        assertThat(registry.revoke(issued.id())).isFalse();
        assertThat(registry.revoke("0123456789abcdef")).isFalse();
        assertThat(registry.revoke("no id")).isFalse();
    }

    @Test
    void auditWhenSecretIsGivenForAnIdThenLeavesItOut() {
        IssuedApiKey issued = fixture.issue();
        String secret = ApiKeyToken.parse(issued.key()).orElseThrow().secretHex();
        fixture.audit.clear();

        assertThat(registry.revoke(issued.key())).isFalse();
        assertThat(registry.revoke(secret)).isFalse();
        assertThat(registry.getById(secret)).isEmpty();
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.rotate(secret, Rotation.immediate()));

        assertThat(fixture.audit)
                .hasSize(4)
                .allSatisfy(event -> assertThat(event.toString()).doesNotContain(secret));
    }

    @Test
    void listForOwnerAndGetByIdThenAudited() {
        IssuedApiKey issued = fixture.issue();
        fixture.audit.clear();

        registry.listForOwner("user-42");
        registry.getById(issued.id());

        assertThat(fixture.trail()).containsExactly("apikey.list success", "apikey.get success");
        assertThat(fixture.audit).allSatisfy(event -> assertThat(event.actor()).isEqualTo("tester"));
    }

    private List<String> ids(ListOptions options) {
        return registry.listForOwner("user-42", options).keys().stream()
                .map(ApiKey::id)
                .toList();
    }
}
