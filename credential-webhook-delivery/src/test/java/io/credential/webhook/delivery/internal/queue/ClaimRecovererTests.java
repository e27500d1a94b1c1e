package io.credential.webhook.delivery.internal.queue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whose claims are freed, and what that counts for. */
@BothDatabases
class ClaimRecovererTests extends DispatcherTestBase {

    private static final String TAKE_OVER = "takeovers = takeovers + 1";
    private static final String PUT_BACK = "claim_token IN";

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger freed = new AtomicInteger();
    private final List<Integer> timeouts = new CopyOnWriteArrayList<>();
    private final FailingDataSource failing = new FailingDataSource();
    private final CredentialDatabase database;
    private final ClaimRecoverer recoverer;
    private long sweepNanos;

    ClaimRecovererTests(TestDatabase test) {
        super(test);
        this.database = CredentialDatabase.of(failing, new RecordingManager());
        this.recoverer = new ClaimRecoverer(
                DispatcherRows.context(database, fixture.rows.tables, fixture.clock),
                new LiveNodes(nanos::get, () -> {}),
                () -> {
                    freed.incrementAndGet();
                    nanos.addAndGet(sweepNanos);
                },
                nanos::get);
    }

    @Test
    void scanWhenNodeDiedThenItsClaimIsPendingAndCounted() {
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.lease("node", 1);

        for (int i = 0; i < 10; i++) {
            scanAndFree();
        }
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        scanAndFree();

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(fixture.delivery(id).attempts()).isEqualTo(2);
        assertThat(fixture.rows.stored(id, "takeovers")).isEqualTo("1");
        assertThat(fixture.rows.ids("name", "_credential_leases")).isEmpty();
        assertThat(freed).hasValue(1);
    }

    @Test
    void scanWhenLeaseIsRenewedLateThenClaimsAreKept() {
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.lease("node", 1);
        for (int i = 0; i < 10; i++) {
            scanAndFree();
        }
        fixture.rows.sql("UPDATE _credential_leases SET epoch = 2").update();

        for (int i = 0; i < 10; i++) {
            scanAndFree();
        }

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
    }

    @Test
    void scanWhenNodeWithOtherTablesDiedThenLeaseIsKept() {
        fixture.lease("node", "other_deliveries", 1);

        for (int i = 0; i < 20; i++) {
            scanAndFree();
        }

        assertThat(fixture.rows.ids("name", "_credential_leases")).containsExactly("webhook-dispatcher/node");
    }

    @ParameterizedTest
    @CsvSource({"0, 10", "1, 50", "5, 60", "40, 80"})
    void freeWhenSweepTookSecondsThenNextAfterAPause(int sweep, int pause) {
        sweepNanos = TimeUnit.SECONDS.toNanos(sweep);
        fixture.clock.advance(Duration.ofMinutes(1));
        String first = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        scanAndFree();
        assertThat(fixture.delivery(first).status()).isEqualTo(DeliveryStatus.PENDING);
        String second = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);

        nanos.set(TimeUnit.SECONDS.toNanos(pause) - 1);
        scanAndFree();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        nanos.set(TimeUnit.SECONDS.toNanos(pause));
        scanAndFree();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    @Test
    void freeWhenLostClaimComesLateThenPutBackUncounted() {
        recoverer.lost(new Claim(7, "node", 0, 0));
        fixture.lease("node", 1);
        scanAndFree();
        assertThat(recoverer.isPending()).isTrue();
        String late = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);

        scanAndFree();

        assertThat(fixture.delivery(late).status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(fixture.delivery(late).attempts()).isEqualTo(1);
        assertThat(fixture.rows.stored(late, "takeovers")).isEqualTo("0");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
        scanAndFree();
        assertThat(recoverer.isPending()).isFalse();
    }

    @Test
    void freeWhenPutBackTookSecondsThenNextAfterAPause() {
        sweepNanos = TimeUnit.SECONDS.toNanos(5);
        recoverer.lost(new Claim(7, "node", 0, 0));
        fixture.lease("node", 1);
        String first = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        scanAndFree();
        assertThat(fixture.delivery(first).status()).isEqualTo(DeliveryStatus.PENDING);
        String second = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);

