package io.credential.webhook.delivery;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** How much one call of {@code processRetries} attempts, and of which endpoints. */
@BothDatabases
class FairBatchTests extends DispatcherTestBase {

    FairBatchTests(TestDatabase test) {
        super(test);
    }

    @Test
    void processRetriesThenAttemptsAtMostTheBatchSize() {
        JdbcWebhookDispatcher small = fixture.node(options -> options.batchSize(10));
        fixture.endpoint("partner", "/partner");
        for (int i = 0; i < 25; i++) {
            dispatcher.enqueue("e", "{}");
        }

        assertThat(small.processRetries().delivered()).isEqualTo(10);
        assertThat(small.processRetries().delivered()).isEqualTo(10);
        assertThat(small.processRetries().delivered()).isEqualTo(5);
    }

    @Test
    void processRetriesWhenOneEndpointThenFullBatchAtItsCap() {
        fixture.endpoint("partner", "/partner");
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch cap = new CountDownLatch(16);
        fixture.receiver.answering("/partner", exchange -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            cap.countDown();
            fixture.await(() -> cap.getCount() == 0);
            now.decrementAndGet();
            HookReceiver.respond(exchange, 200, "");
        });
        for (int i = 0; i < 110; i++) {
            dispatcher.enqueue("e", "{}");
        }

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(100, 100, 0));
        assertThat(most.get()).isEqualTo(16);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(10, 10, 0));
    }

    @Test
    void processRetriesWhenOneIsBusyThenOthersGetAShare() {
        JdbcWebhookDispatcher small = fixture.node(options -> options.batchSize(10));
        fixture.endpoint("busy", "/busy", "busy");
        fixture.endpoint("quiet", "/quiet", "quiet");
        for (int i = 0; i < 30; i++) {
            dispatcher.enqueue("busy", "{}");
        }
        dispatcher.enqueue("quiet", "{}");

        assertThat(small.processRetries().delivered()).isEqualTo(10);
        assertThat(fixture.receiver.hooks("/quiet")).hasSize(1);
        assertThat(fixture.receiver.hooks("/busy")).hasSize(9);
    }

    @Test
    void processRetriesWhenPassedOverThenFirstInTheNext() {
        JdbcWebhookDispatcher small = fixture.node(options -> options.batchSize(2));
        for (String name : List.of("a", "b", "c", "d")) {
            fixture.endpoint(name, "/" + name, name);
            for (int i = 0; i < 5; i++) {
                dispatcher.enqueue(name, "{}");
            }
        }

        small.processRetries();
        small.processRetries();

        for (String name : List.of("a", "b", "c", "d")) {
            assertThat(fixture.receiver.hooks("/" + name)).hasSize(1);
        }
    }
}
