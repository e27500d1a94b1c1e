package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.LocalNotifications;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Other nodes are notified of deliveries that this node cannot attempt at once, and of no others. */
@BothDatabases
class NodeNotificationTests {

    private static final String NOTIFICATION = "webhook-deliveries _credential_webhook_deliveries";

    private final LocalNotifications.Node notifications = new LocalNotifications().node();
    private final CountDownLatch answers = new CountDownLatch(1);

    @AutoClose
    private final DispatcherFixture fixture;

    private final JdbcWebhookDispatcher dispatcher;

    NodeNotificationTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test);
        this.dispatcher = fixture.node(options -> options.notifications(notifications)
                .maxInFlight(1)
                .maxInFlightPerEndpoint(1)
                .batchSize(1));
    }

    @Test
    void enqueueWhenThereIsCapacityThenNoNotification() {
        fixture.endpoint("shop", "/shop");
        dispatcher.start();

        dispatcher.enqueue("e", "{}");
        fixture.database().inTransaction(() -> dispatcher.enqueue("e", "{}"));

        fixture.await(() -> fixture.receiver.hooks("/shop").size() == 2);
        assertThat(notifications.published()).isEmpty();
    }

    /** The others may have a share of the limit that they have not used. */
    @Test
    void enqueueWhenRateIsReachedThenNotifies() {
        fixture.dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*")
                        .rateLimit(1, Duration.ofDays(1)));
        dispatcher.start();
        dispatcher.enqueue("e", "{}");
        fixture.await(() -> fixture.receiver.hooks("/shop").size() == 1);
        assertThat(notifications.published()).isEmpty();

        dispatcher.enqueue("e", "{}");

        assertThat(notifications.published()).containsExactly(NOTIFICATION);
    }

    @Test
    void enqueueWhenEndpointIsPausedThenOnlyResumeNotifies() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");

        dispatcher.enqueue("e", "{}");
        assertThat(notifications.published()).isEmpty();
        dispatcher.resumeEndpoint("shop");
        dispatcher.resumeEndpoint("shop"); // does nothing

        assertThat(notifications.published()).containsExactly(NOTIFICATION);
    }

    @Test
    void enqueueWhenNotStartedThenOthersAreNotified() {
        fixture.endpoint("shop", "/shop");

        dispatcher.enqueue("e", "{}");
        assertThat(notifications.published()).containsExactly(NOTIFICATION);

        fixture.database().inTransaction(() -> {
            dispatcher.enqueue("e", "{}");
            assertThat(notifications.published()).as("not before the commit").hasSize(1);
            return null;
        });
        assertThat(notifications.published()).containsExactly(NOTIFICATION, NOTIFICATION);
    }

    @Test
    void enqueueWhenNoEndpointMatchesThenNoNotification() {
        dispatcher.enqueue("e", "{}");

        assertThat(notifications.published()).isEmpty();
    }

    @Test
    void enqueueWhenNodeIsFullThenOthersAreNotified() {
        holdAnswers();
        fixture.endpoint("shop", "/shop");
        dispatcher.start();

        for (int i = 0; notifications.published().isEmpty() && i < 1000; i++) {
            dispatcher.enqueue("e", "{}");
        }

        assertThat(notifications.published()).contains(NOTIFICATION);
        answers.countDown();
    }

    @Test
    void replayAllThenOthersAreNotified() {
        dispatcher.start();
        fixture.rows.delivery("shop", DeliveryStatus.DEAD);

        fixture.database().inTransaction(() -> {
            assertThat(dispatcher.dlq().replayAll(DeadLetterQuery.all())).isEqualTo(1);
            assertThat(notifications.published()).as("not before the commit").isEmpty();
            return null;
        });

        assertThat(notifications.published()).containsExactly(NOTIFICATION);
    }

    @Test
    void stopThenOthersAreNotified() {
        dispatcher.start();
        assertThat(notifications.published()).isEmpty();

        dispatcher.close();

        assertThat(notifications.published()).containsExactly(NOTIFICATION);
    }

    private void holdAnswers() {
        fixture.receiver.answeringAfter(answers, "/shop", 200);
    }
}
