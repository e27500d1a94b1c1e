package io.credential.apikey;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.LocalNotifications;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** With the cache, a change counts at once on the node that makes it, and on others when they are notified. */
@BothDatabases
class CacheTests {

    private static final CacheSettings SETTINGS = new CacheSettings(100, Duration.ofSeconds(30));

    private final LocalNotifications network = new LocalNotifications();
    private final LocalNotifications.Node notifications = network.node();
    private final RecordedStatements statements;
    private final RegistryFixture fixture;
    private final RegistryFixture second;
    private final ApiKeyRegistry registry;
    private final ApiKeyRegistry other;
    private final ApiKeyRegistry uncached;
    private final IssuedApiKey issued;

    CacheTests(TestDatabase database) {
        database.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.statements = new RecordedStatements(database.dataSource());
        Keyring keyring = Keyring.generate(RegistryFixture.RANDOM);
        this.fixture = RegistryFixture.with(
                CredentialDatabase.of(statements),
                keyring,
                builder -> builder.cache(SETTINGS).notifications(notifications));
        this.registry = fixture.registry;
        fixture.registries.start();
        this.second = fixture.reopened(
                keyring, options -> options, builder -> builder.cache(SETTINGS).notifications(network.node()));
        second.registries.start();
        this.other = second.registry;
        this.uncached = fixture.reopened(keyring, options -> options, builder -> builder.notifications(network.node()))
                .registry;
        this.issued = fixture.issue();
        assertThat(registry.verify(issued.key())).isPresent();
        assertThat(other.verify(issued.key())).isPresent();
        fixture.registries.flushLastUsed();
        second.registries.flushLastUsed();
        statements.clear();
    }

    @AfterEach
    void stop() {
        fixture.registries.close();
        second.registries.close();
    }

    @Test
    void verifyWhenCachedThenRunsNoStatement() {
        assertThat(registry.verify(issued.key())).isPresent();

        assertThat(statements.statements()).isEmpty();
    }

    @Test
    void revokeThenRejectedOnEveryNode() {
        registry.revoke(issued.id());

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void revokeAllForOwnerThenRejectedOnEveryNode() {
        registry.revokeAllForOwner("user-42");

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void eraseOwnerThenRejectedOnEveryNode() {
        registry.eraseAllForOwner("user-42");

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void revokeOnNodeWithoutCacheThenRejectedOnEveryNode() {
        uncached.revoke(issued.id());

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void revokeWhenRowIsForgedThenRejectedOnEveryNode() {
        fixture.tamper(issued.id(), "expires_at = 99999999999999");

        registry.revoke(issued.id());

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void revokeWhenRepeatedThenInvalidatesCachesAgain() {
        assertThat(withoutNotifications().revoke(issued.id())).isTrue();
        assertThat(other.verify(issued.key())).as("cached").isPresent();

        assertThat(registry.revoke(issued.id())).isFalse();

        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void disableWhenRepeatedThenInvalidatesCachesAgain() {
        assertThat(withoutNotifications().disable(issued.id())).isTrue();
        assertThat(other.verify(issued.key())).as("cached").isPresent();

        assertThat(registry.disable(issued.id())).isFalse();

        assertThat(other.verify(issued.key())).isEmpty();
    }

    @Test
    void disableThenRejectedAndEnableThenAccepted() {
        registry.disable(issued.id());
        assertThat(other.verify(issued.key())).isEmpty();

        registry.enable(issued.id());

        assertThat(other.verify(issued.key())).isPresent();
    }

    @Test
    void rotateThenOnlyTheNewSecretIsAccepted() {
        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.immediate());

        assertThat(other.verify(issued.key())).isEmpty();
        assertThat(other.verify(rotated.key())).isPresent();
    }

    @Test
    void verifyWhenSecretDiffersFromCachedThenRowIsRead() {
        network.lose();
        RotatedApiKey rotated = other.rotate(issued.id(), Rotation.immediate());
        assertThat(registry.verify(issued.key())).isPresent(); // until its time to live ends

        assertThat(registry.verify(rotated.key())).isPresent();
        assertThat(registry.verify(issued.key())).isEmpty();
    }

    @Test
    void updateThenEveryNodeSeesIt() {
        registry.update(issued.id(), ApiKeyChanges.none().scopes("other"));

        assertThat(other.verify(issued.key()).orElseThrow().scopes()).containsExactly("other");
    }

    @Test
    void verifyWhenKeyExpiresWhileCachedThenRejected() {
        IssuedApiKey brief = registry.issue(IssueRequest.forOwner("user-42")
                .scopes("read:orders")
                .expiresAt(fixture.clock.instant().plusSeconds(10)));
        assertThat(registry.verify(brief.key())).isPresent();

        fixture.clock.advance(Duration.ofSeconds(10));

        assertThat(registry.verify(brief.key())).isEmpty();
    }

    @Test
    void verifyWhenWrongSecretThenRowIsReadAndRejected() {
        String wrong = issued.key().substring(0, issued.key().lastIndexOf('_') + 1) + "00".repeat(16);

        assertThat(registry.verify(wrong)).isEmpty();

        assertThat(statements.statements()).hasSize(1);
        assertThat(fixture.trail()).endsWith("apikey.verify failure bad-secret");
    }

    @Test
    void verifyInTransactionThenSeesItsChanges() {
        assertThatExceptionOfType(RollBack.class)
                .isThrownBy(() -> fixture.database.inTransaction(() -> {
                    RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.immediate());
                    assertThat(registry.verify(issued.key())).isEmpty();
                    assertThat(registry.verify(rotated.key())).isPresent();
                    throw new RollBack();
                }));
        assertThat(registry.verify(issued.key())).isPresent();
    }

    @Test
    void verifyInTransactionThenNotFromCache() {
        fixture.database.inTransaction(() -> registry.verify(issued.key()));

        assertThat(statements.statements()).anyMatch(sql -> sql.contains("SELECT prefix"));
    }

    @Test
    void verifyInTransactionThenNotCached() {
        IssuedApiKey fresh = fixture.issue();
        fixture.database.inTransaction(() -> registry.verify(fresh.key()));
        statements.clear();

        assertThat(registry.verify(fresh.key())).isPresent();

        assertThat(statements.statements()).hasSize(1);
    }

    @Test
    void notListeningThenEveryVerificationReads() {
        notifications.disconnect();

        assertThat(registry.verify(issued.key())).isPresent();
        assertThat(registry.verify(issued.key())).isPresent();

        assertThat(statements.statements()).hasSize(2);
    }

    private static final class RollBack extends RuntimeException {}

    /** A node whose changes are not notified to others. */
    private ApiKeyRegistry withoutNotifications() {
        return fixture.reopened(fixture.keyring, options -> options, builder -> builder).registry;
    }
}
