package io.credential.spring.operations.internal;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.auditlog.internal.OverflowPolicy;
import io.credential.seal.internal.Keyring;
import io.credential.spring.operations.internal.AuditOperations.StoredVerification;
import io.credential.spring.operations.internal.AuditOperations.Verification;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.LiveThreads;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** A verification runs in the background, and all nodes see what the last one has found. */
@BothDatabases
class AuditOperationsTests {

    private final MutableClock clock = MutableClock.atNewYear();
    private final CredentialDatabase database;
    private final JdbcAuditLog log;
    private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    private final AuditOperations operations;

    AuditOperationsTests(TestDatabase test) {
        this.database = test.migrate(JdbcAuditLog.SCHEMA);
        database.jdbc().sql("DELETE FROM _credential_audit_log").update();
        SecureRandom random = new SecureRandom();
        this.log = new JdbcAuditLog(
                database, Keyring.generate(random), clock, random, OverflowPolicy.WAIT, true, ids -> Map.of());
        AuditSink recording = event -> {
            audited.add(event);
            log.sink().record(event);
        };
        this.operations = new AuditOperations(log, recording, () -> "operator", clock);
    }

    @AfterEach
    void close() {
        operations.close();
        log.close();
    }

    @Test
    void latestWhenNeverVerifiedThenEmpty() {
        assertThat(operations.latest()).isEmpty();
        assertThat(operations.lastStored()).isEmpty();
    }

    @Test
    void verifyNowWhenIntactThenOtherNodesSeeIt() {
        append("apikey.issue");

        assertThat(operations.verifyNow()).isTrue();
        Patience.until(() -> stored().isPresent());

        StoredVerification seen = stored().orElseThrow();
        assertThat(seen.entries()).isEqualTo(2);
        assertThat(seen.findings()).isZero();
        assertThat(seen.event().outcome()).isEqualTo("success");
        assertThat(seen.event().actor()).isEqualTo("operator");
        assertThat(seen.event().resourceKind()).isEqualTo("audit-log");
        assertThat(operations.search(AuditQuery.all().withEvent("audit.verify")).entries())
                .containsExactly(seen.event());
    }

    @Test
    void verifyNowWhenFinishedThenLatestHasTimes() {
        append("apikey.issue");
        operations.verifyNow();
        Patience.until(() -> !latest().isRunning());

        assertThat(latest().startedBy()).isEqualTo("operator");
        assertThat(latest().startedAt()).isEqualTo(clock.instant());
        assertThat(latest().finishedAt()).isEqualTo(clock.instant());
        assertThat(latest().failure()).isNull();
    }

    @Test
    void verifyNowWhenEntryWasChangedThenFailureIsStored() {
        append("apikey.issue");
        database.jdbc()
                .sql("UPDATE _credential_audit_log SET actor = 'eve' WHERE name = 'apikey.issue'")
                .update();

        operations.verifyNow();
        Patience.until(() -> stored().isPresent());

        StoredVerification seen = stored().orElseThrow();
        assertThat(seen.findings()).isEqualTo(1);
        assertThat(seen.event().outcome()).isEqualTo("failure");
        assertThat(seen.event().reason()).isEqualTo("integrity");
    }

    @Test
    void lastStoredWhenForgedThenHasNoNumbers() {
        append("audit.verify");
        database.jdbc()
                .sql("UPDATE _credential_audit_log SET attributes = '{\"entries\":9,\"findings\":0}'"
                        + " WHERE name = 'audit.verify'")
                .update();

        StoredVerification seen = stored().orElseThrow();
        assertThat(seen.event().authenticity()).isEqualTo(Authenticity.ALTERED);
        assertThat(seen.entries()).isNull();
        assertThat(seen.findings()).isNull();
    }

    @Test
    void verifyNowWhenDatabaseFailsThenSaysUnavailable() {
        database.jdbc()
                .sql("ALTER TABLE _credential_audit_log RENAME TO elsewhere")
                .update();
        try {
            operations.verifyNow();
            Patience.until(() -> !latest().isRunning());
        } finally {
            database.jdbc()
                    .sql("ALTER TABLE elsewhere RENAME TO _credential_audit_log")
                    .update();
        }

        assertThat(latest().failure()).isEqualTo("unavailable");
        assertThat(audited).extracting(AuditEvent::reason).containsExactly("unavailable");
        Patience.until(() -> stored().isPresent());
        assertThat(stored().orElseThrow().entries()).isNull();
    }

    @Test
    void verifyNowWhenRunningThenRefused() {
        HeldLog held = new HeldLog(log);
        try (AuditOperations slow = new AuditOperations(held, AuditSink.none(), () -> null, clock)) {
            assertThat(slow.verifyNow()).isTrue();
            Patience.await(held.begun);

            assertThat(slow.verifyNow()).isFalse();
            assertThat(slow.latest())
                    .hasValueSatisfying(
                            running -> assertThat(running.isRunning()).isTrue());

            held.mayEnd.countDown();
            Patience.until(slow::verifyNow);
        }
    }

    @Test
    void closeWhenVerifyingThenEndsItAndSaysSo() {
        append("apikey.issue");
        HeldLog held = new HeldLog(log);
        AuditOperations slow = new AuditOperations(held, log.sink(), () -> null, clock);
        slow.verifyNow();
        Patience.await(held.begun);

        slow.close();

        Patience.until(() -> LiveThreads.named(AuditOperations.THREAD).isEmpty());
        Patience.until(() -> stored().isPresent());
        assertThat(stored().orElseThrow())
                .returns("cancelled", stored -> stored.event().reason())
                .returns(null, StoredVerification::entries);
        assertThatIllegalStateException().isThrownBy(slow::verifyNow).withMessageContaining("stopped");
    }

    private void append(String name) {
        log.sink()
                .record(new AuditEvent(name, Outcome.SUCCESS, null, "admin", "thing", "id", clock.instant(), Map.of()));
        Patience.until(() -> log.waitingEvents() == 0
                && !log.search(AuditQuery.all().withEvent(name)).entries().isEmpty());
    }

    /** As another node sees it. */
    private Optional<StoredVerification> stored() {
        try (AuditOperations other = new AuditOperations(log, AuditSink.none(), () -> null, clock)) {
            return other.lastStored();
        }
    }

    private Verification latest() {
        return operations.latest().orElseThrow();
    }

    /** The log, whose verification waits. */
    private static final class HeldLog implements AuditLog {

        private final AuditLog log;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        HeldLog(AuditLog log) {
            this.log = log;
        }

        @Override
        public AuditVerification verify() {
            begun.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return log.verify();
        }

        @Override
        public AuditVerification verify(AuditHead exported) {
            return log.verify(exported);
        }

        @Override
        public AuditSink sink() {
            return log.sink();
        }

        @Override
        public long lostEvents() {
            return log.lostEvents();
        }

        @Override
        public AuditPage search(AuditQuery query) {
            return log.search(query);
        }

        @Override
        public Optional<StoredAuditEvent> lastVerification() {
            return log.lastVerification();
        }
    }
}
