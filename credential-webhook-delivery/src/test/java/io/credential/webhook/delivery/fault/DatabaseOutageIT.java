package io.credential.webhook.delivery.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.StallingProxy;
import io.credential.webhook.delivery.CountingReceiver;
import io.credential.webhook.delivery.NodesFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The database is out of reach for two nodes in the middle of their work. Both are alive: neither takes over from the other,
 * and what both have sent is settled as soon as the database is back.
 */
class DatabaseOutageIT {

    private static final int ENDPOINTS = 50;
    private static final int EVENTS = 15;

    /** At each node; the rest waits for its turn. */
    private static final int UNDER_WAY = 500;

    private static final String[] OPTIONS = {
        "maxInFlight=" + UNDER_WAY, "maxInFlightPerEndpoint=" + UNDER_WAY, "requestTimeout=PT1H"
    };

    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);
    private final Queue<IntConsumer> held = fixture.receiver.hold("/endpoint");
    private final List<NodeBehindProxy> nodes =
            List.of(new NodeBehindProxy(fixture, OPTIONS), new NodeBehindProxy(fixture, OPTIONS));

    @BeforeEach
    void fillBothNodes() {
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpointAt("/endpoint", "endpoint-" + i, "event");
        }
        for (int i = 0; i < EVENTS; i++) {
            nodes.forEach(node -> node.dispatcher.enqueue("event", "{}"));
        }
        Patience.until(() -> held.size() == UNDER_WAY * nodes.size());
    }

    @AfterEach
    void close() throws IOException {
        for (NodeBehindProxy node : nodes) {
            node.close();
        }
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({"FROZEN, PT1S", "FROZEN, PT15S", "REFUSING, PT12S"})
    void outageWhenShortThenNoNodeTakesOver(Outage outage, Duration length) throws Exception {
        assertEachIsSentOnceThrough(outage, length);
    }

    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "credential.test.long", matches = "true")
    void outageWhenLongThenNoNodeTakesOver(Outage outage) throws Exception {
        assertEachIsSentOnceThrough(outage, Duration.ofMinutes(2));
    }

    private void assertEachIsSentOnceThrough(Outage outage, Duration length) throws Exception {
        for (NodeBehindProxy node : nodes) {
            outage.begin(node.proxy);
        }
        for (int i = 0; i < UNDER_WAY; i++) {
            held.remove().accept(200); // cannot be settled before the database is back
        }
        pass(length);
        nodes.forEach(node -> node.proxy.resume());

        Patience.untilNone("deliveries that are not settled", () -> {
            CountingReceiver.answerHeld(held);
            return fixture.count("{deliveries} WHERE status <> 'delivered'");
        });
        assertThat(fixture.count("{deliveries}")).isEqualTo((long) ENDPOINTS * EVENTS * nodes.size());
        assertThat(fixture.deliveryIds("attempts <> 1"))
                .as("taken over, or sent again")
                .isEmpty();
        assertThat(fixture.receiver.receipts())
                .extracting(CountingReceiver.Receipt::deliveryId)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(fixture.deliveryIds("status = 'delivered'"));
    }

    /** How long an outage lasts is part of the fault; if it lasts longer, the verdict is the same. */
    private static void pass(Duration length) throws ExecutionException {
        Patience.get(CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(length.toMillis(), TimeUnit.MILLISECONDS)));
    }

    enum Outage {
        FROZEN,
        REFUSING;

        void begin(StallingProxy proxy) throws IOException {
            switch (this) {
                case FROZEN -> proxy.stall();
                case REFUSING -> proxy.refuse();
            }
        }
    }
}
