package io.credential.auditlog.internal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditFinding;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.seal.internal.RowMac;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The versions of resources are compared with the changes in the log. */
@BothDatabases
class ChangeVerificationTests {

    private static final RowMac MACS = new RowMac(LogFixture.KEYRING);

    private final LogFixture fixture;

    ChangeVerificationTests(TestDatabase test) {
        this.fixture = new LogFixture(test);
    }

    @Test
    void verifyWhenVersionsAreTheLatestThenIntact() {
        fixture.node().append(List.of(change("a", 1), change("b", 1), change("a", 2)));

        assertThat(findings(Map.of("a", 2L, "b", 1L))).isEmpty();
    }

    @Test
    void verifyWhenResourceIsGoneThenIntact() {
        fixture.node().append(List.of(change("a", 1), change("a", 2)));

        assertThat(findings(Map.of())).isEmpty();
    }

    @Test
    void verifyWhenInterruptedThenCancelled() {
        fixture.written(1);

        Thread.currentThread().interrupt();
        assertCancelled(ids -> Map.of());
    }

    /** After the first page of changes, their rows are read. */
    @Test
    void verifyWhenInterruptedAmongChangesThenCancelled() {
        fixture.node()
                .append(IntStream.range(0, 1500)
                        .mapToObj(i -> change("id-" + i, 1))
                        .toList());

        assertCancelled(ids -> {
            Thread.currentThread().interrupt();
            return Map.of();
        });
    }

    @Test
    void verifyWhenInterruptedWhileWaitingThenCancelled() {
        fixture.node().append(List.of(change("a", 1)));

        assertCancelled(ids -> {
            Thread.currentThread().interrupt();
            return Map.of("a", 2L);
        });
    }

    private void assertCancelled(Function<Collection<String>, Map<String, Long>> versions) {
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> fixture.log(LogFixture.KEYRING, versions).verify());
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void verifyWhenVersionIsOlderThenRestored() {
        fixture.node().append(List.of(change("a", 1), change("a", 2)));

        assertThat(findings(Map.of("a", 1L))).containsExactly(new AuditFinding(Kind.RESTORED, 1, 3, "a"));
    }

    @Test
    void verifyWhenVersionIsCreatedTwiceThenRestored() {
        fixture.node().append(List.of(change("a", 1), change("a", 2), change("a", 2)));

        assertThat(findings(Map.of("a", 2L))).containsExactly(new AuditFinding(Kind.RESTORED, 1, 4, "a"));
    }

    @Test
    void verifyWhenVersionHasNoEntryThenUnrecorded() {
        fixture.node().append(List.of(change("a", 1), change("a", 3)));

        assertThat(findings(Map.of("a", 3L))).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 3, "a"));
    }

    @Test
    void verifyWhenRowIsNewerThanLogThenUnrecorded() {
        fixture.node().append(List.of(change("a", 1), change("a", 2), change("b", 1)));

        assertThat(findings(Map.of("a", 3L, "b", 1L))).containsExactly(new AuditFinding(Kind.UNRECORDED, 1, 3, "a"));
    }

    @Test
    void verifyWhenUntrustedRowWasRevokedThenIntact() {
        fixture.node().append(List.of(change("a", 1), change("apikey.revoke", "a", AuditEvent.FINAL_VERSION)));

        assertThat(findings(Map.of("a", 0L))).isEmpty();
    }

    @Test
    void verifyWhenRowIsNotAuthenticThenAltered() {
        fixture.node().append(List.of(change("a", 1)));

        assertThat(findings(Map.of("a", 0L))).containsExactly(new AuditFinding(Kind.ALTERED, 1, 2, "a"));
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
        fixture.node().append(List.of(change("a", 1), change("apikey.revoke", "a", 2), change("b", 1), change("b", 2)));
        VerifiedChains chains = new VerifiedChains(MACS);
        EntryStore store = new EntryStore(fixture.database);
        store.page(1, 0, 9, 9).forEach(entry -> chains.add(entry, true));
        fixture.change(hide);
        LogVerification.Findings findings = new LogVerification.Findings();
        new ChangeVerification(store, MACS, ids -> Map.of(), findings, chains).run();

        assertThat(findings.all()).contains(new AuditFinding(Kind.MISSING, 1, 0, null));
    }

    private List<AuditFinding> findings(Map<String, Long> versions) {
        return fixture.log(LogFixture.KEYRING, ids -> versions).verify().findings();
    }

    private static AuditEvent change(String id, long version) {
        return change("apikey.update", id, version);
    }

    private static AuditEvent change(String name, String id, long version) {
        return new AuditEvent(
                name,
                AuditEvent.Outcome.SUCCESS,
                null,
                "admin",
                "api-key",
                id,
                MutableClock.atNewYear().instant(),
                Map.of(AuditEvent.VERSION, version),
                AuditOrigin.UNKNOWN);
    }
}
