package io.credential.apikey.internal.usage;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import ch.qos.logback.classic.Level;

import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.RegistryFixture;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@BothDatabases
class UsageCountsTests {

    private final String namespace = RegistryFixture.newNamespace();
    private final MutableClock clock = MutableClock.atNewYear();
    private final LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    private final RecordedStatements recording;
    private final CommitsWithoutAnswer commits;
    private final CredentialDatabase database;
    private final JdbcUsageStore store;

    UsageCountsTests(TestDatabase test) {
        test.migrate(JdbcUsageStore.SCHEMA);
        this.commits = new CommitsWithoutAnswer(test.dataSource());
        this.recording = new RecordedStatements(commits);
        this.database = CredentialDatabase.of(recording);
        this.store = new JdbcUsageStore(database);
    }

    @Test
    void collectWhenWrittenThroughThenCountsWaitAgain() {
        UsageCounts counts = counts(100);
        counts.writeThrough();
        request(counts, "key");
        assertThat(requests("key")).as("nothing flushes").isEqualTo(1);

        counts.collect();
        request(counts, "key");

        assertThat(requests("key")).isEqualTo(1);
        counts.flush();
        assertThat(requests("key")).isEqualTo(2);
    }

    @Test
    void flushThenOneStatementForSeveralKeys() {
        UsageCounts counts = counts(100);
        for (int key = 0; key < 7; key++) {
            request(counts, "key-" + key);
            request(counts, "key-" + key);
        }
        recording.clear();

        assertThat(counts.flush()).isEqualTo(4);
        assertThat(inserts()).hasSize(1);
        request(counts, "key-0");

        assertThat(counts.flush()).as("those that wait longest").isEqualTo(4);
        assertThat(inserts()).hasSize(2);
        assertThat(counts.flush()).isZero();
        assertThat(inserts()).as("nothing is left to write").hasSize(2);
        for (int key = 0; key < 7; key++) {
            assertThat(requests("key-" + key)).isEqualTo(key == 0 ? 3 : 2);
        }
    }

    @Test
    void flushWhenMoreKeysThanRowsThenBounded() {
        UsageCounts counts = counts(10_000);
        for (int key = 0; key < UsageCounts.MAX_ROWS + 2; key++) {
            request(counts, "key-" + key);
        }

        assertThat(counts.flush()).isEqualTo(UsageCounts.MAX_ROWS);
        assertThat(counts.flush()).isEqualTo(2);
    }

    @Test
    void flushThenRowsAreWrittenInTheOrderOfKeys() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            CredentialDatabase other = sqlite.migrate(JdbcUsageStore.SCHEMA);
            other.jdbc().sql("create table written (id text)").update();
            other.jdbc()
                    .sql("create trigger written after insert on _credential_api_key_usage"
                            + " begin insert into written values (new.id); end")
                    .update();
            UsageCounts counts = new UsageCounts(other, new JdbcUsageStore(other), clock, 100);
            List.of("d", "b", "a", "c").forEach(id -> request(counts, id));

            counts.flush();

            assertThat(other.jdbc()
                            .sql("select id from written order by rowid")
                            .query(String.class)
                            .list())
                    .containsExactly("a", "b", "c", "d");
        }
    }

    @Test
    void requestedWhenAtCapacityThenFurtherKeysAreDropped() {
        UsageCounts counts = counts(1);
        try (CapturedLog log = CapturedLog.of(UsageCounts.class)) {
            request(counts, "first");
            request(counts, "second");
            request(counts, "second");
            request(counts, "first");
            counts.flush();

            assertThat(log.lines(Level.WARN))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("The usage of 1 keys has not been written yet"),
                            line -> assertThat(line).contains("2 requests were not counted"));
        }

        assertThat(requests("first")).isEqualTo(2);
        assertThat(store.find(namespace, "second", today, today)).isEmpty();
        request(counts, "second");
        counts.flush();
        assertThat(requests("second")).as("there is room again").isEqualTo(1);
    }

    @Test
    void flushWhenStatementFailsThenCountsStay() {
        UsageCounts counts = counts(100);
        request(counts, "key");
        counts.rejected(namespace, "key", RejectionCause.SCOPE);
        recording.refuse("INSERT INTO _credential_api_key_usage");
        try (CapturedLog log = CapturedLog.of(UsageCounts.class)) {
            assertThat(counts.flushQuietly()).isZero();

            assertThat(counts.hasFailed()).isTrue();
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("1 keys are retried"));
        }
        request(counts, "key");
        recording.allowAll();

        assertThat(counts.flushQuietly()).isEqualTo(1);
        assertThat(counts.hasFailed()).isFalse();
        assertThat(store.find(namespace, "key", today, today)).containsExactly(new ApiKeyUsage(today, 2, 0, 1, 0, 0));
    }

    @Test
    void flushWhenCommitIsNotConfirmedThenNotCountedTwice() {
        UsageCounts counts = counts(100);
        request(counts, "key");
        commits.loseNextAnswer.set(true);
        try (CapturedLog log = CapturedLog.of(UsageCounts.class)) {
            assertThatThrownBy(counts::flush).isInstanceOf(RuntimeException.class);

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("did not confirm the usage of 1 API keys"));
        }
        assertThat(counts.hasFailed()).isTrue();

        assertThat(counts.flush()).isZero();
        assertThat(requests("key")).isEqualTo(1);
    }

    @Test
    void flushWhenRequestsGoOnThenNoneIsLost() {
        UsageCounts counts = counts(100);
        int threads = 3;
        int rounds = 5000;
        AtomicInteger using = new AtomicInteger(threads);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            tasks.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    request(counts, "key-" + round % 2);
                }
                return using.decrementAndGet() == 0;
            });
        }
        Callable<Boolean> flushing = () -> {
            while (using.get() > 0) {
                var unused = counts.flush();
            }
            return true;
        };
        tasks.add(flushing);
        tasks.add(flushing);

        InParallel.run(tasks);
        counts.writeThrough();

        assertThat(requests("key-0") + requests("key-1")).isEqualTo((long) threads * rounds);
    }

    private UsageCounts counts(int capacity) {
        return new UsageCounts(database, store, clock, capacity);
    }

    private void request(UsageCounts counts, String id) {
        counts.requested(namespace, id, clock.millis());
    }

    private long requests(String id) {
        return store.find(namespace, id, today, today).get(0).requests();
    }

    private List<String> inserts() {
        return recording.statements().stream()
                .filter(sql -> sql.startsWith("INSERT"))
                .toList();
    }

    /** Commits a transaction, and then breaks the connection. */
    private static final class CommitsWithoutAnswer extends DelegatingDataSource {

        final AtomicBoolean loseNextAnswer = new AtomicBoolean();

        CommitsWithoutAnswer(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        Object result;
                        try {
                            result = method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getTargetException();
                        }
                        if (method.getName().equals("commit") && loseNextAnswer.getAndSet(false)) {
                            throw new SQLException("An I/O error occurred while sending to the backend", "08006");
                        }
                        return result;
                    });
        }
    }
}
