package io.credential.auditlog;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.apikey.ListOptions;
import io.credential.apikey.Rotation;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.seal.Keyring;
import io.credential.seal.RowMac;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** An older version of a row is authentic, but contradicts the log. */
@BothDatabases
class ChangeVerificationTests {

    private static final String COPY = "CREATE TABLE older AS SELECT * FROM _credential_api_keys";

    private static final RowMac MACS = new RowMac(LogFixture.KEYRING);

    private final LogFixture fixture;
    private final ChainWriter node;
    private final ApiKeyRegistry registry;
    private final IssuedApiKey key;

    ChangeVerificationTests(TestDatabase test) {
        this.fixture = new LogFixture(test.database());
        this.node = fixture.node();
        fixture.change("DROP TABLE IF EXISTS older");
        this.registry = registry(event -> node.append(List.of(event)), LogFixture.KEYRING);
        this.key = issued();
    }

    private ApiKeyRegistry registry(AuditSink sink, Keyring keyring) {
        return JdbcApiKeyRegistries.builder(fixture.database, keyring)
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .clock(fixture.clock)
                .auditSink(sink)
                .build()
                .get("live");
    }

    private IssuedApiKey issued() {
        return registry.issue(IssueRequest.forOwner("owner").scopes("read"));
    }

    private AuditVerification verify() {
        return verify(LogFixture.KEYRING);
    }

    private AuditVerification verify(Keyring keyring) {
        return fixture.log(keyring, JdbcApiKeyRegistries.versions(fixture.database, keyring, LogFixture.RANDOM))
                .verify();
    }

    private void putOlderRowBack() {
        fixture.change("DELETE FROM _credential_api_keys");
        fixture.change("INSERT INTO _credential_api_keys SELECT * FROM older");
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
        fixture.change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();
        assertThat(registry.verify(key.key())).as("the row is authentic").isPresent();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRestoredRowIsChangedThenStillFindsKey() {
        fixture.change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();
        registry.update(key.id(), ApiKeyChanges.none().name("other"));
        registry.update(key.id(), ApiKeyChanges.none().name("again"));

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenPurgedKeyIsPutBackThenFindsIt() {
        fixture.change(COPY);
        registry.revoke(key.id());
        fixture.change("DELETE FROM _credential_api_keys");
        assertThat(verify().findings()).as("as after a purge").isEmpty();
        putOlderRowBack();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRowIsFromBeforeResealThenStillFindsKey() {
        fixture.change(COPY);
        registry.revoke(key.id());
        ApiKeyRegistry rotated = registry(AuditSink.none(), LogFixture.ROTATED);
        rotated.resealSealedColumns();
        assertThat(verify(LogFixture.ROTATED).findings()).isEmpty();
        putOlderRowBack();

        assertThat(verify(LogFixture.ROTATED).findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenLatestChangeHasNoEntryThenUnrecorded() {
        registry(AuditSink.none(), LogFixture.KEYRING).disable(key.id());

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 2, key.id()));
    }

    @Test
    void verifyWhenEarlierChangeHasNoEntryThenUnrecorded() {
        registry(AuditSink.none(), LogFixture.KEYRING).disable(key.id());
        registry.enable(key.id());

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 3, key.id()));
    }

    @Test
    void verifyWhenKeyIsOlderThanTheLogThenIntact() {
        registry.disable(key.id());
        fixture.change("DELETE FROM _credential_audit_log");
        ChainWriter later = fixture.node();
        registry(event -> later.append(List.of(event)), LogFixture.KEYRING).enable(key.id());

        assertThat(verify().findings()).isEmpty();
    }

    @Test
    void verifyWhenKeysAreRecordedInNewLogThenFindsEach() {
        IssuedApiKey revoked = issued();
        IssuedApiKey expired = issued();
        fixture.change(COPY);
        registry.update(key.id(), ApiKeyChanges.none().scopes("less"));
        registry.revoke(revoked.id());
        registry.update(
                expired.id(),
                ApiKeyChanges.none().expiresAt(fixture.clock.instant().plusSeconds(1)));
        fixture.clock.advance(Duration.ofSeconds(2));
        fixture.change("DELETE FROM _credential_audit_log");
        ChainWriter later = fixture.node();
        record(registry(event -> later.append(List.of(event)), LogFixture.KEYRING));
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
            boolean expired = expiresAt != null && expiresAt.isBefore(fixture.clock.instant());
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
        fixture.change("""
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
        fixture.change(COPY);
        registry.revoke(key.id());
        putOlderRowBack();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    /** The row is broken first, so that its revocation cannot know its version. */
    @Test
    void verifyWhenRowWasBrokenAndRevokedThenFindsItsReturn() {
        fixture.change(COPY);
        fixture.change("UPDATE _credential_api_keys SET row_mac = 'm1.k1.00'");
        registry.revoke(key.id());
        registry.revoke(key.id());
        assertThat(verify().findings()).as("as long as it is broken").isEmpty();
        putOlderRowBack();
        assertThat(registry.verify(key.key())).as("the row is authentic").isPresent();

        assertThat(verify().findings()).singleElement().satisfies(this::isRestoration);
    }

    @Test
    void verifyWhenRowIsNotAuthenticThenFindsKey() {
        fixture.change("UPDATE _credential_api_keys SET revoked_at = 1");

        assertThat(verify().findings()).containsExactly(new AuditFinding(Kind.ALTERED, 1, 2, key.id()));
    }

    /** The entry of the revocation is hidden from the second half of the verification only. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM _credential_audit_log WHERE name = 'apikey.revoke'",
                "UPDATE _credential_audit_log SET resource_version = null WHERE name = 'apikey.revoke'",
                "UPDATE _credential_audit_log SET resource_id = null WHERE name = 'apikey.revoke'",
            })
    void verifyWhenEntryIsHiddenMeanwhileThenMissing(String hide) {
        registry.revoke(key.id());
        IssuedApiKey last = issued();
        registry.disable(last.id());
        VerifiedChains chains = new VerifiedChains(MACS);
        EntryStore store = new EntryStore(fixture.database);
        store.page(1, 0, 9, 9).forEach(entry -> chains.add(entry, true));
        fixture.change(hide);
        LogVerification.Findings findings = new LogVerification.Findings();
        new ChangeVerification(store, MACS, ids -> Map.of(), findings, chains).run();

        assertThat(findings.all()).contains(new AuditFinding(Kind.MISSING, 1, 0, null));
    }

    @Test
    void versionsWhenRowIsForgedThenZero() {
        fixture.change("UPDATE _credential_api_keys SET version = 9");

        assertThat(JdbcApiKeyRegistries.versions(fixture.database, LogFixture.KEYRING, LogFixture.RANDOM)
                        .apply(List.of(key.id())))
                .isEqualTo(Map.of(key.id(), 0L));
    }

    private void isRestoration(AuditFinding finding) {
        assertThat(finding.kind()).isEqualTo(Kind.RESTORED);
        assertThat(finding.resourceId()).isEqualTo(key.id());
    }
}
