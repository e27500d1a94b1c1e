package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherFixture;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** Who may attempt a delivery, and when another takes it over. */
@BothDatabases
class ClaimTests extends DispatcherTestBase {

    ClaimTests(TestDatabase test) {
        super(test);
    }

    @Test
    void claimWhenOwnerHasNoLeaseThenTakenOverAndCounted() {
        fixture.endpoint("partner", "/partner");
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
        fixture.clock.set(claimedAt(id).plusSeconds(15));
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        assertThat(fixture.delivery(id).attempts()).isEqualTo(3);
    }

    @Test
    void claimWhenOwnerHasALeaseThenKeptUntilStale() {
        fixture.endpoint("partner", "/partner");
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.lease("node", 1);

        fixture.clock.set(claimedAt(id).plus(Duration.ofMinutes(5)).minusMillis(1));
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void attemptWhenOwnNodeLosesItsLeaseThenNotBegunAgain() {
        fixture.receiver.hanging("/hang");
        fixture.endpoint("hang", "/hang", "first");
        fixture.endpoint("partner", "/partner", "second");
        JdbcWebhookDispatcher node = fixture.node(DispatcherFixture::patient);
        node.start();
        fixture.poll(node, Duration.ofMillis(10));
        Delivery underWay = node.enqueue("first", "{}").deliveries().get(0);
        fixture.await(() -> fixture.receiver.hooks("/hang").size() == 1);

        fixture.rows.sql("DELETE FROM _credential_leases").update();
        fixture.await(() -> {
            node.enqueue("second", "{}");
            return !fixture.rows.ids("name", "_credential_leases").isEmpty();
        });
        fixture.await(() -> !fixture.receiver.hooks("/partner").isEmpty());

        assertThat(fixture.delivery(underWay.deliveryId()).attempts()).isZero();
        assertThat(fixture.receiver.hooks("/hang")).hasSize(1);
    }

    @Test
    void claimWhenItAlwaysDiesThenEndsDead() {
        fixture.endpoint("partner", "/partner");
        String id = fixture.rows.delivery("partner", DeliveryStatus.IN_FLIGHT);
        fixture.rows.change(id, "attempts = 7");
        fixture.clock.set(claimedAt(id).plusSeconds(15));

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 1));
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(fixture.delivery(id).lastError()).isEqualTo("lease expired");
        assertThat(fixture.delivery(id).attempts()).isEqualTo(8);
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void settleWhenClaimWasTakenOverThenChangesNothing() {
        fixture.endpoint("partner", "/partner");
        String id = fixture.rows.delivery("partner", DeliveryStatus.PENDING);
        DeliveryQueue queue = queue();
        ClaimedDelivery first = claim(queue, 11, "first");
        fixture.rows.change(id, "status = 'pending', claim_owner = NULL, claim_token = NULL");
        ClaimedDelivery second = claim(queue, 12, "second");
        Delivery before = fixture.delivery(id);

        AttemptLog log = new AttemptLog(0, 1, "X-Webhook-Attempt: 1", new StoredResponse(200, null, null, "ok"), null);
        assertThat(queue.settle(List.of(Settlement.delivered(first, 5, log)))).isEmpty();
        assertThat(fixture.delivery(id)).isEqualTo(before);
        assertThat(dispatcher.deliveries().attempts(id)).isEmpty();
        assertThat(queue.settle(List.of(Settlement.delivered(second, 5, log)))).containsExactly(id);
        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void attemptWhenTooLateForClaimThenReleasedUncounted() {
        AtomicInteger sent = new AtomicInteger();
        JdbcWebhookDispatcher slow = fixture.node(options -> options.batchSize(2)
                .maxInFlightPerEndpoint(1)
                .transport(request -> {
                    sent.incrementAndGet();
                    fixture.clock.advance(Duration.ofMinutes(4).plusSeconds(40));
                    return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
                }));
        fixture.endpoint("partner", "/partner");
        dispatcher.enqueue("e", "{}");
        dispatcher.enqueue("e", "{}");

        assertThat(slow.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        assertThat(sent.get()).isEqualTo(1);
        Delivery released = dispatcher
                .deliveries()
                .list(DeliveryQuery.all().withStatus(DeliveryStatus.PENDING))
                .get(0);
        assertThat(released.attempts()).isZero();
        assertThat(released.claimedAt()).isNull();
        assertThat(slow.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void claimWhenEventIsTheSameThenPayloadIsShared() {
        String event = fixture.rows.event(DispatcherRows.NEW_YEAR);
        fixture.rows.delivery(event, "partner", DeliveryStatus.PENDING);
        fixture.rows.delivery(event, "partner", DeliveryStatus.PENDING);

        List<ClaimedDelivery> claimed = queue().claim(
                        List.of(new DeliveryQueue.Quota("partner", 0, 10)),
                        new Claim(11, "node", fixture.clock.millis(), 0));

        assertThat(claimed).hasSize(2);
        assertThat(claimed.get(0).payload()).isNotNull().isSameAs(claimed.get(1).payload());
    }

    @Test
    void processRetriesWhenNodesCompeteThenShareNoDelivery() throws Exception {
        JdbcWebhookDispatcher other = fixture.node(options -> options);
        for (String name : List.of("a", "b", "c")) {
            fixture.endpoint(name, "/" + name, "*");
        }
        for (int i = 0; i < 100; i++) {
            dispatcher.enqueue("e", "{}");
        }

        CompletableFuture<Integer> theirs = CompletableFuture.supplyAsync(() -> drain(other), threads);
        int mine = drain(dispatcher);

        assertThat(mine + Patience.get(theirs)).isEqualTo(300);
        assertThat(fixture.receiver.hooks())
                .extracting(hook -> hook.header("X-Webhook-Delivery-Id"))
                .hasSize(300)
                .doesNotHaveDuplicates();
    }

    @Test
    void dispatcherWhenIdleThenHoldsNoLease() {
        dispatcher.processRetries();

        assertThat(fixture.rows.ids("name", "_credential_leases")).isEmpty();
    }

    @Test
    void closeThenGivesBackClaimsAndRemovesTheLease() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        fixture.receiver.answering("/hang", exchange -> {
            begun.countDown();
            fixture.receiver.awaitClosing();
        });
        fixture.endpoint("hang", "/hang");
        JdbcWebhookDispatcher node = fixture.node(options -> options.maxInFlightPerEndpoint(1));
        dispatcher.enqueue("e", "{}");
        dispatcher.enqueue("e", "{}");
        node.start();
        Patience.await(begun);

        node.close(Duration.ZERO);

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all())).hasSize(2).allSatisfy(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
            assertThat(delivery.attempts()).isZero();
        });
        assertThat(fixture.rows.ids("name", "_credential_leases")).isEmpty();
    }

    private int drain(WebhookDispatcher node) {
        int delivered = 0;
        RetryResult result;
        do {
            result = node.processRetries();
            delivered += result.delivered();
        } while (result.attempted() > 0);
        return delivered;
    }

    private Instant claimedAt(String id) {
        return Objects.requireNonNull(fixture.delivery(id).claimedAt());
    }

    private DeliveryQueue queue() {
        return DeliveryQueue.of(fixture.database(), fixture.rows.tables, 8192);
    }

    private ClaimedDelivery claim(DeliveryQueue queue, long token, String owner) {
        long now = fixture.clock.millis() + 1_000_000;
        return queue.claim(List.of(new DeliveryQueue.Quota("partner", 0, 10)), new Claim(token, owner, now, 0))
                .get(0);
    }
}
