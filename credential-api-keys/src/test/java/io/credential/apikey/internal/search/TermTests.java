package io.credential.apikey.internal.search;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RegistryFixture;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The stored terms follow the keys, and a reseal corrects them. */
@BothDatabases
class TermTests {

    private static final IssueRequest REQUEST =
            IssueRequest.forOwner("user-42").name("CI key").scopes("a");

    private final SearchFixture search;
    private final ApiKeyRegistry registry;

    TermTests(TestDatabase test) {
        this.search = new SearchFixture(test);
        this.registry = search.registry;
    }

    @Test
    void issueWhenSwitchedOffThenNoTerms() {
        search.off.registry.issue(REQUEST);

        assertThat(terms()).isZero();
    }

    @Test
    void eraseThenTermsAreRemoved() {
        registry.issue(REQUEST);

        registry.eraseAllForOwner("user-42");

        assertThat(terms()).isZero();
    }

    @Test
    void importThenFound() {
        registry.importKeys(
                List.of(KeyImport.of(REQUEST, ForeignHash.of(ForeignHashAlgorithm.SHA256, "ab".repeat(32))))
                        .iterator(),
                ImportOptions.defaults());

        assertThat(search.search(all -> all.withNamePrefix("ci "))).hasSize(1);
        assertThat(search.search(all -> all.withScope("a"))).hasSize(1);
    }

    @Test
    void updateThenFoundByTheNewNameAndScopes() {
        String id = registry.issue(REQUEST).id();

        registry.update(id, ApiKeyChanges.none().name("build").scopes("b"));

        assertThat(search.search(all -> all.withNamePrefix("build"))).containsExactly(id);
        assertThat(search.search(all -> all.withScope("b"))).containsExactly(id);
        assertThat(terms()).as("bui, buil, build, and b").isEqualTo(4);
    }

    @Test
    void purgeThenTermsAreRemoved() {
        registry.revoke(registry.issue(REQUEST).id());
        String kept = search.issue(request -> request.scopes("b"));
        search.on.clock.advance(Duration.ofDays(91));

        assertThat(registry.purgeExpired()).isEqualTo(1);

        assertThat(terms()).isEqualTo(1);
        assertThat(search.search(all -> all.withScope("b"))).containsExactly(kept);
    }

    @Test
    void resealWhenSwitchedOnThenOlderKeysAreFound() {
        String old = search.off.registry.issue(REQUEST).id();
        assertThat(search.search(all -> all.withNamePrefix("ci "))).isEmpty();

        registry.resealSealedColumns();

        assertThat(search.on.audit)
                .filteredOn(event -> event.name().equals("apikey.reseal"))
                .singleElement()
                .satisfies(event -> assertThat(event.attributes()).containsEntry("termsCorrected", 1));
        assertThat(search.search(all -> all.withNamePrefix("ci "))).containsExactly(old);
        assertThat(search.search(all -> all.withScope("a"))).containsExactly(old);
    }

    @Test
    void resealWhenTermsWereMovedThenFoundAgain() {
        String id = registry.issue(REQUEST).id();
        search.on
                .jdbc()
                .sql("UPDATE _credential_api_key_terms SET created_at = 5 WHERE namespace = :namespace")
                .param("namespace", search.on.namespace)
                .update();
        assertThat(search.search(all -> all.withScope("a"))).isEmpty();

        registry.resealSealedColumns();

        assertThat(search.search(all -> all.withScope("a"))).containsExactly(id);
    }

    @Test
    void resealWhenKeysAreGoneThenTheirTermsAreRemoved() {
        registry.issue(REQUEST);
        search.on
                .jdbc()
                .sql("DELETE FROM _credential_api_keys WHERE namespace = :namespace")
                .param("namespace", search.on.namespace)
                .update();
        String kept = registry.issue(REQUEST).id();

        registry.resealSealedColumns();

        assertThat(search.search(all -> all.withScope("a"))).containsExactly(kept);
        assertThat(terms()).as("CI , CI k, CI ke, CI key, and a").isEqualTo(5);
    }

    @Test
    void resealWhenTermsAreRightThenNotWritten() {
        registry.issue(REQUEST);

        registry.resealSealedColumns();

        assertThat(search.on.audit)
                .filteredOn(event -> event.name().equals("apikey.reseal"))
                .singleElement()
                .satisfies(event -> assertThat(event.attributes()).containsEntry("termsCorrected", 0));
    }

    @Test
    void resealWhenSwitchedOffThenTermsAreRemoved() {
        registry.issue(REQUEST);

        search.off.registry.resealSealedColumns();

        assertThat(terms()).isZero();
    }

    @Test
    void resealWhenIndexKeyIsNewThenTermsMoveToIt() {
        SecretBytes newIndex = SecretBytes.random(32, RegistryFixture.RANDOM);
        RegistryFixture moving =
                search.reopened(Keyring.of("k1", search.sealKeys, "i2", Map.of("i1", search.index, "i2", newIndex)));
        String first = registry.issue(REQUEST).id();
        moving.clock.advance(Duration.ofDays(1));
        String second = moving.registry.issue(REQUEST).id();
        assertThat(found(moving)).as("under both").containsExactly(second, first);

        moving.registry.resealSealedColumns();

        assertThat(found(search.reopened(Keyring.of("k1", search.sealKeys, "i2", Map.of("i2", newIndex)))))
                .containsExactly(second, first);
    }

    private static List<String> found(RegistryFixture fixture) {
        return fixture.registry.search(KeySearch.all().withNamePrefix("ci ")).keys().stream()
                .map(ApiKey::id)
                .toList();
    }

    private int terms() {
        return search.on
                .jdbc()
                .sql("SELECT count(*) FROM _credential_api_key_terms WHERE namespace = :namespace")
                .param("namespace", search.on.namespace)
                .query(Integer.class)
                .single();
    }
}
