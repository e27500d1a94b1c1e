package io.credential.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.StoredApiKeys;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditFinding;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.auditlog.internal.OverflowPolicy;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** An older version of a row is authentic, but contradicts the audit log. */
@BothDatabases
class KeyVersionTests {

    private static final String COPY = "CREATE TABLE older AS SELECT * FROM _credential_api_keys";

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final SecretBytes FIRST = SecretBytes.random(32, RANDOM);
    private static final SecretBytes SECOND = SecretBytes.random(32, RANDOM);
    private static final SecretBytes INDEX = SecretBytes.random(32, RANDOM);

    /** A keyring, and a later one with a new active key. */
    private static final Keyring KEYRING = Keyring.of("k1", Map.of("k1", FIRST), INDEX);

    private static final Keyring ROTATED = Keyring.of("k2", Map.of("k1", FIRST, "k2", SECOND), INDEX);

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<JdbcAuditLog> nodes = new ArrayList<>();
    private final CredentialDatabase database;
    private final ApiKeyRegistry registry;
    private final IssuedApiKey key;

    KeyVersionTests(TestDatabase test) {
        test.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.database = test.migrate(JdbcAuditLog.SCHEMA);
        change("DELETE FROM _credential_audit_log");
        change("DELETE FROM _credential_api_keys");
        change("DROP TABLE IF EXISTS older");
        this.registry = registry(node(), KEYRING);
        this.key = issued();
    }

    @AfterEach
    void close() {
        nodes.forEach(JdbcAuditLog::close);
    }

    /** The sink of a node that has not written yet. */
    private AuditSink node() {
        JdbcAuditLog log = log(KEYRING);
        nodes.add(log);
        return log.sink();
    }

    private JdbcAuditLog log(Keyring keyring) {
        return new JdbcAuditLog(
                database,
                keyring,
                clock,
                RANDOM,
                OverflowPolicy.WAIT,
                true,
                StoredApiKeys.versions(database, keyring, RANDOM));
    }

    private ApiKeyRegistry registry(AuditSink sink, Keyring keyring) {
        return JdbcApiKeyRegistries.builder(database, keyring)
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .clock(clock)
                .auditSink(sink)
                .build()
                .get("live");
    }

    private void awaitEntries() {
        Patience.until(() -> nodes.stream().allMatch(log -> log.waitingEvents() == 0));
    }

    /** Runs a statement as somebody without the keyring. */
    private void change(String sql) {
        awaitEntries();
        database.jdbc().sql(sql).update();
    }

    private IssuedApiKey issued() {
        return registry.issue(IssueRequest.forOwner("owner").scopes("read"));
    }

    private AuditVerification verify() {
        return verify(KEYRING);
    }

    private AuditVerification verify(Keyring keyring) {
        awaitEntries();
        return log(keyring).verify();
    }

    private void putOlderRowBack() {
        change("DELETE FROM _credential_api_keys");
        change("INSERT INTO _credential_api_keys SELECT * FROM older");
    }

