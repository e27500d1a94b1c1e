package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Attempts that somebody asks for. */
@BothDatabases
class RedeliveryTests extends DispatcherTestBase {

    RedeliveryTests(TestDatabase test) {
        super(test);
    }

    @Test
    void retryWhenPendingThenAttemptedAtOnceAndCountsAnew() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        Delivery retried = dispatcher.deliveries().retry(id);

        assertThat(retried.attempts()).isEqualTo(1);
        assertThat(retried.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(retried.nextAttemptAt()).isEqualTo(fixture.clock.instant().plusSeconds(5));
        assertThat(fixture.delivery(id)).isEqualTo(retried);
        assertThat(dispatcher.deliveries().attempts(id)).hasSize(3);
    }

    @Test
    void retryThenAuditedWithTheStatusBefore() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        dispatcher.deliveries().retry(id);

        assertThat(fixture.audited)
                .filteredOn(event -> event.name().equals("webhook.delivery.retry"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.outcome()).isEqualTo(AuditEvent.Outcome.SUCCESS);
                    assertThat(event.resourceId()).isEqualTo(id);
                    assertThat(event.attributes()).containsOnly(Map.entry("statusBefore", "delivered"));
                });
    }

    @Test
    void retryWhenInTransactionThenAuditedAfterTheCommit() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        fixture.database().inTransaction(() -> {
            dispatcher.deliveries().retry(id);
            assertThat(fixture.audited).extracting(AuditEvent::name).doesNotContain("webhook.delivery.retry");
            return id;
        });

        assertThat(fixture.audited).extracting(AuditEvent::name).contains("webhook.delivery.retry");
    }

    @Test
    void retryWhenDeliveredThenSentAgainUnderItsId() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        Delivery retried = dispatcher.deliveries().retry(id);

        assertThat(retried.status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Delivery-Id"))
                .containsExactly(id, id);
    }

    @Test
    void replayWhenDeadThenDelivered() {
        String id = dead();
        fixture.receiver.answering("/down", 200);

        Delivery replayed = dispatcher.dlq().replay(id);

        assertThat(replayed.status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(replayed.attempts()).isEqualTo(1);
        assertThat(dispatcher.dlq().list()).isEmpty();
    }

    @Test
    void retryWhenInFlightThenRefused() {
        String id = fixture.rows.delivery("up", DeliveryStatus.IN_FLIGHT);

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.deliveries().retry(id))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/in-flight");
    }

    @Test
    void idWhenUnknownThenNotFound() {
        for (String id : List.of("0".repeat(32), "", "nonsense", "A".repeat(32), "0".repeat(5000))) {
            for (Runnable call : List.<Runnable>of(
                    () -> dispatcher.deliveries().retry(id),
                    () -> dispatcher.dlq().replay(id))) {
                assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(call::run)
                        .extracting(WebhookDispatcherException::code)
                        .isEqualTo("webhook-dispatcher/not-found");
            }
            assertThat(dispatcher.deliveries().get(id)).isEmpty();
        }
    }

    @Test
    void replayWhenNotDeadThenNotFound() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dlq().replay(id))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/not-found");
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void replayWhenAnotherReplayCameFirstThenSentOnce() {
        String id = dead();
        fixture.receiver.answering("/down", 200);
        int sent = fixture.receiver.hooks().size();
        LateRandom late = new LateRandom();
        JdbcWebhookDispatcher other = fixture.node(options -> options.random(late));
        CompletableFuture<Delivery> second =
                CompletableFuture.supplyAsync(() -> other.dlq().replay(id), threads);
        fixture.await(late.waiting::get);

        assertThat(dispatcher.dlq().replay(id).status()).isEqualTo(DeliveryStatus.DELIVERED);
        late.goOn.countDown();

        assertRefused(second, "webhook-dispatcher/not-found");
        assertThat(fixture.receiver.hooks()).hasSize(sent + 1);
    }

    @Test
    void retryWhenAnotherRetryCameFirstThenSentOnce() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        LateRandom late = new LateRandom();
        JdbcWebhookDispatcher other = fixture.node(options -> options.random(late));
        CompletableFuture<Delivery> second =
                CompletableFuture.supplyAsync(() -> other.deliveries().retry(id), threads);
        fixture.await(late.waiting::get);

        assertThat(dispatcher.deliveries().retry(id).status()).isEqualTo(DeliveryStatus.DELIVERED);
        late.goOn.countDown();

        assertRefused(second, "webhook-dispatcher/in-flight");
        assertThat(fixture.receiver.hooks()).hasSize(2);
    }

    @RepeatedTest(3)
    void replayWhenCalledAtOnceThenOneSucceeds() {
        String id = dead();
        fixture.receiver.answering("/down", 200);
        int sent = fixture.receiver.hooks().size();
        List<CompletableFuture<Boolean>> replays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            replays.add(CompletableFuture.supplyAsync(() -> replays(id), threads));
        }
        assertThat(replays.stream().filter(Patience::join)).hasSize(1);
        assertThat(fixture.receiver.hooks()).hasSize(sent + 1);
    }

    @Test
    void replayInATransactionWhenReplayedBeforeThenRefused() {
        String id = dead();
        fixture.database().inTransaction(() -> dispatcher.dlq().replay(id));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() ->
                        fixture.database().inTransaction(() -> dispatcher.dlq().replay(id)))
                .returns("webhook-dispatcher/not-found", WebhookDispatcherException::code);
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.PENDING);
    }

    private boolean replays(String id) {
        try {
            dispatcher.dlq().replay(id);
            return true;
        } catch (WebhookDispatcherException e) {
            assertThat(e.code()).isEqualTo("webhook-dispatcher/not-found");
            return false;
        }
    }

    private static void assertRefused(CompletableFuture<Delivery> call, String code) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Patience.get(call))
                .havingCause()
                .extracting(cause -> ((WebhookDispatcherException) cause).code())
                .isEqualTo(code);
    }

    /** Waits where a claim draws its token: after it was seen what is to be claimed, before it is. */
    private static final class LateRandom extends SecureRandom {

        private static final long serialVersionUID = 1L;

        private final transient AtomicBoolean waiting = new AtomicBoolean();
        private final transient CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public long nextLong() {
            waiting.set(true);
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.nextLong();
        }
    }

    @Test
    void replayAllThenMakesThemPendingAndDue() {
        String first = dead();
        String second = dead();
        fixture.receiver.answering("/down", 200);

        assertThat(dispatcher.dlq().replayAll(DeadLetterQuery.all())).isEqualTo(2);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(2, 2, 0));
        assertThat(fixture.delivery(first).attempts()).isEqualTo(1);
        assertThat(fixture.delivery(second).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void purgeThenRemovesDeadDeliveriesForGood() {
        String id = dead();

        assertThat(dispatcher.dlq().purge(DeadLetterQuery.all())).isEqualTo(1);
        assertThat(dispatcher.deliveries().get(id)).isEmpty();
        assertThat(dispatcher.deliveries().attempts(id)).isEmpty();
    }

    @Test
    void listThenShowsOnlyTheDeadNewestFirst() {
        String older = fixture.rows.delivery("shop", DeliveryStatus.DEAD);
        fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        String newer = fixture.rows.delivery("other", DeliveryStatus.DEAD);

        assertThat(dispatcher.dlq().list()).extracting(Delivery::deliveryId).containsExactly(newer, older);
        assertThat(dispatcher.dlq().list(1)).extracting(Delivery::deliveryId).containsExactly(newer);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dlq().list(0))
                .withMessageContaining("limit");
    }

    private String dead() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        JdbcWebhookDispatcher once = fixture.node(options -> options.maxAttempts(1));
        Delivery dead = once.dispatch("e", "{}").deliveries().get(0);
        assertThat(dead.status()).isEqualTo(DeliveryStatus.DEAD);
        return dead.deliveryId();
    }
}
