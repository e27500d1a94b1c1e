package io.credential.auditlog.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.auditlog.AuditFinding;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.AuditVerification;
import io.credential.seal.internal.RowMac;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Whoever can write the database without the keyring cannot change the log unnoticed. */
@BothDatabases
class LogVerificationTests {

    private final LogFixture fixture;

    LogVerificationTests(TestDatabase test) {
        this.fixture = new LogFixture(test);
    }

    private static AuditFinding finding(Kind kind, long chain, long sequence) {
        return new AuditFinding(kind, chain, sequence, null);
    }

    private static String at(long chain, long seq) {
        return " WHERE chain = " + chain + " AND seq = " + seq;
    }

    @Test
    void verifyWhenEmptyThenIntact() {
        AuditVerification verification = fixture.verify();

        assertThat(verification.isIntact()).isTrue();
        assertThat(verification.head()).hasToString("audit1");
    }

    @Test
    void verifyWhenNothingChangedThenIntactToTheEnd() {
        fixture.written(1200);
        fixture.written(3);

        AuditVerification verification = fixture.verify();

        assertThat(verification.findings()).isEmpty();
        assertThat(verification.entries()).isEqualTo(1205);
        assertThat(verification.head().ends())
                .extracting(AuditHead.End::sequence)
                .containsExactly(1201L, 4L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "recorded_at = recorded_at + 1",
                "name = 'apikey.gets'",
                "outcome = 'success'",
                "reason = null",
                "reason = ''",
                "actor = 'nobody'",
                "resource_kind = 'api-keys'",
                "resource_id = 'id-3'",
                "resource_version = 1",
                "client_address = '192.0.2.2'",
                "user_agent = 'curl/9'",
                "trace_id = null",
                "attributes = '{\"number\":3}'",
                "actor = user_agent, user_agent = actor",
                "digest = '0000000000000000000000000000000000000000000000000000000000000000'",
                "mac = ''",
                "mac = 'm1.k1.00'",
                "mac = replace(mac, 'm1.k1.', 'm1.k9.')",
                "mac = replace(mac, 'm1.', 'm2.')",
            })
    void verifyWhenEntryIsChangedThenFindsIt(String set) {
        fixture.written(5);
        fixture.change("UPDATE _credential_audit_log SET " + set + at(1, 3));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, 3));
    }

    /** Digests need no key. */
    @Test
    void verifyWhenDigestIsRecomputedThenFindsEntry() {
        fixture.written(5);
        EntryStore store = new EntryStore(fixture.database);
        List<AuditEntry.Stored> entries = store.page(1, 1, 3, 2);
        AuditEntry forged = AuditEntry.of(1, 3, LogFixture.event(99));
        fixture.change(
                "UPDATE _credential_audit_log SET resource_id = 'id-99', attributes = '{\"number\":99}', digest = '"
                        + forged.digest(entries.get(0).digest(), RowMac.head("k1")) + "'" + at(1, 3));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, 3));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 500, 501, 502})
    void verifyWhenEntryIsRemovedThenFindsTheGap(long seq) {
        fixture.written(600);
        fixture.change("DELETE FROM _credential_audit_log" + at(1, seq));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 1, seq));
    }

    @Test
    void verifyWhenEntriesAreSwappedThenFindsTheFirst() {
        fixture.written(5);
        fixture.change("UPDATE _credential_audit_log SET seq = 100" + at(1, 3));
        fixture.change("UPDATE _credential_audit_log SET seq = 3" + at(1, 4));
        fixture.change("UPDATE _credential_audit_log SET seq = 4" + at(1, 100));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, 3));
    }

    @Test
    void verifyWhenRemovedAndRenumberedThenFindsEntry() {
        fixture.written(5);
        fixture.change("DELETE FROM _credential_audit_log" + at(1, 3));
        fixture.change("UPDATE _credential_audit_log SET seq = 3" + at(1, 4));

        assertThat(fixture.verify().findings()).contains(finding(Kind.ALTERED, 1, 3));
    }

    @Test
    void verifyWhenEntryIsMovedToOtherChainThenFindsIt() {
        fixture.written(5);
        fixture.written(2);
        fixture.change("UPDATE _credential_audit_log SET chain = 2, seq = 4" + at(1, 6));

        assertThat(fixture.verify().findings())
                .containsExactly(finding(Kind.MISSING, 1, 6), finding(Kind.ALTERED, 2, 4));
    }

    @Test
    void verifyWhenEntryIsForgedAtTheEndThenFindsIt() {
        fixture.written(2);
        fixture.change("""
                INSERT INTO _credential_audit_log (chain, seq, recorded_at, name, outcome, resource_kind, attributes, digest, mac)
                SELECT chain, seq + 1, recorded_at, name, outcome, resource_kind, attributes, digest, mac
                FROM _credential_audit_log""" + at(1, 3));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, 4));
    }

    @Test
    void verifyWhenTruncatedThenShowsAgainstTheHead() {
        fixture.written(5);
        AuditHead exported = AuditHead.parse(fixture.verify().head().toString());
        fixture.change("DELETE FROM _credential_audit_log WHERE seq >= 5");

        assertThat(fixture.log().verify(exported).findings()).containsExactly(finding(Kind.TRUNCATED, 1, 6));
        assertThat(fixture.verify().findings()).as("a head is needed").isEmpty();
    }

    @Test
    void verifyWhenCutAndContinuedThenShowsAgainstHead() {
        fixture.written(5);
        AuditHead exported = fixture.verify().head();
        fixture.change("DELETE FROM _credential_audit_log WHERE seq >= 4");
        fixture.clock.advance(Duration.ofHours(1));
        fixture.written(7);

        assertThat(fixture.names()).allMatch(name -> name.startsWith("1 "));
        assertThat(fixture.verify().findings()).isEmpty();
        assertThat(fixture.log().verify(exported).findings()).containsExactly(finding(Kind.ALTERED, 1, 6));
    }

    @Test
    void verifyWhenAllIsRemovedThenShowsAgainstTheHead() {
        fixture.written(1);
        fixture.written(1);
        AuditHead exported = fixture.verify().head();
        fixture.change("DELETE FROM _credential_audit_log");

        assertThat(fixture.log().verify(exported).findings())
                .containsExactly(finding(Kind.TRUNCATED, 1, 2), finding(Kind.TRUNCATED, 2, 2));
    }

    @Test
    void verifyWhenChainBeforeOthersIsRemovedThenMissing() {
        fixture.written(2);
        fixture.written(2);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1");

        assertThat(fixture.verify().findings())
                .containsExactly(finding(Kind.MISSING, 1, 1), finding(Kind.MISSING, 1, 3));
    }

    /** Each node that starts names the ends of all chains. */
    @Test
    void verifyWhenLaterNodeHasSeenTheEndThenNoHeadIsNeeded() {
        fixture.written(2);
        fixture.written(2);
        fixture.change("DELETE FROM _credential_audit_log" + at(1, 3));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 1, 3));
    }

    @Test
    void verifyWhenLastChainIsRemovedThenLaterNodeHasSeenIt() {
        fixture.written(2);
        fixture.written(2);
        fixture.clock.advance(Duration.ofHours(1));
        fixture.written(1);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 2");

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 2, 3));
    }

    @Test
    void verifyWhenHeadIsOfAnotherLogThenAltered() {
        fixture.written(2);
        AuditHead other = new AuditHead(List.of(new AuditHead.End(1, 2, "ab".repeat(32))));

        assertThat(fixture.log().verify(other).findings()).containsExactly(finding(Kind.ALTERED, 1, 2));
    }

    @Test
    void verifyWhenKeyWasReplacedThenLaterNodeConfirms() {
        fixture.written(3);
        fixture.written(3);
        fixture.node(LogFixture.ROTATED).append(LogFixture.events(2));

        assertThat(verifyWithoutFirstKey().findings()).isEmpty();
        assertThat(verifyWithoutFirstKey().head())
                .isEqualTo(fixture.log(LogFixture.ROTATED, ids -> Map.of())
                        .verify()
                        .head());
    }

    @Test
    void verifyWhenKeyIsRemovedUnconfirmedThenUnverifiable() {
        fixture.written(3);

        assertThat(verifyWithoutFirstKey().findings()).containsExactly(finding(Kind.UNVERIFIABLE, 1, 1));
        assertThat(verifyWithoutFirstKey().head().ends()).isEmpty();
    }

    @Test
    void verifyWhenKeyIsRemovedThenExportedHeadConfirms() {
        fixture.written(3);
        AuditHead exported = fixture.verify().head();

        assertThat(fixture.log(LogFixture.RETIRED, ids -> Map.of())
                        .verify(exported)
                        .findings())
                .isEmpty();
    }

    @Test
    void verifyWhenKeyIsRemovedThenChangesStillShow() {
        fixture.written(3);
        fixture.clock.advance(Duration.ofHours(1));
        fixture.node(LogFixture.ROTATED).append(LogFixture.events(2));
        EntryStore store = new EntryStore(fixture.database);
        String previous = store.digest(1, 2).orElseThrow();
        fixture.change(
                "UPDATE _credential_audit_log SET resource_id = 'id-99', attributes = '{\"number\":99}', digest = '"
                        + AuditEntry.of(1, 3, LogFixture.event(99)).digest(previous, RowMac.head("k1")) + "'"
                        + at(1, 3));

        assertThat(verifyWithoutFirstKey().findings())
                .contains(finding(Kind.ALTERED, 1, 1), finding(Kind.UNVERIFIABLE, 1, 1));
    }

    /** Digests need no key: whoever makes up a key id can store a chain that looks as if its key was removed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void verifyWhenChainIsForgedUnderOtherKeyThenShows(boolean closed) {
        fixture.written(3).close();
        fixture.change("DELETE FROM _credential_audit_log");
        ChainWriter forger = fixture.node(LogFixture.FORGED);
        forger.append(LogFixture.events(2));
        if (closed) {
            forger.close();
        }
        fixture.clock.advance(Duration.ofHours(1));
        fixture.written(1);

        assertThat(fixture.names()).contains("2 audit.open");
        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.UNVERIFIABLE, 1, 1));
    }

    @Test
    void verifyWhenEndIsForgedUnderOtherKeyThenShows() {
        fixture.written(3).close();
        fixture.node(LogFixture.FORGED_ON_TRUSTED).append(LogFixture.events(2));
        fixture.clock.advance(Duration.ofHours(1));
        fixture.written(1);

        assertThat(fixture.names()).contains("2 audit.open");
        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.UNVERIFIABLE, 1, 6));
    }

    /** A row that is not authentic is removed again, and real entries with it. */
    @Test
    void verifyWhenRowHidTheEndFromNodeThenStillMissing() {
        fixture.written(3);
        fixture.insertForged(1, 5);
        fixture.written(1);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq >= 3");

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 1, 4));
    }

    @Test
    void verifyWhenManyRowsHidTheEndThenStillMissing() {
        fixture.written(3);
        for (int seq = 5; seq < 1105; seq++) {
            fixture.insertForged(1, seq);
        }
        fixture.written(1);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq >= 4");

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 1, 4));
    }

    @Test
    void verifyWhenRowDroveNodeFromChainThenItsEndIsNamed() {
        ChainWriter node = fixture.written(3);
        fixture.insertForged(1, 5);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq IN (3, 4)");
        node.append(LogFixture.events(1));
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq = 5");

        assertThat(fixture.names()).contains("2 apikey.get");
        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.MISSING, 1, 4));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 257, 2_000_000_000, Long.MAX_VALUE})
    void verifyWhenRowHasNumberOfNoChainThenFindsIt(long chain) {
        fixture.written(1);
        fixture.insertForged(chain, 1);
        fixture.written(1);

        assertThat(fixture.names()).contains("2 apikey.get");
        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, chain, 1));
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = " + chain);
        assertThat(fixture.verify().findings()).isEmpty();
        assertThat(fixture.verify().entries()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void verifyWhenRowIsBeforeTheFirstThenFindsIt(long seq) {
        fixture.written(1);
        fixture.insertForged(1, seq);

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, seq));
        assertThat(fixture.verify().entries()).isEqualTo(2);
    }

    /** Nothing is cut from what is compared. */
    @Test
    void verifyWhenValueIsMadeVeryLongThenFindsEntry() {
        fixture.written(5);
        String megabyte = "replace('%s', '0', '%s')".formatted("0".repeat(1024), "x".repeat(1024));
        fixture.change("UPDATE _credential_audit_log SET attributes = attributes || " + megabyte + at(1, 3));

        assertThat(fixture.verify().findings()).containsExactly(finding(Kind.ALTERED, 1, 3));
        assertThat(new EntryStore(fixture.database)
                        .page(1, 2, 3, 1)
                        .get(0)
                        .entry()
                        .attributes())
                .hasSize(AuditEntry.MAX_ATTRIBUTES + 1);
    }

    @Test
    void verifyWhenEventsWereLostThenSaysSoUntilExported() {
        ChainWriter node = fixture.written(1);
        node.append(List.of(node.lost(3)));
        AuditVerification verification = fixture.verify();
        node.append(LogFixture.events(1));

        assertThat(verification.findings()).containsExactly(finding(Kind.LOST, 1, 3));
        assertThat(fixture.log().verify(verification.head()).findings()).isEmpty();
    }

    @Test
    void verifyWhenInTransactionThenRejected() {
        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.database.inTransaction(fixture::verify))
                .withMessageContaining("transaction");
    }

    private AuditVerification verifyWithoutFirstKey() {
        return fixture.log(LogFixture.RETIRED, ids -> Map.of()).verify();
    }
}
