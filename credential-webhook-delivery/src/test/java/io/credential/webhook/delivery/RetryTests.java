package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.replay.InMemoryNonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The states of a delivery after its first attempt, one row of the table after the other. */
@BothDatabases
class RetryTests extends DispatcherTestBase {

    RetryTests(TestDatabase test) {
        super(test);
    }

    @Test
    void pausesWhenFailingThenDoubleUntilTheEighthIsDead() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        List<Long> pauses = new ArrayList<>();
        while (fixture.delivery(id).status() == DeliveryStatus.PENDING) {
            Duration pause = Duration.between(
                    fixture.clock.instant(), fixture.delivery(id).nextAttemptAt());
            pauses.add(pause.toSeconds());
            fixture.clock.advance(pause.minusMillis(1));
            assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
            fixture.clock.advance(Duration.ofMillis(1));
            RetryResult result = dispatcher.processRetries();
            assertThat(result.attempted()).isEqualTo(1);
            assertThat(result.dead()).isEqualTo(pauses.size() == 7 ? 1 : 0);
        }

        assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L);
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(fixture.delivery(id).attempts()).isEqualTo(8);
        assertThat(fixture.receiver.hooks()).hasSize(8);
        Patience.untilAsserted(() -> assertThat(fixture.audited).anySatisfy(event -> {
            assertThat(event.name()).isEqualTo("webhook.delivery.dead");
            assertThat(event.resourceId()).isEqualTo(id);
        }));
    }

    @Test
    void pausesThenAreNoLongerThanAnHour() {
        JdbcWebhookDispatcher patient = fixture.node(options -> options.maxAttempts(20));
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        String id = patient.dispatch("e", "{}").deliveries().get(0).deliveryId();

        List<Long> pauses = new ArrayList<>();
        for (int attempt = 1; attempt <= 12; attempt++) {
            Instant due = fixture.delivery(id).nextAttemptAt();
            pauses.add(Duration.between(fixture.clock.instant(), due).toSeconds());
            fixture.clock.set(due);
            patient.processRetries();
        }

        assertThat(pauses).endsWith(2560L, 3600L, 3600L);
    }

    @Test
    void processRetriesWhenRetrySucceedsThenDelivered() {
        fixture.receiver.answeringInTurn("/flaky", 503, 204);
        fixture.endpoint("flaky", "/flaky");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        fixture.clock.advance(Duration.ofSeconds(5));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        Delivery delivered = fixture.delivery(id);
        assertThat(delivered.status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(delivered.attempts()).isEqualTo(2);
        assertThat(delivered.lastError()).isNull();
        assertThat(delivered.deliveredAt()).isEqualTo(fixture.clock.instant());
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
    }

    @Test
    void attemptWhenRepeatedThenSameIdAndFreshSignature() {
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        dispatcher.dispatch("e", "{}");
        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        List<HookReceiver.Hook> hooks = fixture.receiver.hooks();
        assertThat(hooks).hasSize(2);
        assertThat(hooks)
                .extracting(hook -> hook.header("X-Webhook-Delivery-Id"))
                .containsOnly(hooks.get(0).header("X-Webhook-Delivery-Id"));
        assertThat(hooks).extracting(hook -> hook.header("X-Webhook-Attempt")).containsExactly("1", "2");
        assertThat(hooks).extracting(hook -> fixture.verify(hook).id()).doesNotHaveDuplicates();
    }

    @Test
    void nonceStoreWhenRedeliveredThenOnlyACopyIsRefused() {
        InMemoryNonceStore nonces = new InMemoryNonceStore(fixture.clock, 100);
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        dispatcher.dispatch("e", "{}");
        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        List<HookReceiver.Hook> hooks = fixture.receiver.hooks();
        assertThat(fixture.verify(hooks.get(0), nonces).kid()).isEqualTo("v1");
        assertThat(fixture.verify(hooks.get(1), nonces).kid()).isEqualTo("v1");
        assertThat(catchThrowableOfType(WebhookException.class, () -> fixture.verify(hooks.get(1), nonces))
                        .code())
                .isEqualTo("webhook/replay");
    }

    @Test
    void retryAfterWhen429Or503ThenMovesTheAttemptLater() {
        for (int status : new int[] {429, 503}) {
            String path = "/busy-" + status;
            answeringRetryAfter(path, status, 120);
            fixture.endpoint("busy-" + status, path, "e" + status);

            assertThat(failOnce("e" + status)).isEqualTo(fixture.clock.instant().plusSeconds(120));
        }
    }

    @Test
    void retryAfterWhenShortThenMovesNothingEarlier() {
        answeringRetryAfter("/busy", 429, 1);
        fixture.endpoint("busy", "/busy");

        assertThat(failOnce("e")).isEqualTo(fixture.clock.instant().plusSeconds(5));
    }

    @Test
    void retryAfterWhenHugeThenCappedAtTheLongestPause() {
        answeringRetryAfter("/busy", 503, 9999999);
        fixture.endpoint("busy", "/busy");

        assertThat(failOnce("e")).isEqualTo(fixture.clock.instant().plusSeconds(3600));
    }

    @Test
    void retryAfterWhenAnotherStatusThenIsNotHeeded() {
        answeringRetryAfter("/down", 500, 120);
        fixture.endpoint("down", "/down");

        assertThat(failOnce("e")).isEqualTo(fixture.clock.instant().plusSeconds(5));
    }

    @Test
    void removeEndpointThenItsDeliveriesAreDead() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        dispatcher.removeEndpoint("down");

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(fixture.delivery(id).lastError()).isEqualTo("endpoint removed");
    }

    @Test
    void processRetriesWhenEndpointIsGoneThenDead() {
        String id = fixture.rows.delivery("gone", DeliveryStatus.PENDING);

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 1));
        assertThat(fixture.delivery(id).lastError()).isEqualTo("endpoint removed");
        assertThat(fixture.delivery(id).attempts()).isEqualTo(1);
    }

    @Test
    void attemptsThenAreLoggedWithTheirAnswers() {
        fixture.receiver.answering("/down", exchange -> HookReceiver.respond(exchange, 500, "x".repeat(5000)));
        fixture.endpoint("down", "/down");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        List<DeliveryAttempt> attempts = dispatcher.deliveries().attempts(id);
        assertThat(attempts).hasSize(2);
        DeliveryAttempt latest = attempts.get(0);
        assertThat(latest.attempt()).isEqualTo(2);
        assertThat(latest.startedAt()).isEqualTo(fixture.clock.instant());
        assertThat(latest.responseStatus()).isEqualTo(500);
        assertThat(latest.error()).isEqualTo("HTTP 500");
        assertThat(latest.responseBody()).isEqualTo("x".repeat(2048));
    }

    private void answeringRetryAfter(String path, int status, int seconds) {
        fixture.receiver.answering(path, exchange -> {
            exchange.getResponseHeaders().set("Retry-After", Integer.toString(seconds));
            HookReceiver.respond(exchange, status, "");
        });
    }

    private Instant failOnce(String eventType) {
        Delivery delivery = dispatcher.dispatch(eventType, "{}").deliveries().get(0);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        return delivery.nextAttemptAt();
    }
}
