package io.credential.apikey.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeyImport;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Keys that were neither used nor issued, imported or enabled for 30 days are disabled. */
@BothDatabases
class IdleKeyTests {

    private static final Duration IDLE = Duration.ofDays(30);

    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;

    IdleKeyTests(TestDatabase database) {
        this.fixture = new RegistryFixture(
                database,
                options -> options.withDisableAfterIdle(IDLE)
                        .withImportedTokens(ForeignTokenForm.byHash("sk_.+", ForeignHashAlgorithm.SHA256)));
        this.registry = fixture.registry;
    }

    /** Returns the ids of the keys that one round disables. */
    private List<String> disableIdle() {
        List<String> ids = new ArrayList<>();
        fixture.registries.disableIdle(key -> () -> ids.add(key.id()));
        return ids;
    }

    @Test
    void disableIdleWhenNeverUsedThenDisabledAfterThatTime() {
        IssuedApiKey key = fixture.issue();
        fixture.clock.advance(IDLE);
        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(disableIdle()).containsExactly(key.id());

        assertThat(registry.verify(key.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.disable success", "apikey.verify failure disabled");
        assertThat(disableIdle()).isEmpty();
    }

    @Test
    void disableIdleThenAuditNamesTheCause() {
        String id = issueIdle();

        disableIdle();

        assertThat(fixture.audit).last().satisfies(event -> {
            assertThat(event.actor()).isEqualTo("system:disable-after-idle");
            assertThat(event.resourceId()).isEqualTo(id);
            assertThat(event.attributes()).isEqualTo(Map.of("effective", true, "cause", "idle", "version", 2L));
        });
    }

    @Test
    void disableIdleWhenUsedThenCountsFromTheLastUse() {
        IssuedApiKey key = fixture.issue();
        fixture.clock.advance(IDLE);
        registry.verify(key.key());
        fixture.registries.flushLastUsed();
        fixture.clock.advance(IDLE);

        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(disableIdle()).containsExactly(key.id());
    }

    @Test
    void disableIdleWhenUseIsNotWrittenYetThenKept() {
        IssuedApiKey key = fixture.issue();
        fixture.clock.advance(IDLE.plusMillis(1));
        registry.verify(key.key());

        assertThat(disableIdle()).isEmpty();
    }

    /** While one key is disabled, another node writes that the second was used. */
    @Test
    void disableIdleWhenUsedMeanwhileThenKept() {
        issueIdle();
        issueIdle();
        List<String> ids = new ArrayList<>();

        fixture.registries.disableIdle(key -> () -> {
            ids.add(key.id());
            fixture.jdbc()
                    .sql("UPDATE _credential_api_keys SET last_used_at = :now WHERE namespace = :namespace")
                    .param("now", fixture.clock.millis())
                    .param("namespace", fixture.namespace)
                    .update();
        });

        assertThat(ids).hasSize(1);
        assertThat(registry.listForOwner("user-42"))
                .filteredOn(key -> key.disabledAt() == null)
                .hasSize(1);
    }

    @Test
    void disableIdleWhenRevokedMeanwhileThenUnchanged() {
        issueIdle();
        issueIdle();
        List<String> ids = new ArrayList<>();

        fixture.registries.disableIdle(key -> () -> {
            ids.add(key.id());
            registry.revokeAllForOwner("user-42");
        });

        assertThat(ids).hasSize(1);
    }

    @Test
    void disableIdleWhenEnabledThenCountsFromThen() {
        String id = issueIdle();
        disableIdle();
        registry.enable(id);
        fixture.clock.advance(IDLE);

        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(disableIdle()).containsExactly(id);
    }

    @Test
    void disableIdleWhenRotatedThenCountsFromThen() {
        String id = issueIdle();
        registry.rotate(id, Rotation.graceful());

        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(IDLE.plusMillis(1));
        assertThat(disableIdle()).containsExactly(id);
    }

    @Test
    void disableIdleWhenEnabledAndUpdatedThenStillKept() {
        String id = issueIdle();
        disableIdle();
        registry.enable(id);
        registry.update(id, ApiKeyChanges.none().name("laptop"));

        assertThat(disableIdle()).isEmpty();
    }

    @Test
    void enableThenOtherContentsStay() {
        String id = registry.issue(
                        IssueRequest.forOwner("user-42").name("laptop").scopes("read:orders"))
                .id();
        ApiKey before = registry.getById(id).orElseThrow();
        registry.disable(id);

        registry.enable(id);

        assertThat(registry.getById(id)).contains(before);
    }

    /** Earlier versions reject a key whose details tell when it was enabled. */
    @Test
    void enableWhenIdleKeysStayThenDetailsAreUnchanged() {
        RegistryFixture keeping = fixture.reopened(fixture.keyring, options -> options, builder -> builder);
        String id = keeping.issue().id();
        String details = keeping.stored(id, "details");
        keeping.registry.disable(id);

        keeping.registry.enable(id);

        assertThat(keeping.stored(id, "details")).isEqualTo(details);
    }

    @Test
    void disableIdleWhenImportedThenCountsFromTheImport() {
        KeyImport old = KeyImport.of(
                        IssueRequest.forOwner("user-42"), ForeignHash.of(ForeignHashAlgorithm.SHA256, "0".repeat(64)))
                .createdAt(fixture.clock.instant().minus(IDLE.multipliedBy(10)))
                .lastUsedAt(fixture.clock.instant().minus(IDLE.multipliedBy(5)));
        registry.importKeys(List.of(old).iterator(), ImportOptions.defaults());
        fixture.clock.advance(IDLE);

        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(disableIdle()).hasSize(1);
    }

    @Test
    void disableIdleWhenAlreadyRejectedThenUnchanged() {
        registry.revoke(fixture.issue().id());
        registry.disable(fixture.issue().id());
        registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plus(IDLE)));
        fixture.clock.advance(IDLE.plusMillis(1));

        assertThat(disableIdle()).isEmpty();
    }

