package io.credential.apikey.internal.search;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RegistryFixture;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys are found by what operators know of them. */
@BothDatabases
class SearchTests {

    private static final Duration DAY = Duration.ofDays(1);

    private final SearchFixture search;
    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;

    SearchTests(TestDatabase test) {
        this.search = new SearchFixture(test);
        this.fixture = search.on;
        this.registry = search.registry;
    }

    @Test
    void searchThenNewestFirstInAnyState() {
        String expired = search.issue(
                request -> request.expiresAt(fixture.clock.instant().plus(DAY)));
        fixture.clock.advance(DAY);
        String revoked = search.issue(request -> request);
        registry.revoke(revoked);
        fixture.clock.advance(DAY);
        String active = search.issue(request -> request);

        assertThat(search.search(all -> all)).containsExactly(active, revoked, expired);
        assertThat(fixture.trail()).endsWith("apikey.search success");
    }

    @Test
    void searchWhenStatesThenOnlyThose() {
        String expired = search.issue(
                request -> request.expiresAt(fixture.clock.instant().plus(DAY)));
        String disabled = search.issue(request -> request);
        registry.disable(disabled);
        String revoked = search.issue(request -> request);
        registry.revoke(revoked);
        fixture.clock.advance(DAY);
        String active = search.issue(request -> request);

        assertThat(search.search(all -> all.withStates(ApiKeyState.ACTIVE))).containsExactly(active);
        assertThat(search.search(all -> all.withStates(ApiKeyState.DISABLED))).containsExactly(disabled);
        assertThat(search.search(all -> all.withStates(ApiKeyState.EXPIRED))).containsExactly(expired);
        assertThat(search.search(all -> all.withStates(ApiKeyState.REVOKED, ApiKeyState.ACTIVE)))
                .containsExactly(active, revoked);
    }

    @Test
    void searchWhenOwnerThenOnlyTheirKeys() {
        String other = registry.issue(IssueRequest.forOwner("user-1")).id();
        search.issue(request -> request);

        assertThat(search.search(all -> all.withOwnerId("user-1"))).containsExactly(other);
        assertThat(search.search(all -> all.withOwnerId("user"))).isEmpty();
    }

    @Test
    void searchWhenNamePrefixThenRegardlessOfCase() {
        String ci = search.issue(request -> request.name("CI Server 1"));
        search.issue(request -> request.name("build CI"));
        search.issue(request -> request);

        assertThat(search.search(all -> all.withNamePrefix("ci s"))).containsExactly(ci);
        assertThat(search.search(all -> all.withNamePrefix("CI SERVER 1"))).containsExactly(ci);
        assertThat(search.search(all -> all.withNamePrefix("ci server 11"))).isEmpty();
    }

    @Test
    void searchWhenPrefixIsLongThenAllOfItIsCompared() {
        String first = search.issue(request -> request.name("deployment of project A"));
        search.issue(request -> request.name("deployment of project B"));

        assertThat(search.search(all -> all.withNamePrefix("deployment of project a")))
                .containsExactly(first);
    }

    @Test
    void searchWhenScopeThenExact() {
        String wildcard = search.issue(request -> request.scopes("orders:*", "a"));
        search.issue(request -> request.scopes("orders:read"));

        assertThat(search.search(all -> all.withScope("orders:*"))).containsExactly(wildcard);
        assertThat(search.search(all -> all.withScope("orders"))).isEmpty();
    }

    @Test
    void searchWhenSeveralCriteriaThenAllMustHold() {
        String match = search.issue(request -> request.name("CI one").scopes("a"));
        search.issue(request -> request.name("CI two").scopes("b"));
        search.issue(request -> request.name("other").scopes("a"));
        registry.issue(IssueRequest.forOwner("user-1").name("CI three").scopes("a"));

        assertThat(search.search(
                        all -> all.withOwnerId("user-42").withNamePrefix("ci ").withScope("a")))
                .containsExactly(match);
        assertThat(search.search(
                        all -> all.withOwnerId("user-1").withNamePrefix("ci ").withScope("b")))
                .isEmpty();
    }

