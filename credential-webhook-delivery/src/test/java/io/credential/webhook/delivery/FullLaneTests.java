package io.credential.webhook.delivery;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What was claimed and waits for its turn goes where the endpoint is when the turn comes, and not where it was. */
@BothDatabases
class FullLaneTests {

    private static final int AT_ONCE = 4;
    private static final int EVENTS = 20;

    private final CountDownLatch answers = new CountDownLatch(1);

    @AutoClose
    private final DispatcherFixture fixture;

    private final JdbcWebhookDispatcher dispatcher;

    FullLaneTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test);
        this.dispatcher =
                fixture.node(options -> DispatcherFixture.patient(options).maxInFlightPerEndpoint(AT_ONCE));
    }

    @Test
    void removeWhenLaneIsFullThenNothingMoreStarts() {
        fillTheLane();

        dispatcher.removeEndpoint("shop");
        answers.countDown();

        awaitAllSettled();
        assertThat(fixture.receiver.hooks("/shop")).hasSize(AT_ONCE);
    }

    @Test
    void replaceWhenLaneIsFullThenRestUsesNewUrlAndSecret() {
        fillTheLane();

        replace(dispatcher);
        answers.countDown();

        awaitAllSettled();
        assertRestGoesToTheNewUrlUnderTheNewSecret();
    }

    @Test
    void removeOnAnotherNodeThenNothingMoreStarts() {
        fillTheLane();

        fixture.dispatcher.removeEndpoint("shop");
        answerASecondLater();

        awaitAllSettled();
        assertThat(fixture.receiver.hooks("/shop")).hasSize(AT_ONCE);
    }

    @Test
    void replaceOnAnotherNodeThenRestUsesNewUrlAndSecret() {
        fillTheLane();

        replace(fixture.dispatcher);
        answerASecondLater();

        awaitAllSettled();
        assertRestGoesToTheNewUrlUnderTheNewSecret();
    }

    /** Later on a slow machine, which makes no difference. */
    private void answerASecondLater() {
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(answers::countDown);
    }

    private void replace(JdbcWebhookDispatcher node) {
        node.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/new"), "another secret of the endpoint", "*"));
    }

    private void assertRestGoesToTheNewUrlUnderTheNewSecret() {
        assertThat(fixture.receiver.hooks("/shop")).hasSize(AT_ONCE);
        assertThat(fixture.receiver.hooks("/new"))
                .hasSize(EVENTS - AT_ONCE)
                .allSatisfy(hook -> assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(() -> fixture.verify(hook))
                        .withMessage("The signature does not match"));
    }

    private void fillTheLane() {
        fixture.receiver.answeringAfter(answers, "/shop", 200);
        fixture.endpoint("shop", "/shop");
        for (int i = 0; i < EVENTS; i++) {
            dispatcher.enqueue("e", "{}");
        }
        dispatcher.start();
        fixture.await(() -> fixture.receiver.hooks("/shop").size() == AT_ONCE);
        fixture.await(() -> fixture.rows
                        .sql("SELECT count(*) FROM {deliveries} WHERE status = 'in-flight'")
                        .query(Integer.class)
                        .single()
                == EVENTS);
    }

    private void awaitAllSettled() {
        fixture.await(() -> fixture.rows
                        .sql("SELECT count(*) FROM {deliveries} WHERE delivered_at IS NULL AND dead_at IS NULL")
                        .query(Integer.class)
                        .single()
                == 0);
    }
}
