package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.credential.testing.DatabaseKind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Three nodes, each a process of its own, deliver what a fourth dispatches. */
@Timeout(240)
class DispatcherNodesIT {

    private static final int NODES = 3;
    private static final int ENDPOINTS = 20;
    private static final int EVENTS = 10_000;
    private static final int WARM_UP_EVENTS = 2_000;
    private static final int DISPATCHING_THREADS = 4;

    /** Of so many events one is dispatched and not enqueued. */
    private static final int DISPATCHED = 10;

    /** A ratio of two short times says little on a busy machine. */
    private static final Duration FLOOR = Duration.ofSeconds(10);

    private static final String HANGING = "endpoint-0";

    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void anEndpointThatHangsHoldsUpNoOtherAndNothingIsLostOrSettledTwice() throws Exception {
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpoint("endpoint-" + i, "event-" + i);
        }
        for (int i = 0; i < NODES; i++) {
            // All nodes together attempt fewer at once than the hanging endpoint gets, and none of its attempts ends
            // soon.
            fixture.node("requestTimeout=PT1M", "maxInFlight=32", "maxInFlightPerEndpoint=8");
        }
        timeOfHealthy(WARM_UP_EVENTS);
        Duration without = timeOfHealthy(EVENTS);
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        fixture.receiver.hang("/" + HANGING);
        Duration with = timeOfHealthy(EVENTS);

        int hanging = EVENTS / ENDPOINTS;
        int all = WARM_UP_EVENTS + 2 * EVENTS;
        assertThat(fixture.count("{deliveries}")).isEqualTo(all);
        assertThat(fixture.count("{deliveries} WHERE status = 'delivered'")).isEqualTo(all - hanging);
        assertThat(fixture.count("{deliveries} WHERE endpoint_id = '" + HANGING
                        + "' AND status IN ('pending', 'in-flight') AND delivered_at IS NULL AND dead_at IS NULL"))
                .isEqualTo(hanging);
        assertThat(fixture.count("{attempts} WHERE error IS NULL")).isEqualTo(all - hanging);
        fixture.assertDeliveredOnceEach();
        Set<String> atReceiver = new HashSet<>(fixture.receiver.answers().keySet());
        assertThat(fixture.deliveryIds("status = 'delivered'")).isEqualTo(atReceiver);
        long repeated = fixture.receiver.answers().values().stream()
                .filter(count -> count > 1)
                .count();

        System.out.printf(
                "%d nodes, %,d events: the %d healthy endpoints took %,d ms, with one of %d hanging %,d ms;"
                        + " %d answered more than once%n",
                NODES, EVENTS, ENDPOINTS - 1, without.toMillis(), ENDPOINTS, with.toMillis(), repeated);
        assertThat(with).isLessThanOrEqualTo(longest(without.multipliedBy(2), without.plus(FLOOR)));
    }

    /** Dispatches events to all endpoints in turn, and waits for the deliveries of those that never hang. */
    private Duration timeOfHealthy(int events) throws Exception {
        long start = System.nanoTime();
        dispatch(events);
        await().atMost(NodesFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() ->
                        fixture.count("{deliveries} WHERE delivered_at IS NULL AND endpoint_id <> '" + HANGING + "'")
                                == 0);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void dispatch(int events) throws Exception {
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(DISPATCHING_THREADS);
        try {
            List<Future<?>> threads = new ArrayList<>();
            for (int i = 0; i < DISPATCHING_THREADS; i++) {
                threads.add(pool.submit(() -> {
                    for (int event = next.getAndIncrement(); event < events; event = next.getAndIncrement()) {
                        dispatchOne(event);
                    }
                }));
            }
            for (Future<?> thread : threads) {
                thread.get(NodesFixture.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** {@code dispatch} waits for its receiver, so that only what goes to healthy ones is given to it. */
    private void dispatchOne(int event) {
        String eventType = "event-" + event % ENDPOINTS;
        String payload = "{\"number\":" + event + "}";
        if (event % DISPATCHED == 1) {
            assertThat(fixture.dispatcher.dispatch(eventType, payload).deliveries())
                    .hasSize(1);
        } else {
            fixture.dispatcher.enqueue(eventType, payload);
        }
    }

    private static Duration longest(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
