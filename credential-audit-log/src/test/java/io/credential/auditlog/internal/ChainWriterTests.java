package io.credential.auditlog.internal;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.audit.AuditEvent;
import io.credential.auditlog.AuditVerification;
import io.credential.seal.internal.RowMac;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@BothDatabases
class ChainWriterTests {

    private static final int NODES = 4;
    private static final int BATCHES = 20;

    private final TestDatabase test;
    private final LogFixture fixture;
    private final FaultyCommits faulty;
    private final ChainWriter overFaulty;

    ChainWriterTests(TestDatabase test) {
        this.test = test;
        this.fixture = new LogFixture(test);
        this.faulty = new FaultyCommits(test.dataSource());
        this.overFaulty = new ChainWriter(
                new EntryStore(CredentialDatabase.of(faulty)),
                new RowMac(LogFixture.KEYRING),
                fixture.clock,
                new RandomHex(LogFixture.RANDOM));
    }

    @Test
    void appendWhenFirstThenOpensChain() {
        ChainWriter node = fixture.written(1);
        node.close();

        assertThat(fixture.names()).containsExactly("1 audit.open", "1 apikey.get", "1 audit.close");
    }

    @Test
    void closeWhenNothingWasWrittenThenNoEntry() {
        fixture.node().close();

        assertThat(fixture.count()).isZero();
    }

    @Test
    void appendWhenChainWasClosedThenContinuesIt() {
        fixture.written(1).close();
        fixture.written(1);

        assertThat(fixture.verify().head().ends())
                .singleElement()
                .satisfies(end -> assertThat(end.sequence()).isEqualTo(5));
        assertThat(fixture.verify().findings()).isEmpty();
    }

    @Test
    void appendWhenAnotherNodeJustWroteThenOpensOwnChain() {
        fixture.written(1);
        fixture.written(1);

        assertThat(fixture.verify().head().ends()).hasSize(2);
    }

    @Test
    void appendWhenNodeCrashedLongAgoThenContinuesItsChain() {
        fixture.written(1);
        fixture.clock.advance(Duration.ofMinutes(2));
        fixture.written(1);

        assertThat(fixture.verify().head().ends()).hasSize(1);
    }

    @Test
    void appendWhenIdleChainWasTakenThenTakesAnother() {
        ChainWriter idle = fixture.written(1);
        fixture.clock.advance(Duration.ofMinutes(2));
        ChainWriter other = fixture.written(1);
        idle.append(LogFixture.events(2));
        other.append(LogFixture.events(1));
        idle.append(LogFixture.events(1));

        assertThat(fixture.verify().findings()).isEmpty();
        assertThat(fixture.names().stream().filter(name -> name.endsWith("apikey.get")))
                .hasSize(6);
    }

    @Test
    void appendWhenEndIsForgedThenLeavesChainAlone() {
        fixture.written(1);
        fixture.change("UPDATE _credential_audit_log SET name = 'audit.close', mac = 'm1.k1.00' WHERE seq = 2");
        fixture.written(1);

        assertThat(fixture.names()).contains("2 audit.open");
    }

    /** As if its key was removed from the keyring. */
    @Test
    void appendWhenChainIsUnverifiableThenReadsOnlyItsEnd() {
        fixture.written(1);
        fixture.change("""
                INSERT INTO _credential_audit_log
                    (chain, seq, recorded_at, name, outcome, resource_kind, attributes, digest, mac)
                WITH RECURSIVE later (seq) AS (
                    SELECT 3 UNION ALL SELECT seq + 1 FROM later WHERE seq < %d)
                SELECT 1, seq, 0, 'audit.open', 'success', 'audit-log', '{}', 'x', 'm1.lost.%s'
                FROM later""".formatted(3 + ChainWriter.SEARCHED, "0".repeat(64)));

        fixture.written(1);

        assertThat(fixture.database
                        .jdbc()
                        .sql("SELECT attributes FROM _credential_audit_log WHERE chain = 2 AND seq = 1")
                        .query(String.class)
                        .single())
                .contains("\"heads\":\"audit1\"");
    }

    @Test
    void appendWhenNodesWriteAtOnceThenEveryChainIsIntact() {
        InParallel.run(NODES, () -> {
            ChainWriter node = fixture.node();
            for (int i = 0; i < BATCHES; i++) {
                node.append(LogFixture.events(3));
            }
            return node;
        });

        AuditVerification verification = fixture.verify();
        assertThat(verification.findings()).isEmpty();
        assertThat(fixture.names().stream().filter(name -> name.endsWith("apikey.get")))
                .hasSize(NODES * BATCHES * 3);
    }

    @Test
    void appendWhenCommitIsNotAnsweredThenStoredOnce() {
        overFaulty.append(LogFixture.events(1));
        faulty.failAfter.set(1);
        overFaulty.append(LogFixture.events(3));
        overFaulty.append(LogFixture.events(1));

        assertThat(fixture.count()).isEqualTo(6);
        assertThat(fixture.verify().findings()).isEmpty();
    }

    @Test
    void appendWhenCommitFailedThenRetryStoresOnce() {
        List<AuditEvent> events = LogFixture.events(3);
        faulty.failBefore.set(1);

        assertThat(catchThrowable(() -> overFaulty.append(events)))
                .isInstanceOfAny(DataAccessException.class, TransactionException.class);
        assertThat(fixture.count()).isZero();
        overFaulty.append(events);

        assertThat(fixture.count()).isEqualTo(4);
        assertThat(fixture.verify().findings()).isEmpty();
    }

    @Test
    void appendWhenNoChainIsLeftThenFails() {
        for (int chain = 1; chain <= ChainLimits.MAX_CHAINS; chain++) {
            fixture.insertForged(chain, 1);
        }

        assertThat(catchThrowable(() -> fixture.written(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("authentic");
    }

    @Test
    void appendWhenAllChainsAreTakenThenContinuesOne() {
        fixture.written(1);
        for (int chain = 2; chain <= ChainLimits.MAX_CHAINS; chain++) {
            fixture.insertForged(chain, 1);
        }
        fixture.written(1);

        assertThat(fixture.names()).filteredOn(name -> name.startsWith("1 ")).hasSize(4);
    }

    /** A trigger or a rule can make the database store nothing without an error. */
    @Test
    void appendWhenDatabaseStoresLessThenFails() {
        ChainWriter node = fixture.written(1);
        ignoreInserts();

        assertThat(catchThrowable(() -> node.append(LogFixture.events(60)))).isInstanceOf(DataAccessException.class);
        assertThat(fixture.count()).isEqualTo(2);
    }

    private void ignoreInserts() {
        if (test.kind() == DatabaseKind.SQLITE) {
            fixture.change("CREATE TRIGGER ignored BEFORE INSERT ON _credential_audit_log WHEN NEW.resource_id = 'id-7'"
                    + " BEGIN SELECT RAISE(IGNORE); END");
        } else {
            fixture.change("CREATE FUNCTION ignored() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN IF NEW.resource_id = 'id-7' THEN RETURN NULL; END IF; RETURN NEW; END $$");
            fixture.change("CREATE TRIGGER ignored BEFORE INSERT ON _credential_audit_log"
                    + " FOR EACH ROW EXECUTE FUNCTION ignored()");
        }
    }

    @AfterEach
    void removeTrigger() {
        if (test.kind() == DatabaseKind.SQLITE) {
            fixture.change("DROP TRIGGER IF EXISTS ignored");
        } else {
            fixture.change("DROP FUNCTION IF EXISTS ignored() CASCADE");
        }
    }
}
