package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Keyring;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.endpoint.EndpointRemover;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.StoredResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** What writers of the same rows mean to each other where there can be several. */
class PostgresConcurrencyTests {

    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final DispatcherRows rows = new DispatcherRows(test);
    private final ExecutorService other = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        other.shutdownNow();
        test.close();
    }

    @Test
    void removeExpiredWhenRowsAreLockedThenPassesThemOver() throws Exception {
        String held = rows.delivery("shop", DeliveryStatus.DELIVERED);
        String heldEvent = rows.event(DispatcherRows.NEW_YEAR);
        rows.delivery("shop", DeliveryStatus.DELIVERED);
        CountDownLatch done = new CountDownLatch(1);
        Future<?> holder = holding(
                done,
                "SELECT 1 FROM {deliveries} WHERE delivery_id = '" + held + "' FOR UPDATE",
                "SELECT 1 FROM {events} WHERE event_id = '" + heldEvent + "' FOR UPDATE");

        int removed = removeExpired(DispatcherRows.NEW_YEAR.plus(Duration.ofDays(2)));

        assertThat(removed).isEqualTo(1);
        assertThat(rows.ids("delivery_id", "{deliveries}")).containsExactly(held);
        assertThat(rows.ids("event_id", "{events}")).hasSize(2).contains(heldEvent);
        done.countDown();
        Patience.join(holder);
    }

    private int removeExpired(Instant now) {
        try (JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(
                        rows.database, Keyring.generate(new SecureRandom()))
                .retention(Duration.ofDays(1))
                .clock(() -> now)
                .build()) {
            return dispatcher.removeExpired();
        }
    }

    @Test
    void removeWhenDeadlockedThenTriedAgain() throws Exception {
        assumeThat(rows.sql("SHOW is_superuser").query(String.class).single()).isEqualTo("on");
        rows.sql("INSERT INTO {endpoints} (endpoint_id, url, secret, created_at) VALUES ('shop', '', '', 0)")
                .update();
        String first = rows.delivery("shop", DeliveryStatus.PENDING);
        rows.change(first, "next_attempt_at = 1");
        String second = rows.delivery("shop", DeliveryStatus.PENDING);
        CountDownLatch release = new CountDownLatch(1);
        Future<?> holder =
                holding(release, "SELECT 1 FROM {deliveries} WHERE delivery_id = '" + first + "' FOR UPDATE");
        CountDownLatch secondIsLocked = new CountDownLatch(1);
        CountDownLatch cross = new CountDownLatch(1);
        Future<?> outcomes = other.submit(() -> rows.database.inTransaction(() -> {
            // Only the removal looks for a deadlock, so that it is the one to give way.
            rows.sql("SET LOCAL deadlock_timeout = '1h'").update();
            rows.change(second, "attempts = 2");
            secondIsLocked.countDown();
            await(cross);
            rows.change(first, "attempts = 2");
            return "";
        }));
        Patience.await(secondIsLocked);

        EndpointRemover remover = remover();
        Future<Boolean> removal = other.submit(() -> remover.remove("shop"));
        awaitBlockedSessions(1);
        cross.countDown();
        awaitBlockedSessions(2);
        release.countDown(); // to the removal, which then waits for the second
        assertThat(Patience.get(removal)).isTrue();

        Patience.get(holder);
        Patience.get(outcomes);
        for (String delivery : List.of(first, second)) {
            assertThat(rows.stored(delivery, "status")).isEqualTo("dead");
            assertThat(rows.stored(delivery, "attempts")).isEqualTo("2");
        }
    }

    @Test
    void settleWhenRemovalIsUncommittedThenDoesNotWait() throws Exception {
        rows.sql("INSERT INTO {endpoints} (endpoint_id, url, secret, created_at) VALUES ('shop', '', '', 0)")
                .update();
        rows.delivery("shop", DeliveryStatus.PENDING);
        rows.delivery("shop", DeliveryStatus.PENDING);
        DeliveryQueue queue = DeliveryQueue.of(rows.database, rows.tables, 8192);
        long later = DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1)).toEpochMilli();
        ClaimedDelivery claimed = queue.claim(
                        List.of(new DeliveryQueue.Quota("shop", 0, 1)), new Claim(7, "node", later, 0))
                .get(0);
        CountDownLatch removed = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        EndpointRemover remover = remover();
        Future<?> removal = other.submit(() -> rows.database.inTransaction(() -> {
            remover.remove("shop");
            removed.countDown();
            return await(done);
        }));
        Patience.await(removed);

        AttemptLog log = new AttemptLog(0, 1, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, ""), null);
        assertThat(queue.settle(List.of(Settlement.delivered(claimed, later, log))))
                .containsExactly(claimed.deliveryId());

        done.countDown();
        Patience.join(removal);
        assertThat(rows.stored(claimed.deliveryId(), "status")).isEqualTo("delivered");
    }

    /** Holds the locks of the statements in a transaction of another thread; returns when it has them. */
    private Future<?> holding(CountDownLatch done, String... statements) throws InterruptedException {
        CountDownLatch locked = new CountDownLatch(1);
        Future<?> holder = other.submit(() -> rows.database.inTransaction(() -> {
            for (String sql : statements) {
                rows.sql(sql).query(Integer.class).list();
            }
            locked.countDown();
            return await(done);
        }));
        Patience.await(locked);
        return holder;
    }

    /** Returns when so many sessions of this database wait for a lock. */
    private void awaitBlockedSessions(int count) {
        Patience.until(() -> rows.sql("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock'""").query(Integer.class).single() == count);
    }

    private EndpointRemover remover() {
        InstantSource clock = MutableClock.atNewYear();
        AuditTrail audit = new AuditTrail(AuditSink.none(), () -> null, clock, "", true, true);
        return new EndpointRemover(
                rows.context(clock),
                endpointId -> {},
                audit,
                new DeathReporter(rows.database, OperationalEvents.NONE, audit));
    }

    /** Gives up in the end, so that one who waits for the locks in vain gets to say so. */
    private static boolean await(CountDownLatch latch) {
        Patience.await(latch);
        return true;
    }
}
