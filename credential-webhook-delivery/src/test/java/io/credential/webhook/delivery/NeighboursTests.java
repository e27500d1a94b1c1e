package io.credential.webhook.delivery;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What endpoints that do not answer mean for the others. */
@BothDatabases
class NeighboursTests extends DispatcherTestBase {

    /** More than together fill all places for attempts. */
    private static final int HANGING = 20;

    private static final int EVENTS = 20;

    NeighboursTests(TestDatabase test) {
        super(test);
    }

    @Test
    void endpointWhenManyOthersHangThenIsAttempted() {
        JdbcWebhookDispatcher node = started();
        enqueueToHangingEndpoints(node);
        registerAnswering();

        node.enqueue("to-up", "{}");

        fixture.await(() -> fixture.receiver.hooks("/up").size() == 1);
    }

    @Test
    void endpointWhenItHasAnsweredThenKeepsItsPlaces() {
        JdbcWebhookDispatcher node = started();
        registerAnswering();
        node.enqueue("to-up", "{}");
        fixture.await(() -> fixture.receiver.hooks("/up").size() == 1);
        enqueueToHangingEndpoints(node);

        for (int i = 1; i < EVENTS; i++) {
            node.enqueue("to-up", "{}");
        }

        fixture.await(() -> fixture.receiver.hooks("/up").size() == EVENTS);
    }

    @Test
    void dispatchWhenLastAttemptTimedOutThenDoesNotWait() {
        fixture.receiver.hanging("/hang");
        fixture.endpoint("hang", "/hang");
        JdbcWebhookDispatcher node = fixture.node(
                options -> options.requestTimeout(Duration.ofSeconds(1)).dispatchWait(Duration.ofHours(1)));
        assertThat(node.dispatch("e", "{}").failed()).isEqualTo(1);

        DispatchResult second = node.dispatch("e", "{}");

        assertThat(second.failed()).isZero();
        assertThat(second.deliveries()).extracting(Delivery::status).containsExactly(DeliveryStatus.IN_FLIGHT);
    }

    private void registerAnswering() {
        fixture.endpoint("up", "/up", "to-up");
    }

    /** None of its attempts times out while the test runs. */
    private JdbcWebhookDispatcher started() {
        fixture.receiver.hanging("/hang");
        JdbcWebhookDispatcher node = fixture.node(DispatcherFixture::patient);
        node.start();
        return node;
    }

    private void enqueueToHangingEndpoints(JdbcWebhookDispatcher node) {
        for (int i = 0; i < HANGING; i++) {
            fixture.endpoint("hangs-" + i, "/hang", "to-hanging");
        }
        for (int i = 0; i < EVENTS; i++) {
            node.enqueue("to-hanging", "{}");
        }
        fixture.await(() -> fixture.receiver.hooks("/hang").size() >= HANGING);
    }
}