        nanos.set(TimeUnit.SECONDS.toNanos(60) - 1);
        recoverer.free();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        nanos.set(TimeUnit.SECONDS.toNanos(60));
        recoverer.free();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    @Test
    void freeWhenItTookLongAndFailedThenRepeatedAfterAsLong() {
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.lease("node", 1);
        for (int i = 0; i < 10; i++) {
            scanAndFree();
        }
        recoverer.scan("webhook-dispatcher/own");
        failing.fail(TAKE_OVER, Duration.ofSeconds(20));
        assertThatExceptionOfType(DataAccessException.class).isThrownBy(recoverer::free);
        failing.repair();

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(20) - 1);
        recoverer.free();
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        nanos.incrementAndGet();
        recoverer.free();
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    @Test
    void freeWhenPutBackFailsThenDeadNodesAreTakenOver() {
        recoverer.lost(new Claim(8, "own", 0, 0));
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.lease("node", 1);
        failing.fail(PUT_BACK, Duration.ZERO);

        for (int i = 0; i <= 10; i++) {
            assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::scanAndFree);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    @Test
    void freeThenStatementsHaveAMinute() {
        recoverer.lost(new Claim(8, "own", 0, 0));

        recoverer.free();

        assertThat(timeouts).containsExactly(60, 60);
    }

    @Test
    void freeOrphanedWhenItTookLongThenSkippedForAWhile() {
        sweepNanos = TimeUnit.SECONDS.toNanos(5);
        fixture.clock.advance(Duration.ofMinutes(1));
        recoverer.freeOrphaned();
        String first = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        recoverer.freeOrphaned();
        assertThat(fixture.delivery(first).status()).isEqualTo(DeliveryStatus.PENDING);
        String second = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);

        nanos.set(TimeUnit.MINUTES.toNanos(1) - 1);
        recoverer.freeOrphaned();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        nanos.incrementAndGet();
        recoverer.freeOrphaned();
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    @Test
    void processRetriesWhenFreeingFailsThenAttemptsOthers() {
        fixture.endpoint("partner", "/partner");
        fixture.rows.delivery("partner", DeliveryStatus.PENDING);
        failing.fail(TAKE_OVER, Duration.ZERO);
        try (JdbcWebhookDispatcher node = fixture.node(database, options -> options)) {
            assertThat(node.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        }
    }

    @Test
    void settledBeforeWhenStoredThenRecognized() {
        DeliveryQueue queue = DeliveryQueue.of(fixture.database(), fixture.rows.tables, 8192);
        String id = fixture.rows.delivery("partner", DeliveryStatus.PENDING);
        ClaimedDelivery claimed = claim(queue, 11);
        Settlement outcome = Settlement.delivered(
                claimed,
                5,
                new AttemptLog(0, 1, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, "ok"), null));
        assertThat(queue.settledBefore(List.of(outcome))).isEmpty();

        assertThat(queue.settle(List.of(outcome))).containsExactly(id);

        assertThat(queue.settle(List.of(outcome))).isEmpty();
        assertThat(queue.settledBefore(List.of(outcome))).containsExactly(id);
    }

    @Test
    void settledBeforeWhenAnotherClaimIsSettledThenEmpty() {
        DeliveryQueue queue = DeliveryQueue.of(fixture.database(), fixture.rows.tables, 8192);
        String id = fixture.rows.delivery("partner", DeliveryStatus.PENDING);
        Settlement first = Settlement.delivered(
                claim(queue, 11),
                5,
                new AttemptLog(0, 1, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, "ok"), null));
        fixture.rows.change(id, "status = 'pending', claim_owner = NULL, claim_token = NULL");
        Settlement second = Settlement.delivered(
                claim(queue, 12),
                5,
                new AttemptLog(0, 1, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, "ok"), null));
        queue.settle(List.of(second));

        assertThat(queue.settle(List.of(first))).isEmpty();
        assertThat(queue.settledBefore(List.of(first))).isEmpty();
    }

    private ClaimedDelivery claim(DeliveryQueue queue, long token) {
        long now = fixture.clock.millis() + 1_000_000;
        return queue.claim(List.of(new DeliveryQueue.Quota("partner", 0, 1)), new Claim(token, "node", now, 0))
                .get(0);
    }

    /** A second later each time. */
    private void scanAndFree() {
        recoverer.scan("webhook-dispatcher/own");
        recoverer.free();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    /** Writes down how many seconds each transaction has. */
    private final class RecordingManager extends JdbcTransactionManager {

        private static final long serialVersionUID = 1L;

        RecordingManager() {
            super(failing);
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            timeouts.add(definition.getTimeout());
            super.doBegin(transaction, definition);
        }
    }

    /** Fails when a statement is prepared, after a time. */
    private final class FailingDataSource extends DelegatingDataSource {

        private volatile @Nullable String broken;
        private volatile Duration delay = Duration.ZERO;

        FailingDataSource() {
            super(test.dataSource());
        }

        void fail(String partOfStatement, Duration after) {
            broken = partOfStatement;
            delay = after;
        }

        void repair() {
            broken = null;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")) {
                            prepared((String) arguments[0]);
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private void prepared(String sql) throws SQLException {
            String part = broken;
            if (part != null && sql.contains(part)) {
                nanos.addAndGet(delay.toNanos());
                throw new SQLException("broken: " + part);
            }
        }
    }
}