    @Test
    void disableIdleWhenListenerFailsThenKeyStaysEnabled() {
        String id = issueIdle();

        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.registries.disableIdle(key -> () -> {
                    throw new IllegalStateException("not told");
                }));

        assertThat(registry.getById(id).orElseThrow().disabledAt()).isNull();
        assertThat(disableIdle()).containsExactly(id);
    }

    /** What the application does for the key then, takes place outside the transaction. */
    @Test
    void disableIdleThenPreparedBeforeTheTransaction() {
        issueIdle();

        fixture.registries.disableIdle(key -> {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isFalse();
            return () -> assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
        });

        assertThat(registry.listForOwner("user-42"))
                .extracting(ApiKey::disabledAt)
                .containsExactly(fixture.clock.instant());
    }

    @Test
    void disableIdleWhenRowIsForgedThenOthersFollow() {
        String forged = fixture.issue().id();
        fixture.tamper(forged, "prefix = 'other'");
        String idle = issueIdle();

        assertThat(disableIdle()).containsExactly(idle);
        assertThat(fixture.stored(forged, "disabled_at")).isNull();
        assertThat(fixture.trail()).contains("apikey.list failure integrity");
    }

    @Test
    void disableIdleWhenKeyIsMissingThenOthersFollow() {
        String lost = fixture.issue().id();
        String keyId = "." + fixture.keyring.activeKeyId() + ".";
        fixture.tamper(lost, "row_mac = replace(row_mac, '" + keyId + "', '.lost.')");
        String idle = issueIdle();
        List<String> ids = new ArrayList<>();

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> fixture.registries.disableIdle(key -> () -> ids.add(key.id())))
                .returns("api-key/unavailable", ApiKeyException::code);

        assertThat(ids).containsExactly(idle);
    }

    /** The last use is not authenticated; when the key was issued is. */
    @Test
    void disableIdleWhenLastUseIsForgedThenNotTooEarly() {
        IssuedApiKey used = fixture.issue();
        IssuedApiKey unused = fixture.issue();
        fixture.tamper(used.id(), "last_used_at = 1");
        fixture.tamper(unused.id(), "last_used_at = " + Long.MAX_VALUE);
        assertThat(disableIdle()).isEmpty();
        fixture.clock.advance(IDLE.plusMillis(1));

        assertThat(disableIdle()).containsExactly(used.id());
    }

    /** So that operators can stop what a wrong setting would disable. */
    @Test
    void disableIdleWhenManyThenAThousandInARound() {
        IntStream.range(0, 1001).forEach(i -> fixture.issue());
        fixture.clock.advance(IDLE.plusMillis(1));

        assertThat(disableIdle()).hasSize(1000);
        assertThat(disableIdle()).hasSize(1);
    }

    @Test
    void disableIdleWhenNotConfiguredThenKept() {
        RegistryFixture keeping = fixture.reopened(fixture.keyring, options -> options, builder -> builder);
        keeping.issue();
        keeping.clock.advance(IDLE.multipliedBy(100));

        keeping.registries.disableIdle(key -> () -> {
            throw new AssertionError("disabled " + key.id());
        });
    }

    private String issueIdle() {
        String id = fixture.issue().id();
        fixture.clock.advance(IDLE.plusMillis(1));
        return id;
    }
}
