package io.credential.apikey.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RegistryTestBase;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.seal.internal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys that expire soon, and old secrets that are still used, are passed on to those who report them. */
@BothDatabases
class ExpiringKeyTests extends RegistryTestBase {

    private static final Duration WEEK = Duration.ofDays(7);

    ExpiringKeyTests(TestDatabase database) {
        super(database);
    }

    @Test
    void forEachExpiringThenInOrderOfExpiry() {
        issue(WEEK.plusMillis(1));
        String last = issue(WEEK);
        String first = issue(Duration.ofMillis(1));
        String middle = issue(Duration.ofDays(3));
        fixture.issue();

        assertThat(expiring()).containsExactly(first, middle, last);
    }

    @Test
    void forEachExpiringThenOnlyAcceptedKeys() {
        String revoked = issue(Duration.ofDays(1));
        String disabled = issue(Duration.ofDays(1));
        issue(Duration.ofHours(1));
        String active = issue(Duration.ofDays(1));
        registry.revoke(revoked);
        registry.disable(disabled);
        fixture.clock.advance(Duration.ofHours(1)); // one has just expired

        assertThat(expiring()).containsExactly(active);
    }

    @Test
    void forEachExpiringWhenRowIsForgedThenLeftOut() {
        String forged = issue(WEEK.multipliedBy(2));
        String active = issue(Duration.ofDays(1));
        fixture.tamper(forged, "expires_at = " + (fixture.clock.millis() + 1000));

        assertThat(expiring()).containsExactly(active);
        assertThat(fixture.trail()).contains("apikey.list failure integrity");
    }

    @Test
    void forEachExpiringWhenRowStaysForgedThenAuditedOnce() {
        String forged = issue(WEEK.multipliedBy(2));
        fixture.tamper(forged, "expires_at = " + (fixture.clock.millis() + 1000));

        assertThat(expiring()).isEmpty();
        assertThat(expiring()).isEmpty();

        assertThat(fixture.trail()).containsOnlyOnce("apikey.list failure integrity");
    }

    @Test
    void forEachExpiringWhenKeyIsMissingThenOthersFollow() {
        String second = RegistryFixture.newNamespace();
        RegistryFixture both = fixture.reopened(
                fixture.keyring,
                options -> options,
                builder -> builder.registry(ApiKeyRegistryOptions.forNamespace(second)));
        String lost = issue(Duration.ofDays(1));
        String sameRegistry = issue(Duration.ofDays(2));
        String otherRegistry = issue(both.registries.get(second), Duration.ofDays(1));
        String keyId = "." + fixture.keyring.activeKeyId() + ".";
        fixture.tamper(lost, "row_mac = replace(row_mac, '" + keyId + "', '.lost.')");
        List<String> ids = new ArrayList<>();

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> both.registries.forEachExpiring(WEEK, page -> page.forEach(key -> ids.add(key.id()))))
                .returns("api-key/unavailable", ApiKeyException::code);

        assertThat(ids).containsExactly(sameRegistry, otherRegistry);
    }

    @Test
    void forEachExpiringWhenManyExpireAtOnceThenEachOnce() {
        IntStream.range(0, 250).forEach(i -> issue(Duration.ofDays(1)));
        List<Integer> pages = new ArrayList<>();

        fixture.registries.forEachExpiring(WEEK, page -> pages.add(page.size()));

        assertThat(pages).containsExactly(100, 100, 50);
        assertThat(expiring()).hasSize(250).doesNotHaveDuplicates();
    }

    @Test
    void forEachExpiringThenReadsAnIndexInItsOrder() {
        boolean postgresql = database.kind() == DatabaseKind.POSTGRESQL;
        List<String> plan = fixture.database.inTransaction(() -> {
            if (postgresql) {
                fixture.jdbc().sql("SET LOCAL enable_seqscan = off").update(); // the table is small
            }
            return fixture.jdbc()
                    .sql((postgresql ? "EXPLAIN " : "EXPLAIN QUERY PLAN ") + JdbcKeyPages.EXPIRING)
                    .param("namespace", fixture.namespace)
                    .param("afterExpiresAt", 1L)
                    .param("afterId", "")
                    .param("until", 2L)
                    .param("limit", 100)
                    .query((row, index) -> row.getString(postgresql ? 1 : 4))
                    .list();
        });

        assertThat(plan)
                .anyMatch(line -> line.contains("_credential_api_keys_expiring"))
                .noneMatch(line -> line.contains("Sort") || line.contains("TEMP B-TREE"));
    }

    @Test
    void verifyWhenOldSecretIsUsedThenPassedOn() {
        List<ApiKey> uses = new ArrayList<>();
        RegistryFixture listening = RegistryFixture.with(
                fixture.database,
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.oldSecretUses(uses::add));
        IssuedApiKey issued = listening.issue();
        RotatedApiKey rotated = listening.registry.rotate(issued.id(), Rotation.graceful());

        listening.registry.verify(rotated.key());
        assertThat(uses).isEmpty();
        listening.registry.verify(issued.key());

        assertThat(uses).singleElement().satisfies(key -> {
            assertThat(key.id()).isEqualTo(issued.id());
            assertThat(key.secondaryExpiresAt()).isEqualTo(rotated.secondaryExpiresAt());
        });
    }

    private String issue(Duration lifetime) {
        return issue(registry, lifetime);
    }

    private String issue(ApiKeyRegistry issuing, Duration lifetime) {
        Instant expiresAt = fixture.clock.instant().plus(lifetime);
        return issuing.issue(IssueRequest.forOwner("user-42").expiresAt(expiresAt))
                .id();
    }

    private List<String> expiring() {
        List<String> ids = new ArrayList<>();
        fixture.registries.forEachExpiring(WEEK, page -> page.forEach(key -> ids.add(key.id())));
        return ids;
    }
}
