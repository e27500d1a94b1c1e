package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes are killed in the middle of their work, and start again. */
class KilledNodesIT {

    private static final long SEED = 20_260_101L;
    private static final int NODES = 3;
    private static final int ENDPOINTS = 5;
    private static final int KILLS = 10;
    private static final int MAX_IN_FLIGHT = 32;

    private static final int EVENTS = 5_000;

    /** The kills are spread over most of the events, so that each finds attempts under way. */
    private static final int SHARE = EVENTS * 9 / 10 / KILLS;

    /** So that there are always attempts in the middle of which a node can be killed. */
    private static final long ANSWER_AFTER_MILLIS = 30;

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    @Test
    void nodeWhenKilledThenWorkIsRetriedAndNothingIsLost() throws Exception {
        System.out.println("Seed of the kills: " + SEED);
        Random random = new Random(SEED);
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpoint("endpoint-" + i, "event-" + i);
            fixture.receiver.answerAfter("/endpoint-" + i, ANSWER_AFTER_MILLIS);
        }
        List<ChildProcess> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node());
        }

        CompletableFuture<Void> dispatching = CompletableFuture.runAsync(this::dispatchAll, threads);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitReceipts(kill * SHARE + random.nextInt(SHARE));
            int victim = random.nextInt(NODES);
            nodes.get(victim).kill();
            nodes.set(victim, node());
        }
        Patience.get(dispatching);
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");

        Map<String, Long> answers = fixture.receiver.answers();
        Set<String> repeated = answers.entrySet().stream()
                .filter(answer -> answer.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        System.out.printf(
                "%d kills among %,d events: 0 lost, %d answered more than once%n", KILLS, EVENTS, repeated.size());
        assertThat(fixture.deliveryIds("status = 'delivered'")).hasSize(EVENTS).isEqualTo(answers.keySet());
        fixture.assertDeliveredOnceEach();
        assertThat(fixture.deliveryIds("attempts > 1"))
                .as("taken over, and so counted as attempted before")
                .containsAll(repeated);
        assertThat(fixture.receiver.receipts()).as("no attempt is made twice").doesNotHaveDuplicates();
    }

    private ChildProcess node() {
        return fixture.node(
                "maxInFlight=" + MAX_IN_FLIGHT, "maxInFlightPerEndpoint=" + MAX_IN_FLIGHT / 2, "pollInterval=PT0.2S");
    }

    /** Waits for a moment that has nothing to do with what any node is at. */
    private void awaitReceipts(int count) {
        Patience.untilNone(
                "receipts before the next kill",
                () -> Math.max(0, count - fixture.receiver.receipts().size()));
    }

    private void dispatchAll() {
        for (int event = 0; event < EVENTS; event++) {
            fixture.dispatcher.enqueue("event-" + event % ENDPOINTS, "{\"number\":" + event + "}");
        }
    }
}
