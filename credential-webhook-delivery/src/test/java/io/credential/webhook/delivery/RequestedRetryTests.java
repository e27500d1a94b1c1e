package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static io.credential.webhook.delivery.RetryOutcome.IN_FLIGHT;
import static io.credential.webhook.delivery.RetryOutcome.NOT_FOUND;
import static io.credential.webhook.delivery.RetryOutcome.PAYLOAD_ERASED;
import static io.credential.webhook.delivery.RetryOutcome.RETRIED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/** Deliveries that somebody picks, and the payload of one. */
@BothDatabases
class RequestedRetryTests extends DispatcherTestBase {

    private static final String UNKNOWN = "0".repeat(32);

    RequestedRetryTests(TestDatabase test) {
        super(test);
    }

    @Test
    void retryThenOutcomesAreInTheGivenOrder() {
        String dead = fixture.rows.delivery("shop", DeliveryStatus.DEAD);
        String inFlight = fixture.rows.delivery("shop", DeliveryStatus.IN_FLIGHT);
        String erased = fixture.rows.delivery("shop", DeliveryStatus.DELIVERED);
        fixture.rows.change(erased, "erased_at = 1");
        String pending = fixture.rows.delivery("shop", DeliveryStatus.PENDING);

        assertThat(dispatcher.deliveries().retry(List.of(pending, UNKNOWN, erased, inFlight, dead)))
                .containsExactly(
                        new RequestedRetry(pending, RETRIED),
                        new RequestedRetry(UNKNOWN, NOT_FOUND),
                        new RequestedRetry(erased, PAYLOAD_ERASED),
                        new RequestedRetry(inFlight, IN_FLIGHT),
                        new RequestedRetry(dead, RETRIED));
        assertThat(fixture.delivery(dead))
                .returns(DeliveryStatus.PENDING, Delivery::status)
                .returns(0, Delivery::attempts)
                .returns(fixture.clock.instant(), Delivery::nextAttemptAt);
        assertThat(fixture.delivery(inFlight).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        assertThat(fixture.delivery(erased).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void retryThenSentInTheBackground() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        dispatcher.deliveries().retry(List.of(id, id));
        assertThat(fixture.receiver.hooks()).hasSize(1);

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void retryThenANodeThatRunsSendsThemWithoutAPoll() {
        fixture.endpoint("up", "/up");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        fixture.dispatcher.start();

        dispatcher.deliveries().retry(List.of(id));

        fixture.await(() -> fixture.receiver.hooks().size() == 2);
    }

    @Test
    void retryThenEachIsAudited() {
        String dead = fixture.rows.delivery("shop", DeliveryStatus.DEAD);
        String delivered = fixture.rows.delivery("shop", DeliveryStatus.DELIVERED);
        String inFlight = fixture.rows.delivery("shop", DeliveryStatus.IN_FLIGHT);

        dispatcher.deliveries().retry(List.of(delivered, UNKNOWN, inFlight, dead));

        assertThat(fixture.audited)
                .extracting(AuditEvent::name, AuditEvent::resourceId, AuditEvent::attributes)
                .containsExactlyInAnyOrder(
                        tuple("webhook.delivery.retry", dead, Map.of("statusBefore", "dead")),
                        tuple("webhook.delivery.retry", delivered, Map.of("statusBefore", "delivered")));
    }

    @Test
    void retryWhenTheCallerRollsBackThenNothingIsChanged() {
        String dead = fixture.rows.delivery("shop", DeliveryStatus.DEAD);

        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.database().inTransaction(() -> {
                    assertThat(dispatcher.deliveries().retry(List.of(dead)))
                            .containsExactly(new RequestedRetry(dead, RETRIED));
                    throw new IllegalStateException("The caller changed its mind");
                }))
                .withMessageContaining("changed its mind");

        assertThat(fixture.delivery(dead).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(fixture.audited).isEmpty();
    }

    @Test
    void retryWhenCalledAtOnceThenBothSucceed() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ids.add(fixture.rows.delivery("shop", DeliveryStatus.DEAD));
        }
        List<String> reversed = new ArrayList<>(ids);
        Collections.reverse(reversed);
        List<List<String>> orders = Collections.synchronizedList(new ArrayList<>(List.of(ids, reversed)));

        InParallel.run(
                2,
                () -> assertThat(dispatcher.deliveries().retry(orders.remove(0)))
                        .extracting(RequestedRetry::outcome)
                        .containsOnly(RETRIED));

        assertThat(fixture.rows.ids("delivery_id", "{deliveries} WHERE status = 'pending' AND redeliveries = 2"))
                .hasSize(100);
    }

    static List<Collection<String>> badIds() {
        return List.of(
                List.of(),
                Collections.nCopies(101, UNKNOWN),
                List.of("A".repeat(32)),
                List.of(UNKNOWN, "no\0id"),
                Collections.singletonList(null));
    }

    @ParameterizedTest
    @MethodSource("badIds")
    void retryWhenIdsAreBadThenRefused(Collection<String> ids) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.deliveries().retry(ids))
                .withMessageContaining("deliveryIds must be")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void payloadThenItsBytesAndAudited() {
        fixture.endpoint("up", "/up");
        byte[] payload = {'"', (byte) 0xc3, (byte) 0xa9, '"'};
        String id = dispatcher.dispatch("e", payload).deliveries().get(0).deliveryId();

        assertThat(dispatcher.deliveries().payload(id))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(payload));

        assertThat(fixture.audited)
                .filteredOn(event -> event.name().equals("webhook.payload.read"))
                .singleElement()
                .returns(id, AuditEvent::resourceId)
                .returns("webhook-delivery", AuditEvent::resourceKind);
    }

    @Test
    void payloadWhenErasedOrUnknownThenEmptyAndNotAudited() {
        String erased = fixture.rows.delivery("shop", DeliveryStatus.DELIVERED);
        dispatcher
                .deliveries()
                .erasePayloads(ErasureQuery.ofEvent(fixture.delivery(erased).eventId()));
        String marked = fixture.rows.delivery("shop", DeliveryStatus.DELIVERED);
        fixture.rows.change(marked, "erased_at = 1");
        fixture.audited.clear();

        for (String id : List.of(erased, marked, UNKNOWN, "", "no\0id", "A".repeat(32))) {
            assertThat(dispatcher.deliveries().payload(id)).isEmpty();
        }
        assertThat(fixture.audited).isEmpty();
    }
}
