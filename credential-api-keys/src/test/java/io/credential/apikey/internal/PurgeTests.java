package io.credential.apikey.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RegistryTestBase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@BothDatabases
class PurgeTests extends RegistryTestBase {

    private static final Duration PURGE_AFTER = Duration.ofDays(90);

    PurgeTests(TestDatabase database) {
        super(database);
    }

    @Test
    void purgeExpiredThenOnlyKeysOverThePurgeAgeAreRemoved() {
        IssuedApiKey active = fixture.issue();
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        IssuedApiKey expired = registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusMillis(1)));
        fixture.clock.advance(PURGE_AFTER);

        assertThat(registry.purgeExpired())
                .as("exactly the purge age is not longer")
                .isZero();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.purgeExpired()).as("the revoked one").isEqualTo(1);
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.purgeExpired()).as("the expired one").isEqualTo(1);

        assertThat(registry.getById(revoked.id())).isEmpty();
        assertThat(registry.getById(expired.id())).isEmpty();
        assertThat(registry.verify(active.key()))
                .as("an active key is never purged")
                .isPresent();
    }

    /** The page tells how to block a key without a node. */
    @Test
    void purgeExpiredWhenBlockedAsDocumentedThenRevocable() throws IOException {
        Matcher documented = Pattern.compile("`UPDATE _credential_api_keys SET (.+?) WHERE")
                .matcher(Files.readString(Path.of("../docs/api-keys.md")));
        assertThat(documented.find()).isTrue();
        IssuedApiKey leaked = fixture.issue();
        fixture.tamper(leaked.id(), documented.group(1));
        assertThat(registry.verify(leaked.key())).isEmpty();

        assertThat(registry.purgeExpired()).isZero();

        assertThat(registry.revoke(leaked.id())).isTrue();
    }

    @Test
    void purgeExpiredThenAuditNamesWhatWasRemoved() {
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        fixture.clock.advance(PURGE_AFTER.plusMillis(1));
        fixture.audit.clear();

        registry.purgeExpired();

        assertThat(fixture.audit).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.purge");
            assertThat(event.attributes().get("ids")).isEqualTo(List.of(revoked.id()));
        });
    }

    @Test
    void purgeExpiredWhenMoreThanOneBatchThenAllAreRemoved() {
        IntStream.range(0, 1001).forEach(i -> fixture.issue());
        fixture.jdbc()
                .sql("update _credential_api_keys set revoked_at = 1 where namespace = :namespace")
                .param("namespace", fixture.namespace)
                .update();

        assertThat(registry.purgeExpired()).isEqualTo(1001);
        assertThat(registry.purgeExpired()).isZero();
    }

    @Test
    void purgeExpiredWhenManyThenProgressIsLogged() {
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        fixture.clock.advance(PURGE_AFTER.plusMillis(1));
        fixture.jdbc()
                .sql("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
                        INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata,
                            secret_hash, created_at, revoked_at)
                        SELECT namespace, 'copy-' || i, prefix, owner_id_hash, owner_id, scopes, metadata, secret_hash,
                            created_at, revoked_at
                        FROM n, _credential_api_keys
                        WHERE namespace = :namespace AND id = :id""")
                .param("namespace", fixture.namespace)
                .param("id", revoked.id())
                .update();

        try (CapturedLog log = CapturedLog.of(KeyPurger.class)) {
            assertThat(registry.purgeExpired()).isEqualTo(10_000);

            assertThat(log.lines())
                    .filteredOn(line -> line.contains(fixture.namespace))
                    .containsExactly(
                            "Purging API keys in the namespace '" + fixture.namespace + "': 10000 rows removed so far");
        }
    }

    @Test
    void purgeExpiredWhenOnPostgresqlThenSelectsOnce() {
        assumeThat(database.kind()).isEqualTo(DatabaseKind.POSTGRESQL);

        List<String> plan = fixture.jdbc()
                .sql("EXPLAIN " + TestStores.of(fixture.database, fixture.namespace).purge)
                .param("namespace", fixture.namespace)
                .param("before", Long.MAX_VALUE)
                .param("limit", 100)
                .query((row, index) -> row.getString(1))
                .list();

        assertThat(plan)
                .anyMatch(line -> line.contains("InitPlan"))
                .noneMatch(line -> line.contains("Join") || line.contains("Nested Loop"));
    }

    @Test
    void purgeExpiredWhenRowFailsItsMacThenStillRemoved() {
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        fixture.tamper(revoked.id(), "row_mac = null");
        fixture.clock.advance(PURGE_AFTER.plusMillis(1));

        assertThat(registry.purgeExpired()).isEqualTo(1);
    }

    @Test
    void purgeExpiredThenAnotherNamespaceIsLeftAlone() {
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        RegistryFixture other = new RegistryFixture(database);
        other.clock.advance(PURGE_AFTER.multipliedBy(2));

        assertThat(other.registry.purgeExpired()).isZero();
        assertThat(registry.getById(revoked.id())).isPresent();
    }
}