    @Test
    void verifyWhenKeysWereChangedInAllWaysThenIntact() {
        IssuedApiKey other = issued();
        registry.update(key.id(), ApiKeyChanges.none().name("other"));
        registry.disable(key.id());
        registry.disable(key.id());
        registry.enable(key.id());
        registry.rotate(key.id(), Rotation.graceful());
        registry.verify(key.key());
        registry.revoke(key.id());
        registry.revoke(key.id());
        registry.resealSealedColumns();
        registry.revoke(other.id());

        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verifyWhenOlderRowIsPutBackThenFindsKey() {
        change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();
        assertThat(registry.verify(key.key())).as("the row is authentic").isPresent();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRestoredRowIsChangedThenStillFindsKey() {
        change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();
        registry.update(key.id(), ApiKeyChanges.none().name("other"));
        registry.update(key.id(), ApiKeyChanges.none().name("again"));

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenPurgedKeyIsPutBackThenFindsIt() {
        change(COPY);
        registry.revoke(key.id());
        change("DELETE FROM _credential_api_keys");
        assertThat(verify().findings()).as("as after a purge").isEmpty();
        putOlderRowBack();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRowIsFromBeforeResealThenStillFindsKey() {
        change(COPY);
        registry.revoke(key.id());
        ApiKeyRegistry rotated = registry(AuditSink.none(), ROTATED);
        rotated.resealSealedColumns();
        assertThat(verify(ROTATED).findings()).isEmpty();
        putOlderRowBack();

        assertThat(verify(ROTATED).findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenLatestChangeHasNoEntryThenUnrecorded() {
        registry(AuditSink.none(), KEYRING).disable(key.id());

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 2, key.id()));
    }

    @Test
    void verifyWhenEarlierChangeHasNoEntryThenUnrecorded() {
        registry(AuditSink.none(), KEYRING).disable(key.id());
        registry.enable(key.id());

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 3, key.id()));
    }

    @Test
    void verifyWhenKeyIsOlderThanTheLogThenIntact() {
        registry.disable(key.id());
        change("DELETE FROM _credential_audit_log");
        AuditSink later = node();
        registry(later, KEYRING).enable(key.id());

        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verifyWhenKeysAreRecordedInNewLogThenFindsEach() {
        IssuedApiKey revoked = issued();
        IssuedApiKey expired = issued();
        change(COPY);
        registry.update(key.id(), ApiKeyChanges.none().scopes("less"));
        registry.revoke(revoked.id());
        registry.update(
                expired.id(), ApiKeyChanges.none().expiresAt(clock.instant().plusSeconds(1)));
        clock.advance(Duration.ofSeconds(2));
        change("DELETE FROM _credential_audit_log");
        AuditSink later = node();
        record(registry(later, KEYRING));
        assertThat(verify().findings()).isEmpty();
        putOlderRowBack();

        assertThat(verify().findings())
                .allSatisfy(finding -> assertThat(finding.kind()).isEqualTo(Kind.RESTORED))
                .extracting(AuditFinding::resourceId)
                .containsExactlyInAnyOrder(key.id(), revoked.id(), expired.id());
    }

    /** As the documentation does it, but in one page. */
    private void record(ApiKeyRegistry keys) {
        for (ApiKey key :
                keys.list(ListOptions.defaults().withRevoked().withExpired()).keys()) {
            Instant expiresAt = key.expiresAt();
            boolean expired = expiresAt != null && expiresAt.isBefore(clock.instant());
            if (expired || key.revokedAt() != null) {
                keys.revoke(key.id());
            } else {
                keys.update(key.id(), ApiKeyChanges.none());
            }
        }
    }

    /** Without the keyring, an entry cannot make a key look restored, or hide that it was. */
    @Test
    void verifyWhenEntryIsForgedThenNothingIsSaidOfKey() {
        change("""
                INSERT INTO _credential_audit_log (chain, seq, recorded_at, name, outcome, resource_kind, resource_id,
                    resource_version, attributes, digest, mac)
                SELECT chain, seq + 1, recorded_at, 'apikey.update', outcome, resource_kind, resource_id, 7, attributes, digest, mac
                FROM _credential_audit_log WHERE seq = 2""");

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.ALTERED, 1, 3, null));
    }

    @Test
    void verifyWhenManyKeysThenEachIsCompared() {
        for (int i = 0; i < 600; i++) {
            issued();
        }
        change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    /** The row is broken first, so that its revocation cannot know its version. */
    @Test
    void verifyWhenRowWasBrokenAndRevokedThenFindsItsReturn() {
        change(COPY);
        change("UPDATE _credential_api_keys SET row_mac = 'm1.k1.00'");
        registry.revoke(key.id());
        registry.revoke(key.id());
        assertThat(verify().findings()).as("as long as it is broken").isEmpty();
        putOlderRowBack();
        assertThat(registry.verify(key.key())).as("the row is authentic").isPresent();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRowIsNotAuthenticThenFindsKey() {
        change("UPDATE _credential_api_keys SET revoked_at = 1");

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.ALTERED, 1, 2, key.id()));
    }

    @Test
    void versionsWhenRowIsForgedThenZero() {
        change("UPDATE _credential_api_keys SET version = 9");

        assertThat(StoredApiKeys.versions(database, KEYRING, RANDOM).apply(List.of(key.id())))
                .isEqualTo(Map.of(key.id(), 0L));
    }

    private void isRestoration(AuditFinding finding) {
        assertThat(finding.kind()).isEqualTo(Kind.RESTORED);
        assertThat(finding.resourceId()).isEqualTo(key.id());
    }
}
