package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is left of an event whose payload is erased, and what can be done with it. */
@BothDatabases
class PayloadErasureTests extends DispatcherTestBase {

    private static final String PAYLOAD = "{\"name\":\"Ada Lovelace\"}";
    private static final DispatchOptions KEYED = DispatchOptions.none().withIdempotencyKey("order-17");

    PayloadErasureTests(TestDatabase test) {
        super(test);
    }

    @Test
    void eraseThenLogKeepsWhatHappened() {
        Delivery before = delivered();

        assertThat(erase(before)).isEqualTo(new ErasureResult(1, 0, null));

        Delivery erased = fixture.delivery(before.deliveryId());
        assertThat(erased.payloadErasedAt()).isEqualTo(fixture.clock.instant());
        assertThat(erased)
                .usingRecursiveComparison()
                .ignoringFields("payloadErasedAt")
                .isEqualTo(before);
        assertThat(dispatcher.deliveries().attempts(before.deliveryId()))
                .singleElement()
                .returns(1, DeliveryAttempt::attempt)
                .returns(200, DeliveryAttempt::responseStatus)
                .returns(Map.of(), DeliveryAttempt::requestHeaders)
                .returns(null, DeliveryAttempt::responseBody);
        assertThat(dispatcher.deliveries().list(DeliveryQuery.all().withEvent(before.eventId())))
                .containsExactly(erased);
    }

    @Test
    void retryWhenErasedThenRefused() {
        String id = delivered().deliveryId();
        eraseAll();

        assertErased(() -> dispatcher.deliveries().retry(id));
        assertErased(() ->
                fixture.database().inTransaction(() -> dispatcher.deliveries().retry(id)));
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void replayWhenErasedThenRefused() {
        String id = dead().deliveryId();
        eraseAll();

        assertErased(() -> dispatcher.dlq().replay(id));
        assertThat(dispatcher.dlq().replayAll(DeadLetterQuery.all())).isZero();
        assertThat(dispatcher.dlq().list()).extracting(Delivery::deliveryId).containsExactly(id);
    }

    @Test
    void retryAllWhenErasedThenNotSelected() {
        delivered();
        eraseAll();
        Delivery other = delivered();

        assertThat(dispatcher.deliveries().count(DeliveryQuery.all())).isEqualTo(1);
        dispatcher.deliveries().retryAll(DeliveryQuery.all());
        fixture.dispatcher.continueJobs();

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        assertThat(fixture.receiver.hooks().get(2).header("X-Webhook-Delivery-Id"))
                .isEqualTo(other.deliveryId());
    }

    @Test
    void eraseWhenPendingThenStillDelivered() {
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        Delivery pending = dispatcher.dispatch("e", PAYLOAD).deliveries().get(0);

        assertThat(erase(pending)).isEqualTo(new ErasureResult(0, 1, null));
        fixture.clock.advance(Duration.ofSeconds(5));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        assertThat(erase(pending)).isEqualTo(new ErasureResult(1, 0, null));
    }

    @Test
    void eraseWhenPendingIsIncludedThenNeverSentAgain() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        Delivery pending = dispatcher.dispatch("e", PAYLOAD).deliveries().get(0);

        assertThat(dispatcher
                        .deliveries()
                        .erasePayloads(ErasureQuery.ofEvent(pending.eventId()).includingPending()))
                .isEqualTo(new ErasureResult(1, 0, null));
        fixture.clock.advance(Duration.ofSeconds(5));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
        assertThat(fixture.delivery(pending.deliveryId()))
                .returns(DeliveryStatus.DEAD, Delivery::status)
                .returns("payload erased", Delivery::lastError);
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void eraseWhenOfAudienceThenOnlyItsEvents() {
        fixture.endpoint("up", "/up");
        DispatchOptions customer7 = DispatchOptions.none().withAudience("customer-7");
        dispatcher.dispatch("e", PAYLOAD, customer7); // reaches no endpoint
        Delivery other = dispatcher.dispatch("e", PAYLOAD).deliveries().get(0);

        assertThat(dispatcher.deliveries().erasePayloads(ErasureQuery.ofAudience("customer-7")))
                .isEqualTo(new ErasureResult(1, 0, null));

        assertThat(fixture.rows.ids("event_id", "{events} WHERE payload IS NOT NULL"))
                .containsExactly(other.eventId());
    }

    @Test
    void idempotencyKeyWhenErasedThenFirstIsReturned() {
        fixture.endpoint("up", "/up");
        Delivery first = dispatcher.dispatch("e", PAYLOAD, KEYED).deliveries().get(0);
        erase(first);

        DispatchResult repeated = dispatcher.dispatch("e", PAYLOAD, KEYED);

        assertThat(repeated.deliveries()).extracting(Delivery::deliveryId).containsExactly(first.deliveryId());
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void idempotencyKeyWhenErasedJsonIsEqualThenReturned() {
        fixture.endpoint("up", "/up");
        Delivery first = dispatcher
                .dispatch("e", "{\"name\":\"Ada\",\"age\":36}", KEYED)
                .deliveries()
                .get(0);
        erase(first);

        assertThat(dispatcher
                        .dispatch("e", "{ \"age\": 36.0, \"name\": \"Ada\" }", KEYED)
                        .deliveries())
                .extracting(Delivery::deliveryId)
                .containsExactly(first.deliveryId());
    }

    @Test
    void errorWhenPayloadIsErasedThenNamesNothingOfIt() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*")
                        .payloadFormat(PayloadFormat.ENVELOPE));
        Delivery dead = dispatcher
                .dispatch("e", "{\"ada@example.com\":\n{\"ward\":hunter2}}")
                .deliveries()
                .get(0);
        erase(dead);

        assertThat(fixture.delivery(dead.deliveryId()).lastError())
                .contains("line 2")
                .doesNotContain("ada", "ward", "hunter");
        assertThat(fixture.audited.toString()).doesNotContain("ada@", "ward", "hunter");
    }

