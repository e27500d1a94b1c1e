package io.credential.auditlog.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditThread;
import io.credential.auditlog.AuditFinding;
import io.credential.internal.concurrent.DaemonThreads;
import io.credential.seal.internal.RowMac;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

@BothDatabases
class JdbcAuditSinkTests {

    /** To wait a second for each would take longer than a test waits. */
    private static final int LOST = 400;

    private final LogFixture fixture;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final TestDatabase test;

    @AutoClose
    private final TestThreads threads = new TestThreads();

    @AutoClose
    private final CapturedLog log = CapturedLog.of(JdbcAuditSink.class.getName());

    JdbcAuditSinkTests(TestDatabase test) {
        this.test = test;
        this.fixture = new LogFixture(test);
    }

    private JdbcAuditSink sink(OverflowPolicy onOverflow, boolean verifications) {
        return new JdbcAuditSink(fixture.node(), onOverflow, verifications);
    }

    /** A sink over a database that answers only when it is told to. */
    private JdbcAuditSink stalled(OverflowPolicy onOverflow) {
        CredentialDatabase database = CredentialDatabase.of(new DelegatingDataSource(test.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (Thread.currentThread().getName().equals(JdbcAuditSink.THREAD)) {
                    asked.countDown();
                    Patience.await(answering);
                }
                return super.getConnection();
            }
        });
        return new JdbcAuditSink(
                new ChainWriter(
                        new EntryStore(database),
                        new RowMac(LogFixture.KEYRING),
                        fixture.clock,
                        new RandomHex(LogFixture.RANDOM)),
                onOverflow,
                false);
    }

    private void awaitCount(long entries) {
        Patience.until(() -> fixture.count() >= entries);
    }

    @Test
    void recordThenStoredOnItsThreadWithOrigin() {
        try (JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false)) {
            sink.record(LogFixture.event(1));
            awaitCount(2);
        }

        assertThat(fixture.database
                        .jdbc()
                        .sql("SELECT actor, resource_id, reason, client_address, user_agent, trace_id, attributes"
                                + " FROM _credential_audit_log WHERE seq = 2")
                        .query()
                        .singleRow()
                        .values())
                .containsExactly("admin", "id-1", "not-found", "192.0.2.1", "curl/8", "4bf92f35", "{\"number\":1}");
        assertThat(fixture.names()).endsWith("1 audit.close");
        assertThat(fixture.verify().findings()).isEmpty();
    }

    @Test
    void closeThenThreadHasEnded() {
        JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false);
        sink.record(LogFixture.event(1));
        awaitCount(2);
        sink.close();

        Patience.until(() -> LiveThreads.named(JdbcAuditSink.THREAD).isEmpty());
    }

    @Test
    void recordWhenVerificationSucceedsThenStoredOnDemand() {
        AuditEvent verified = new AuditEvent(
                "apikey.verify",
                AuditEvent.Outcome.SUCCESS,
                null,
                null,
                "api-key",
                "0011",
                fixture.clock.instant(),
                Map.of());
        try (JdbcAuditSink without = sink(OverflowPolicy.WAIT, false);
                JdbcAuditSink with = sink(OverflowPolicy.WAIT, true)) {
            without.record(verified);
            with.record(verified);
            awaitCount(2);
        }

        assertThat(fixture.names()).containsExactly("1 audit.open", "1 apikey.verify", "1 audit.close");
    }

    @Test
    void recordWhenQueueIsFullThenLossIsCountedAndStored() {
        try (JdbcAuditSink sink = stalled(OverflowPolicy.DROP)) {
            sink.record(LogFixture.event(1));
            Patience.await(asked); // its thread takes nothing more, and counts all losses at once
            int recorded = 1;
            for (; sink.lostEvents() < LOST; recorded++) {
                sink.record(LogFixture.event(1));
            }
            answering.countDown();
            awaitCount(recorded - LOST + 2); // and the first entry, and that of the loss
        }

        assertThat(fixture.database
                        .jdbc()
                        .sql("SELECT attributes FROM _credential_audit_log WHERE name = 'audit.lost'")
                        .query(String.class)
                        .list())
                .containsExactly("{\"count\":" + LOST + "}");
        assertThat(fixture.verify().findings()).extracting(AuditFinding::kind).containsExactly(AuditFinding.Kind.LOST);
        assertThat(log.events())
                .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains("wait for the database"));
    }

    @Test
    void recordWhenQueueIsFullThenCallerWaitsForRoom() {
        try (JdbcAuditSink sink = stalled(OverflowPolicy.WAIT)) {
            AtomicBoolean seen = new AtomicBoolean();
            Thread caller = new Thread(
                    () -> {
                        while (!seen.get() || sink.lostEvents() == 0) {
                            sink.record(LogFixture.event(1));
                        }
                    },
                    "caller");
            caller.start();
            Patience.until(() -> caller.getState() == Thread.State.TIMED_WAITING);
            seen.set(true);
            Patience.join(caller);
            answering.countDown();
            sink.record(LogFixture.event(2));
            Patience.until(() -> fixture.names().contains("1 audit.lost"));
        }

        assertThat(fixture.verify().findings()).extracting(AuditFinding::kind).containsExactly(AuditFinding.Kind.LOST);
    }

    @Test
    void recordWhenValueCannotBeStoredThenOnlyThisIsLost() {
        AuditEvent hostile = new AuditEvent(
                "apikey.get",
                AuditEvent.Outcome.SUCCESS,
                null,
                "nul \0, half \ud800, line \n",
                "api-key",
                "x".repeat(10_000),
                fixture.clock.instant(),
                Map.of("text", "nul \0, half \ud800", "long", "x".repeat(100_000), "what", new Object()));
        try (JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false)) {
            sink.record(hostile);
            sink.record(LogFixture.event(1));
            awaitCount(3);
        }

        assertThat(fixture.verify().findings()).isEmpty();
        assertThat(fixture.names()).hasSize(4);
    }

    @Test
    void recordWhenDatabaseRejectsOneThenOthersAreStored() {
        fixture.change("CREATE UNIQUE INDEX once ON _credential_audit_log (resource_id) WHERE resource_id = 'id-1'");
        try (JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false)) {
            sink.record(LogFixture.event(1));
            sink.record(LogFixture.event(1));
            sink.record(LogFixture.event(2));
            awaitCount(4);
            assertThat(sink.lostEvents()).isOne();
        }

        assertThat(fixture.names())
                .containsExactly("1 audit.open", "1 apikey.get", "1 apikey.get", "1 audit.lost", "1 audit.close");
        assertThat(fixture.verify().findings()).extracting(AuditFinding::kind).containsExactly(AuditFinding.Kind.LOST);
    }

    /** Otherwise whoever can forbid these entries could make each event be lost, or hide that events are. */
    @ParameterizedTest
    @ValueSource(strings = {ChainWriter.OPEN, ChainWriter.LOST})
    void recordWhenEntryOfLogIsRejectedThenTriedAgain(String name) {
        ChainWriter node = fixture.written(1);
        node.append(List.of(node.lost(1)));
        fixture.change("CREATE UNIQUE INDEX once ON _credential_audit_log (resource_id) WHERE resource_id = 'id-1'");
        fixture.change(
                "CREATE UNIQUE INDEX forbidden ON _credential_audit_log (resource_kind) WHERE name = '" + name + "'");
        try (JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false)) {
            sink.record(LogFixture.event(1));
            sink.record(LogFixture.event(1));
            Patience.until(() -> log.events().stream()
                    .anyMatch(line -> line.getFormattedMessage().contains("trying again")));
            fixture.change("DROP INDEX forbidden");
            Patience.until(() -> fixture.names().contains("2 audit.lost"));
            assertThat(sink.lostEvents()).isOne();
        }
    }

    @Test
    void recordWhenQueueIsFullInTransactionThenNobodyWaits() {
        try (JdbcAuditSink sink = stalled(OverflowPolicy.WAIT)) {
            CompletableFuture<Void> caller = CompletableFuture.runAsync(
                    () -> fixture.database.inTransaction(() -> {
                        while (sink.lostEvents() < LOST) {
                            sink.record(LogFixture.event(1));
                        }
                        return true;
                    }),
                    threads);
            Patience.join(caller);
            answering.countDown();
        }
    }

    @Test
    void recordWhenThereWasNoThreadThenStoredWithTheNext() {
        ScarceThreads threadless = new ScarceThreads();
        ThreadPoolExecutor executor = DaemonThreads.single("test", new LinkedBlockingQueue<>());
        executor.setThreadFactory(threadless);
        try (JdbcAuditSink sink =
                new JdbcAuditSink(fixture.node(), OverflowPolicy.WAIT, false, new AuditThread(executor))) {
            sink.record(LogFixture.event(1));
            threadless.provide();

            sink.record(LogFixture.event(2));

            awaitCount(3); // and the first entry
        }
    }

    @Test
    void recordWhenDatabaseFailsThenStoredLater() {
        FaultyCommits faulty = new FaultyCommits(test.dataSource());
        CredentialDatabase database = CredentialDatabase.of(faulty);
        faulty.failBefore.set(2);
        try (JdbcAuditSink sink = new JdbcAuditSink(
                new ChainWriter(
                        new EntryStore(database),
                        new RowMac(LogFixture.KEYRING),
                        fixture.clock,
                        new RandomHex(LogFixture.RANDOM)),
                OverflowPolicy.WAIT,
                false)) {
            sink.record(LogFixture.event(1));
            awaitCount(2);
        }

        assertThat(fixture.names()).containsExactly("1 audit.open", "1 apikey.get", "1 audit.close");
        assertThat(log.events())
                .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains("trying again"));
    }

    @Test
    void recordWhenClosedThenCounted() {
        JdbcAuditSink sink = sink(OverflowPolicy.WAIT, false);
        sink.close();
        sink.record(LogFixture.event(1));

        assertThat(sink.lostEvents()).isOne();
        assertThat(log.events())
                .anySatisfy(line -> assertThat(line.getFormattedMessage()).contains("closed"));
    }
}
