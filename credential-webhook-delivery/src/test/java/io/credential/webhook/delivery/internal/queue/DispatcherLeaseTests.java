package io.credential.webhook.delivery.internal.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherRows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DispatcherLeaseTests {

    private static final int CALLERS = 4;

    private final CountDownLatch outageIsNoticed = new CountDownLatch(1);
    private final AtomicInteger tries = new AtomicInteger();
    private volatile boolean outage;
    private volatile boolean interruption;

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @Test
    void leaseIdWhenNoAnswerThenAllShareOneFailure() {
        test.database();
        CredentialDatabase database = CredentialDatabase.of(new FailingDataSource());
        DispatcherLease lease = lease(database);
        outage = true;
        List<Future<String>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(call(lease));
        }

        outageIsNoticed.countDown();

        for (Future<String> caller : callers) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(caller))
                    .withCauseExactlyInstanceOf(CannotGetJdbcConnectionException.class);
        }
        assertThat(tries).hasValue(1);
        outage = false;
        assertThat(lease.isHeld(lease.leaseId())).isTrue();
        lease.release();
    }

    @Test
    void leaseIdWhenFirstIsInterruptedThenOthersTry() throws Exception {
        test.database();
        DispatcherLease lease = lease(CredentialDatabase.of(new FailingDataSource()));
        outage = true;
        Future<String> interrupted = call(lease);
        Future<String> other = call(lease);

        interruption = true;
        outage = false;
        outageIsNoticed.countDown();

        assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> Patience.get(interrupted));
        assertThat(lease.isHeld(Patience.get(other))).isTrue();
        lease.release();
    }

    @Test
    void leaseIdWhenInterruptedBeforeThenIsAcquired() {
        test.database();
        DispatcherLease lease = lease(CredentialDatabase.of(new FailingDataSource()));
        Thread.currentThread().interrupt();

        String leaseId = lease.leaseId();

        assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        assertThat(lease.isHeld(leaseId)).isTrue();
        lease.release();
    }

    @Test
    void leaseIdWhenClosedThenNeitherLeaseNorThreads() {
        DispatcherLease lease = lease(test.database());
        lease.leaseId();

        lease.close();

        assertThatIllegalStateException().isThrownBy(lease::leaseId);
        LiveThreads.awaitNone("credential-webhook-");
        assertThat(new NodeLeases(test.database(), DispatcherRows.DEFAULT_TABLES).all())
                .isEmpty();
    }

    private static DispatcherLease lease(CredentialDatabase database) {
        return new DispatcherLease(
                DispatcherRows.context(database, DispatcherRows.DEFAULT_TABLES, InstantSource.system()),
                new LiveNodes(System::nanoTime, () -> {}),
                () -> false,
                name -> false,
                () -> {});
    }

    /** Returns when the caller waits, for the database or for another caller. */
    private static Future<String> call(DispatcherLease lease) {
        FutureTask<String> result = new FutureTask<>(lease::leaseId);
        Thread caller = new Thread(result, "caller");
        caller.start();
        Patience.until(
                () -> caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING);
        return result;
    }

    private final class FailingDataSource extends DelegatingDataSource {

        FailingDataSource() {
            super(test.dataSource());
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (outage) {
                tries.incrementAndGet();
                Patience.await(outageIsNoticed);
                if (interruption) {
                    Thread.currentThread().interrupt();
                }
                throw new SQLException("no answer");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new SQLException("interrupted");
            }
            return super.getConnection();
        }
    }
}