    @Test
    void searchWhenCreatedThenFromIsInclusive() {
        Instant second = fixture.clock.instant().plus(DAY);
        Instant third = second.plus(DAY);
        search.issue(request -> request.name("CI one"));
        fixture.clock.advance(DAY);
        String within = search.issue(request -> request.name("CI two"));
        fixture.clock.advance(DAY);
        search.issue(request -> request.name("CI three"));

        for (UnaryOperator<KeySearch> more : List.<UnaryOperator<KeySearch>>of(
                all -> all, all -> all.withOwnerId("user-42"), all -> all.withNamePrefix("ci "))) {
            assertThat(search.search(
                            all -> more.apply(all).withCreatedFrom(second).withCreatedBefore(third)))
                    .containsExactly(within);
        }
    }

    @Test
    void searchWhenLastUsedThenPendingUsesCount() {
        Instant start = fixture.clock.instant();
        IssuedApiKey early = registry.issue(IssueRequest.forOwner("user-42"));
        IssuedApiKey late = registry.issue(IssueRequest.forOwner("user-42"));
        String never = search.issue(request -> request);
        registry.verify(early.key());
        fixture.registries.flushLastUsed();
        fixture.clock.advance(DAY);
        registry.verify(late.key());

        assertThat(search.search(all -> all.withLastUsedFrom(start.plus(DAY)))).containsExactly(late.id());
        assertThat(search.search(all -> all.withLastUsedBefore(start.plus(DAY))))
                .containsExactly(early.id());
        assertThat(search.search(all -> all.withLastUsedFrom(start))).containsExactlyInAnyOrder(early.id(), late.id());
        assertThat(search.search(KeySearch::withNeverUsed)).containsExactly(never);
    }

    @Test
    void searchWhenPagedThenEveryMatchOnce() {
        List<String> named = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            fixture.clock.advance(DAY);
            named.add(0, search.issue(request -> request.name("CI key")));
            search.issue(request -> request.name("other"));
        }

