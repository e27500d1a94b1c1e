package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** What a dispatcher counts of real attempts. */
@BothDatabases
class DeliveryStatisticsTests extends DispatcherTestBase {

    DeliveryStatisticsTests(TestDatabase test) {
        super(test);
    }

    @Test
    void attemptsThenCountedWhenFlushed() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.maxAttempts(2));
        fixture.receiver.answeringInTurn("/shop", 200, 500, 500);
        fixture.endpoint("shop", "/shop");
        Delivery accepted = node.dispatch("paid", "{}").deliveries().get(0);
        clock(Duration.ofMinutes(1));
        Delivery dead = node.dispatch("left", "{}").deliveries().get(0);
        clock(Duration.ofMinutes(1));
        var unused = node.processRetries();
        assertThat(fixture.delivery(dead.deliveryId()).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(summary("shop")).as("not flushed yet").isEqualTo(new EndpointSummary(null, null, 0, 0, 0));

        node.flushStatistics();

        assertThat(summary("shop")).isEqualTo(new EndpointSummary(endOf(accepted, 1), endOf(dead, 1), 1, 2, 1));
        assertThat(dispatcher.statistics().ofEndpoint("shop").eventTypes())
                .containsExactly(new EventTypeAttempts("left", 0, 2, 1), new EventTypeAttempts("paid", 1, 0, 0));
    }

    @Test
    void failingSinceWhenNeverPausedThenUntilAccepted() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.pauseAfter(Duration.ZERO));
        fixture.receiver.answeringInTurn("/shop", 500, 500, 200);
        fixture.endpoint("shop", "/shop");
        Delivery delivery = node.dispatch("paid", "{}").deliveries().get(0);
        clock(Duration.ofMinutes(1));
        var unused = node.processRetries();
        node.flushStatistics();
        assertThat(summary("shop")).returns(endOf(delivery, 1), EndpointSummary::failingSince);

        clock(Duration.ofMinutes(1));
        unused = node.processRetries();
        node.flushStatistics();

        assertThat(summary("shop"))
                .returns(null, EndpointSummary::failingSince)
                .returns(endOf(delivery, 3), EndpointSummary::lastSuccessAt);
    }

    @Test
    void outcomeWhenTakenOverThenNotCounted() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.transport(request -> {
            fixture.rows
                    .sql("UPDATE {deliveries} SET claim_token = claim_token + 1")
                    .update();
            return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
        }));
        fixture.endpoint("shop", "/shop");

        var unused = node.dispatch("paid", "{}");
        node.flushStatistics();

        assertThat(fixture.rows.ids("endpoint_id", "{hourly_counts}")).isEmpty();
        assertThat(fixture.rows.ids("endpoint_id", "{last_outcomes}")).isEmpty();
    }

    @Test
    void stopAndCloseThenFlush() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        fixture.endpoint("shop", "/shop");
        var unused = node.dispatch("paid", "{}");
        node.stop(Duration.ZERO);
        assertThat(summary("shop").accepted()).isEqualTo(1);

        JdbcWebhookDispatcher other = fixture.node(options -> options);
        unused = other.dispatch("paid", "{}");
        other.close();

        assertThat(summary("shop").accepted()).isEqualTo(2);
    }

    @Test
    void removeExpiredThenIncludesStatistics() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        fixture.endpoint("shop", "/shop");
        var unused = node.dispatch("paid", "{}");
        node.flushStatistics();
        clock(Duration.ofHours(26));

        node.removeExpired();

        assertThat(fixture.rows.ids("endpoint_id", "{hourly_counts}")).isEmpty();
        assertThat(summary("shop").lastSuccessAt()).isNotNull();
    }

    @Test
    void registerEndpointWhenRemovedBeforeThenStartsAnew() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        fixture.endpoint("shop", "/shop");
        var unused = node.dispatch("paid", "{}");
        node.flushStatistics();
        fixture.endpoint("shop", "/shop");
        assertThat(summary("shop").accepted()).as("replaced").isEqualTo(1);

        node.removeEndpoint("shop");
        fixture.endpoint("shop", "/shop");

        assertThat(summary("shop")).isEqualTo(new EndpointSummary(null, null, 0, 0, 0));
    }

    private void clock(Duration advance) {
        fixture.clock.advance(advance);
    }

    private EndpointSummary summary(String endpointId) {
        return Objects.requireNonNull(
                dispatcher.statistics().ofEndpoints(List.of(endpointId)).get(endpointId));
    }

    private Instant endOf(Delivery delivery, int attempt) {
        List<DeliveryAttempt> latestFirst = dispatcher.deliveries().attempts(delivery.deliveryId());
        DeliveryAttempt log = latestFirst.get(latestFirst.size() - attempt);
        return log.startedAt().plus(log.duration());
    }
}
