package io.credential.apikey;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** All keys of an owner are revoked, or removed, at once. */
@BothDatabases
class OwnerKeyTests {

    private static final IssueRequest OTHER = IssueRequest.forOwner("user-43");

    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;
    private final RecordedStatements recording;
    private final TransactionTemplate callers;

    OwnerKeyTests(TestDatabase database) {
        database.migrate(JdbcApiKeyRegistries.SCHEMA.and(JdbcUsageStore.SCHEMA));
        this.recording = new RecordedStatements(database.dataSource());
        this.fixture = RegistryFixture.with(
                CredentialDatabase.of(recording),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.countUsage(true));
        this.registry = fixture.registry;
        this.callers = new TransactionTemplate(new JdbcTransactionManager(recording));
    }

    @Test
    void revokeAllForOwnerThenOnlyTheOwnersKeysStop() {
        List<IssuedApiKey> keys = List.of(fixture.issue(), fixture.issue());
        IssuedApiKey other = registry.issue(OTHER);

        assertThat(registry.revokeAllForOwner("user-42")).isEqualTo(2);

        assertThat(keys)
                .allSatisfy(key -> assertThat(registry.verify(key.key())).isEmpty());
        assertThat(registry.verify(other.key())).isPresent();
        assertThat(registry.revokeAllForOwner("user-42")).isZero();
    }

    @Test
    void revokeAllForOwnerThenAnyStateIsRevoked() {
        String disabled = fixture.issue().id();
        registry.disable(disabled);
        String expired = registry.issue(IssueRequest.forOwner("user-42")
                        .expiresAt(fixture.clock.instant().plusMillis(1)))
                .id();
        fixture.clock.advance(Duration.ofMillis(1));
        registry.revoke(fixture.issue().id());

        assertThat(registry.revokeAllForOwner("user-42")).isEqualTo(2);

        assertThat(List.of(disabled, expired))
                .allSatisfy(id -> assertThat(registry.getById(id).orElseThrow().revokedAt())
                        .isNotNull());
    }

