package io.credential.webhook.delivery;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What the application does when it hears of a death holds up no outcome. */
@BothDatabases
class SlowSinkTests extends DispatcherTestBase {

    SlowSinkTests(TestDatabase test) {
        super(test);
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down", "bad");
        fixture.endpoint("shop", "/shop", "good");
    }

    @Test
    void auditSinkWhenItHangsThenOutcomesAreStored() {
        CountDownLatch hanging = new CountDownLatch(1);
        JdbcWebhookDispatcher node =
                fixture.node(options -> options.maxAttempts(1).auditSink(event -> Patience.await(hanging)));

        assertThat(node.dispatch("bad", "{}").deliveries())
                .extracting(Delivery::status)
                .containsExactly(DeliveryStatus.DEAD);
        assertThat(node.dispatch("good", "{}").delivered()).isEqualTo(1);
        hanging.countDown();
    }

    @Test
    void auditSinkWhenItDispatchesThenDelivered() {
        AtomicReference<JdbcWebhookDispatcher> node = new AtomicReference<>();
        List<DispatchResult> results = new CopyOnWriteArrayList<>();
        node.set(fixture.node(options ->
                options.maxAttempts(1).auditSink(event -> results.add(node.get().dispatch("good", "{}")))));

        node.get().dispatch("bad", "{}");

        Patience.untilAsserted(
                () -> assertThat(results).extracting(DispatchResult::delivered).containsExactly(1));
    }
}
