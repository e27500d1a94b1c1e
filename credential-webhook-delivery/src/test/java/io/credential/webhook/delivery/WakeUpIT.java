package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.internal.notification.PostgresNotifications;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** An idle node attempts at once what another node has only stored. */
class WakeUpIT {

    /**
     * Each is enqueued when the one before it was delivered. A node that is not woken looks every 15 seconds: it would take
     * twice as long as the test waits.
     */
    private static final int ROUNDS = 40;

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    @Test
    void enqueueWhenOtherNodeIsIdleThenWakesIt() throws ExecutionException {
        fixture.endpoint("shop", "*");
        fixture.node("pollInterval=PT12H", "notifications=true");
        try (PostgresNotifications notifications = new PostgresNotifications(
                        fixture.database(),
                        new DriverManagerDataSource(fixture.jdbcUrl()),
                        System::nanoTime,
                        new SecureRandom());
                JdbcWebhookDispatcher storing = DispatcherNode.builder(
                                fixture.database(), DispatcherNode.arguments(fixture.jdbcUrl(), fixture.key))
                        .notifications(notifications)
                        .build()) {
            notifications.start();

            Patience.get(CompletableFuture.runAsync(() -> deliverOneAfterTheOther(storing), threads));
        }
        assertThat(fixture.receiver.receipts()).hasSize(ROUNDS);
    }

    private void deliverOneAfterTheOther(JdbcWebhookDispatcher storing) {
        for (int i = 1; i <= ROUNDS; i++) {
            storing.enqueue("event", "{}");
            fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        }
    }
}
