package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.EveryPool;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes work on the same rows without failures, however their pools are set. */
@EveryPool
class PoolKindTests {

    private static final int NODES = 4;
    private static final int EVENTS = 40;

    private final TestDatabase test;

    @AutoClose
    private final DispatcherFixture fixture;

    PoolKindTests(TestDatabase test) {
        this.test = test;
        this.fixture = new DispatcherFixture(test);
    }

    @Test
    void dispatchWhenEndpointFailsThenRetried() {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        fixture.endpoint("shop", "/shop");
        String id = fixture.dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        fixture.clock.advance(Duration.ofSeconds(5));
        fixture.dispatcher.processRetries();

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(fixture.delivery(id).attempts()).isEqualTo(2);
    }

    @Test
    void processRetriesWhenOnSeveralNodesThenEachSentOnce() {
        fixture.endpoint("shop", "/shop");
        for (int i = 0; i < EVENTS; i++) {
            fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        }
        Queue<JdbcWebhookDispatcher> nodes = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(fixture.node(UnaryOperator.identity()));
        }

        List<Integer> attempts = InParallel.run(NODES, () -> attemptAll(nodes.remove()));

        assertThat(attempts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(EVENTS);
        assertThat(fixture.receiver.hooks()).hasSize(EVENTS);
        assertThat(fixture.rows.ids("delivery_id", "{deliveries} WHERE delivered_at IS NOT NULL"))
                .hasSize(EVENTS);
    }

    @Test
    void checkAndInsertWhenOnSeveralNodesThenAcceptedOnce() {
        JdbcNonceStore nonces = new JdbcNonceStore(test.migrate(JdbcNonceStore.SCHEMA));
        Instant expiry = Instant.now().plus(Duration.ofHours(1));

        int accepted =
                InParallel.countSuccesses(NODES, EVENTS, round -> nonces.checkAndInsert("nonce-" + round, expiry));

        assertThat(accepted).isEqualTo(EVENTS);
    }

    private static int attemptAll(JdbcWebhookDispatcher node) {
        int all = 0;
        int attempted;
        do {
            attempted = node.processRetries().attempted();
            all += attempted;
        } while (attempted > 0);
        return all;
    }
}