    @Test
    void idempotencyKeyWhenErasedEventDiffersThenRefused() {
        fixture.endpoint("up", "/up");
        erase(dispatcher.dispatch("e", PAYLOAD, KEYED).deliveries().get(0));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("e", "{\"name\":\"Ada Byron\"}", KEYED))
                .returns("webhook-dispatcher/idempotency-conflict", WebhookDispatcherException::code);
    }

    @Test
    void payloadDigestThenDependsOnTheKeyring() {
        fixture.endpoint("up", "/up");
        dispatcher.dispatch("e", PAYLOAD, KEYED);
        dispatcher.dispatch("e", PAYLOAD);

        List<String> digests = fixture.rows
                .sql("SELECT payload_digest FROM {events} ORDER BY idempotency_key")
                .query((row, index) -> String.valueOf(row.getString(1)))
                .list();

        assertThat(digests).filteredOn(digest -> digest.startsWith("i1.")).hasSize(1);
        assertThat(digests).contains("null");
    }

    @Test
    void eraseThenAuditedWithoutThePayload() {
        Delivery delivery = delivered();

        erase(delivery);

        assertThat(fixture.audited)
                .filteredOn(event -> event.name().equals("webhook.payload.erase"))
                .singleElement()
                .returns(delivery.eventId(), AuditEvent::resourceId)
                .returns(Map.of("erased", 1, "skipped", 0, "deadDeliveries", 0), AuditEvent::attributes);
    }

    @Test
    void removeExpiredWhenPayloadIsOldThenErased() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.payloadRetention(Duration.ofDays(3)));
        Delivery old = delivered();
        fixture.clock.advance(Duration.ofDays(3));
        Delivery recent = dispatcher.dispatch("e", PAYLOAD).deliveries().get(0);
        node.removeExpired();
        assertThat(fixture.delivery(old.deliveryId()).payloadErasedAt()).isNull();

        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(node.removeExpired()).isZero();

        assertThat(fixture.delivery(old.deliveryId()).payloadErasedAt()).isEqualTo(fixture.clock.instant());
        assertThat(fixture.delivery(recent.deliveryId()).payloadErasedAt()).isNull();
    }

    @Test
    void removeExpiredWithoutPayloadRetentionThenKept() {
        Delivery old = delivered();
        fixture.clock.advance(Duration.ofDays(29));

        fixture.dispatcher.removeExpired();

        assertThat(fixture.delivery(old.deliveryId()).payloadErasedAt()).isNull();
    }

    @Test
    void removeExpiredWhenErasedThenRemovedAfterRetention() {
        String id = delivered().deliveryId();
        eraseAll();
        fixture.clock.advance(Duration.ofDays(30).plusMillis(1));

        assertThat(fixture.dispatcher.removeExpired()).isEqualTo(1);
        assertThat(dispatcher.deliveries().get(id)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "ABCDEF0123456789ABCDEF0123456789"})
    void queryWhenIdIsMalformedThenRefused(String id) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ErasureQuery.ofEvent(id))
                .withMessageContaining("eventId")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ErasureQuery.ofAudience("customer-7").after(id))
                .withMessageContaining("cursor")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void queryWhenItSelectsEverythingThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> new ErasureQuery(null, null, null, true, null))
                .withMessageContaining("needs an event, an audience")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void queryWhenAudienceIsMalformedThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> ErasureQuery.ofAudience("not a name"))
                .withMessageContaining("audience")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private Delivery delivered() {
        fixture.endpoint("up", "/up");
        Delivery delivered = dispatcher.dispatch("e", PAYLOAD).deliveries().get(0);
        assertThat(delivered.status()).isEqualTo(DeliveryStatus.DELIVERED);
        return fixture.delivery(delivered.deliveryId());
    }

    private Delivery dead() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        Delivery dead = fixture.node(options -> options.maxAttempts(1))
                .dispatch("e", PAYLOAD)
                .deliveries()
                .get(0);
        assertThat(dead.status()).isEqualTo(DeliveryStatus.DEAD);
        return dead;
    }

    private ErasureResult erase(Delivery delivery) {
        return dispatcher.deliveries().erasePayloads(ErasureQuery.ofEvent(delivery.eventId()));
    }

    private void eraseAll() {
        ErasureResult result = dispatcher
                .deliveries()
                .erasePayloads(
                        ErasureQuery.ofCreatedBefore(fixture.clock.instant().plusSeconds(1)));
        assertThat(result.erased()).isPositive();
    }

    private static void assertErased(Runnable call) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(call::run)
                .withMessageContaining("was erased")
                .returns("webhook-dispatcher/payload-erased", WebhookDispatcherException::code);
    }
}