    @Test
    void revokeAllForOwnerWhenDatabaseFailsThenSaysWhy() {
        fixture.issue();
        recording.refuse("SET prefix = ");

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.revokeAllForOwner("user-42"))
                .havingRootCause()
                .withMessage("refused");
    }

    /** If somebody changes a row to have it overlooked, and later puts it back, the audit log tells. */
    @Test
    void revokeAllForOwnerWhenRowIsForgedThenRevoked() {
        String id = fixture.issue().id();
        fixture.tamper(id, "revoked_at = 1");

        assertThat(registry.revokeAllForOwner("user-42")).isEqualTo(1);

        assertThat(fixture.stored(id, "revoked_at")).isEqualTo("" + fixture.clock.millis());
        assertThat(fixture.trail()).contains("apikey.revoke failure integrity", "apikey.revoke success");
    }

    @Test
    void revokeAllForOwnerWhenManyThenAuditedInBatches() {
        List<String> ids =
                IntStream.range(0, 101).mapToObj(i -> fixture.issue().id()).toList();

        assertThat(registry.revokeAllForOwner("user-42")).isEqualTo(101);

        assertThat(counts("apikey.revoke-all")).containsExactly(100, 1);
        assertThat(audited("apikey.revoke-all")).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(fixture.audit)
                .filteredOn(event -> event.name().equals("apikey.revoke"))
                .hasSize(101)
                .allSatisfy(
                        event -> assertThat(event.attributes()).isEqualTo(Map.of("effective", true, "version", 2L)));
    }

    @Test
    void revokeAllForOwnerWhenRolledBackThenAllStayValid() {
        IssuedApiKey key = fixture.issue();

        callers.executeWithoutResult(status -> {
            assertThat(registry.revokeAllForOwner("user-42")).isEqualTo(1);
            status.setRollbackOnly();
        });

        assertThat(registry.verify(key.key())).isPresent();
        assertThat(fixture.trail()).doesNotContain("apikey.revoke-all success");
    }

    /** Rows that were not resealed yet have the hash of an earlier index key. */
    @Test
    void ownerWhenIndexKeyIsReplacedThenAllAreFound() {
        SecretBytes sealing = key();
        SecretBytes first = key();
        SecretBytes second = key();
        RegistryFixture before = RegistryFixture.with(
                fixture.database, Keyring.of("k1", Map.of("k1", sealing), "i1", Map.of("i1", first)));
        before.issue();
        RegistryFixture during = before.reopened(
                Keyring.of("k1", Map.of("k1", sealing), "i2", Map.of("i1", first, "i2", second)), o -> o, b -> b);
        during.issue();

        assertThat(during.registry.revokeAllForOwner("user-42")).isEqualTo(2);
        assertThat(during.registry.eraseAllForOwner("user-42")).isEqualTo(2);
    }

    @Test
    void eraseOwnerThenOnlyTheOwnersTokensAreUnknown() {
        IssuedApiKey active = fixture.issue();
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        IssuedApiKey forged = fixture.issue();
        fixture.tamper(forged.id(), "expires_at = 1");
        IssuedApiKey other = registry.issue(OTHER);

        assertThat(registry.eraseAllForOwner("user-42")).isEqualTo(3);

        assertThat(registry.verify(active.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure unknown");
        assertThat(registry.list(ListOptions.defaults().withRevoked().withExpired())
                        .keys())
                .extracting(ApiKey::id)
                .containsExactly(other.id());
        assertThat(registry.eraseAllForOwner("user-42")).isZero();
    }

    @Test
    void eraseOwnerThenUsageAndTicketsAreRemoved() {
        LocalDate today = LocalDate.ofInstant(fixture.clock.instant(), ZoneOffset.UTC);
        IssuedApiKey key = fixture.issue();
        IssuedApiKey other = registry.issue(OTHER);
        for (IssuedApiKey used : List.of(key, other)) {
            registry.ticket(registry.verify(used.key()).orElseThrow(), Duration.ofMinutes(5));
        }
        fixture.registries.flushUsage();

        registry.eraseAllForOwner("user-42");

        assertThat(registry.usage(key.id(), today, today)).isEmpty();
        assertThat(registry.usage(other.id(), today, today)).hasSize(1);
        assertThat(fixture.jdbc()
                        .sql("SELECT key_id FROM _credential_api_key_tickets WHERE namespace = :namespace")
                        .param("namespace", fixture.namespace)
                        .query(String.class)
                        .list())
                .containsExactly(other.id());
    }

    @Test
    void eraseOwnerWhenManyThenAuditedInBatches() {
        List<String> ids =
                IntStream.range(0, 101).mapToObj(i -> fixture.issue().id()).toList();

        assertThat(registry.eraseAllForOwner("user-42")).isEqualTo(101);

        assertThat(counts("apikey.erase")).containsExactly(100, 1);
        assertThat(audited("apikey.erase")).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void eraseOwnerWhenRolledBackThenAllStayValid() {
        IssuedApiKey key = fixture.issue();

        callers.executeWithoutResult(status -> {
            assertThat(registry.eraseAllForOwner("user-42")).isEqualTo(1);
            status.setRollbackOnly();
        });

        assertThat(registry.verify(key.key())).isPresent();
    }

    private static SecretBytes key() {
        byte[] bytes = new byte[32];
        RegistryFixture.RANDOM.nextBytes(bytes);
        return SecretBytes.copyOf(bytes);
    }

    private List<Object> counts(String event) {
        return fixture.audit.stream()
                .filter(audited -> audited.name().equals(event))
                .map(audited -> audited.attributes().get("count"))
                .toList();
    }

    private List<Object> audited(String event) {
        return fixture.audit.stream()
                .filter(audited -> audited.name().equals(event))
                .<Object>flatMap(audited -> ((Collection<?>)
                                Objects.requireNonNull(audited.attributes().get("ids")))
                        .stream())
                .toList();
    }
}
