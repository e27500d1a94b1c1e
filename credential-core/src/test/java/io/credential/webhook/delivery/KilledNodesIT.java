package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.credential.testing.DatabaseKind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes are killed in the middle of their work, and start again. */
@Timeout(180)
class KilledNodesIT {

    private static final long SEED = 20_260_101L;
    private static final int NODES = 3;
    private static final int ENDPOINTS = 5;
    private static final int KILLS = 10;
    private static final int MAX_IN_FLIGHT = 32;
    private static final int LONGEST_PAUSE_MILLIS = 600;

    /** So that there are always attempts in the middle of which a node can be killed. */
    private static final long ANSWER_AFTER_MILLIS = 30;

    /** Of the lease of a dispatcher and its renewal, with time for a busy machine; far from claimReclaimAfter. */
    private static final Duration RECOVERY = Duration.ofSeconds(45);

    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void whatAKilledNodeHadUnderWayIsAttemptedOnceMoreAndNothingIsLost() throws Exception {
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

        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Integer> dispatching = CompletableFuture.supplyAsync(() -> dispatchUntil(enough));
        Set<String> underWayAtKills = new HashSet<>();
        long lastKill = System.nanoTime();
        for (int kill = 0; kill < KILLS; kill++) {
            awaitReceipts(random.nextInt(LONGEST_PAUSE_MILLIS));
            int victim = random.nextInt(NODES);
            lastKill = System.nanoTime();
            nodes.get(victim).kill();
            underWayAtKills.addAll(fixture.deliveryIds("status = 'in-flight'"));
            nodes.set(victim, node());
        }
        enough.set(true);
        int events = dispatching.get(1, TimeUnit.MINUTES);
        await().atMost(RECOVERY).until(() -> fixture.count("{deliveries} WHERE status <> 'delivered'") == 0);
        long recovery = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastKill);

        Map<String, Long> answers = fixture.receiver.answers();
        Set<String> repeated = answers.entrySet().stream()
                .filter(answer -> answer.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        System.out.printf(
                "%d kills among %,d events: 0 lost, %d answered more than once, all delivered %,d ms after the last kill%n",
                KILLS, events, repeated.size(), recovery);
        assertThat(fixture.deliveryIds("status = 'delivered'")).hasSize(events).isEqualTo(answers.keySet());
        fixture.assertDeliveredOnceEach();
        assertThat(underWayAtKills).containsAll(repeated);
        assertThat(repeated).hasSizeLessThanOrEqualTo(KILLS * MAX_IN_FLIGHT);
        assertThat(answers.values()).allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(1 + KILLS));
    }

    private ChildProcess node() {
        return fixture.node(
                "maxInFlight=" + MAX_IN_FLIGHT, "maxInFlightPerEndpoint=" + MAX_IN_FLIGHT / 2, "pollInterval=PT0.2S");
    }

    /** A moment that has nothing to do with what any node is at. */
    private void awaitReceipts(int millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        int before = fixture.receiver.receipts().size();
        await().atMost(NodesFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() ->
                        System.nanoTime() > until && fixture.receiver.receipts().size() > before);
    }

    private int dispatchUntil(AtomicBoolean enough) {
        int events = 0;
        while (!enough.get()) {
            fixture.dispatcher.enqueue("event-" + events % ENDPOINTS, "{\"number\":" + events + "}");
            events++;
        }
        return events;
    }
}