        assertThat(paged(KeySearch.all().withNamePrefix("ci ").withLimit(2))).isEqualTo(named);
        assertThat(paged(KeySearch.all()
                        .withOwnerId("user-42")
                        .withNamePrefix("ci ")
                        .withLimit(2)))
                .isEqualTo(named);
    }

    private List<String> paged(KeySearch criteria) {
        List<String> ids = new ArrayList<>();
        ApiKeyPage page = registry.search(criteria);
        while (page.nextCursor() != null) {
            assertThat(page.keys()).hasSize(criteria.limit());
            page.keys().forEach(key -> ids.add(key.id()));
            page = registry.search(criteria.after(page.nextCursor()));
        }
        page.keys().forEach(key -> ids.add(key.id()));
        return ids;
    }

    @Test
    void searchWhenLastKeyFillsThePageThenNoCursor() {
        search.issue(request -> request);
        search.issue(request -> request);

        assertThat(registry.search(KeySearch.all().withLimit(2)).nextCursor()).isNull();
        assertThat(registry.search(KeySearch.all().withLimit(1)).nextCursor()).isNotNull();
    }

    @Test
    void searchWhenFewMatchThenEmptyPageWithCursor() {
        String revoked = search.issue(request -> request);
        registry.revoke(revoked);
        fixture.clock.advance(DAY);
        insertUnrelated(2000); // the most that a page examines
        KeySearch criteria = KeySearch.all().withStates(ApiKeyState.REVOKED);

        ApiKeyPage first = registry.search(criteria);
        ApiKeyPage second = registry.search(criteria.after(Objects.requireNonNull(first.nextCursor())));

        assertThat(first.keys()).isEmpty();
        assertThat(second.keys()).extracting(ApiKey::id).containsExactly(revoked);
        assertThat(second.nextCursor()).isNull();
    }

    private void insertUnrelated(int number) {
        fixture.jdbc()
                .sql("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)
                        INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata,
                            secret_hash, created_at)
                        SELECT :namespace, CAST(10000000 + i AS TEXT), 'bk', '', '', '', '', '', :createdAt
                        FROM n""")
                .param("number", number)
                .param("namespace", fixture.namespace)
                .param("createdAt", fixture.clock.millis())
                .update();
    }

    @Test
    void searchWhenCursorIsOfAnotherThenContinuesThere() {
        String old = search.issue(request -> request.name("CI old"));
        fixture.clock.advance(DAY);
        search.issue(request -> request.name("CI new"));
        String cursor = Objects.requireNonNull(
                registry.search(KeySearch.all().withLimit(1)).nextCursor());

        assertThat(search.search(all -> all.withNamePrefix("ci ").after(cursor)))
                .containsExactly(old);
        assertCode("api-key/bad-opt", () -> registry.search(KeySearch.all().after("x")));
    }

    @Test
    void searchWhenRowIsForgedThenLeftOutAndAudited() {
        String forged = search.issue(request -> request.name("CI key"));
        fixture.tamper(forged, "disabled_at = 1");

        assertThat(search.search(all -> all.withNamePrefix("ci "))).isEmpty();
        assertThat(fixture.trail()).contains("apikey.list failure integrity");
    }

    @Test
    void searchWhenForgedStateDoesNotMatchThenAudited() {
        String forged = search.issue(request -> request);
        fixture.tamper(forged, "disabled_at = 1");

        assertThat(search.search(all -> all.withStates(ApiKeyState.ACTIVE))).isEmpty();
        assertThat(fixture.trail()).contains("apikey.list failure integrity");
    }

    @Test
    void searchWhenCriteriaContradictThenRefused() {
        Instant time = fixture.clock.instant();
        KeySearch all = KeySearch.all();

        assertCode("api-key/bad-opt", () -> all.withCreatedFrom(time).withCreatedBefore(time));
        assertCode("api-key/bad-opt", () -> all.withLastUsedFrom(time).withLastUsedBefore(time));
        assertCode("api-key/bad-opt", () -> all.withNeverUsed().withLastUsedFrom(time));
        assertCode("api-key/bad-opt", () -> all.withNeverUsed().withLastUsedBefore(time));
        assertThat(all.withCreatedFrom(time)
                        .withCreatedBefore(time.plusMillis(1))
                        .createdFrom())
                .isEqualTo(time);
    }

    @Test
    void searchWhenTermIsForgedThenKeyDoesNotMatch() {
        String named = search.issue(request -> request.name("CI key").scopes("a"));
        String other = search.issue(request -> request.name("other").scopes("b"));
        fixture.jdbc()
                .sql("INSERT INTO _credential_api_key_terms (namespace, term, created_at, id)"
                        + " SELECT namespace, term, created_at, CAST(:other AS TEXT) FROM _credential_api_key_terms"
                        + " WHERE namespace = :namespace AND id = :named")
                .param("other", other)
                .param("namespace", fixture.namespace)
                .param("named", named)
                .update();

        assertThat(search.search(all -> all.withNamePrefix("ci "))).containsExactly(named);
        assertThat(search.search(all -> all.withScope("a"))).containsExactly(named);
    }

    @Test
    void searchWhenSwitchedOffThenNamesTheProperty() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> search.off.registry.search(KeySearch.all().withNamePrefix("secret")))
                .returns("api-key/bad-opt", ApiKeyException::code)
                .withMessageContaining("credential.api-keys.search.names")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> search.off.registry.search(KeySearch.all().withScope("secret")))
                .returns("api-key/bad-opt", ApiKeyException::code)
                .withMessageContaining("credential.api-keys.search.scopes");
    }

    @Test
    void criteriaWhenOutOfRangeThenRefused() {
        KeySearch all = KeySearch.all();
        assertCode("api-key/missing-owner", () -> all.withOwnerId(" "));
        assertCode("api-key/bad-opt", () -> all.withNamePrefix("ab"));
        assertCode("api-key/bad-opt", () -> all.withNamePrefix("\uD83D\uDD11\uD83D\uDD11"));
        assertCode("api-key/bad-opt", () -> all.withNamePrefix("a".repeat(129)));
        assertCode("api-key/bad-scopes", () -> all.withScope("a b"));
        assertCode("api-key/bad-opt", () -> all.withLimit(0));
        assertCode("api-key/bad-opt", () -> all.withLimit(1001));
        assertCode("api-key/bad-opt", () -> all.withCreatedFrom(Instant.MAX));
        assertCode("api-key/bad-opt", () -> all.withCreatedBefore(Instant.MAX));
        assertCode("api-key/bad-opt", () -> all.withLastUsedFrom(Instant.MIN));
        assertCode("api-key/bad-opt", () -> all.withLastUsedBefore(Instant.MIN));
    }

    @Test
    void toStringThenNoSealedValue() {
        assertThat(KeySearch.all()
                        .withOwnerId("user-42")
                        .withNamePrefix("secret")
                        .withScope("orders")
                        .toString())
                .doesNotContain("user-42", "secret", "orders");
    }

    private static void assertCode(String code, ThrowingCallable call) {
        assertThatExceptionOfType(ApiKeyException.class).isThrownBy(call).returns(code, ApiKeyException::code);
    }
}
