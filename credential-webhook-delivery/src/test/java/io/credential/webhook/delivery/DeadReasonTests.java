package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.http.DestinationPolicy;

import static org.assertj.core.api.Assertions.assertThat;

/** Every delivery that dies is reported once, for a reason that does not change from version to version. */
@BothDatabases
class DeadReasonTests extends DispatcherTestBase {

    DeadReasonTests(TestDatabase test) {
        super(test);
    }

    @Test
    void reasonTextThenIsStableWord() {
        assertThat(DeadReason.values())
                .extracting(DeadReason::text)
                .containsExactly(
                        "attempts-exhausted",
                        "unsafe-destination",
                        "endpoint-removed",
                        "audience-changed",
                        "integrity",
                        "lease-expired",
                        "payload-not-json",
                        "payload-erased");
    }

    @Test
    void reasonWhenLastAttemptFailsThenAttemptsExhausted() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");

        Delivery dead = fixture.node(options -> options.maxAttempts(1))
                .dispatch("e", "{}")
                .deliveries()
                .get(0);

        assertDead(dead.deliveryId(), "attempts-exhausted", "HTTP 500");
    }

    @Test
    void reasonWhenAddressIsForbiddenThenUnsafeDestination() {
        fixture.endpoint("internal", "/internal");

        Delivery dead = fixture.node(options ->
                        options.destinationPolicy(DestinationPolicy.builder().build()))
                .dispatch("e", "{}")
                .deliveries()
                .get(0);

        assertThat(dead.status()).isEqualTo(DeliveryStatus.DEAD);
        assertDeathIsReported(dead.deliveryId(), "unsafe-destination");
    }

    @Test
    void reasonWhenRemovedDuringAttemptThenEndpointRemoved() {
        fixture.endpoint("shop", "/shop");
        String id = failingWhile("shop", () -> dispatcher.removeEndpoint("shop"));

        dispatcher.processRetries();

        assertDead(id, "endpoint-removed", "endpoint removed");
    }

    @Test
    void reasonWhenIdHasNewAudienceThenAudienceChanged() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*")
                        .audience("tenant-1"));
        String id = failingWhile("shop", () -> {
            dispatcher.removeEndpoint("shop");
            dispatcher.registerEndpoint(
                    EndpointRegistration.of("shop", fixture.receiver.url("/taken"), DispatcherFixture.SECRET, "*")
                            .audience("tenant-2"));
        });

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 1));

        assertThat(fixture.receiver.hooks("/taken")).isEmpty();
        assertDeathIsReported(id, "audience-changed");
        assertThat(fixture.delivery(id).lastError()).startsWith("audience-changed: ");
        dispatcher.dlq().replay(id);
        assertThat(fixture.receiver.hooks("/taken"))
                .as("nor when it is replayed")
                .isEmpty();
    }

    @Test
    void reasonWhenLastClaimIsNotSettledThenLeaseExpired() {
        fixture.endpoint("shop", "/shop");
        String id = fixture.rows.delivery("shop", DeliveryStatus.IN_FLIGHT);
        fixture.rows.change(id, "attempts = 7");
        fixture.clock.advance(Duration.ofMinutes(1));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 1));

        assertDead(id, "lease-expired", "lease expired");
    }

    @Test
    void reasonWhenEnvelopeGetsTextThenPayloadNotJson() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*")
                        .payloadFormat(PayloadFormat.ENVELOPE));

        Delivery dead = dispatcher.dispatch("e", "text").deliveries().get(0);

        assertDeathIsReported(dead.deliveryId(), "payload-not-json");
    }

    /** The id of a delivery whose attempt fails after something was done while it was under way. */
    private String failingWhile(String path, Runnable done) {
        CountDownLatch answer = new CountDownLatch(1);
        fixture.receiver.answeringAfter(answer, "/" + path, 500);
        CompletableFuture<DispatchResult> dispatched = CompletableFuture.supplyAsync(
                () -> dispatcher.dispatch("e", "{}", DispatchOptions.none().toEveryAudience()), threads);
        fixture.await(() -> !fixture.receiver.hooks("/" + path).isEmpty());
        done.run();
        answer.countDown();
        Delivery failed = Patience.join(dispatched).deliveries().get(0);
        assertThat(failed.status()).isEqualTo(DeliveryStatus.PENDING);
        fixture.clock.advance(Duration.ofMinutes(1));
        return failed.deliveryId();
    }

    private void assertDead(String deliveryId, String reason, String error) {
        Delivery delivery = fixture.delivery(deliveryId);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(delivery.lastError()).isEqualTo(error);
        assertDeathIsReported(deliveryId, reason);
    }

    private void assertDeathIsReported(String deliveryId, String reason) {
        Patience.untilAsserted(() -> assertThat(deaths(deliveryId)).containsExactly(reason));
    }

    private List<String> deaths(String deliveryId) {
        return fixture.audited.stream()
                .filter(event -> event.name().equals("webhook.delivery.dead"))
                .filter(event -> deliveryId.equals(event.resourceId()))
                .map(AuditEvent::reason)
                .toList();
    }
}
