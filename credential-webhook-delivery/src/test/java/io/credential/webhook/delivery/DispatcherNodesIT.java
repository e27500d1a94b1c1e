package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** Three nodes, each in its own process, deliver what a fourth dispatches. */
class DispatcherNodesIT {

    private static final int NODES = 3;
    private static final int ENDPOINTS = 20;
    private static final int EVENTS = 6_000;
    private static final int DISPATCHING_THREADS = 4;

    /** Of so many events one is dispatched and not enqueued. */
    private static final int DISPATCHED = 10;

    private static final String HANGING = "endpoint-0";

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @Test
    void nodesWhenEndpointHangsThenOthersAreSettledOnce() throws Exception {
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpoint("endpoint-" + i, "event-" + i);
        }
        for (int i = 0; i < NODES; i++) {
            // All nodes together attempt fewer at once than the hanging endpoint gets, and none of its attempts ends
            // during the test: without the cap per endpoint the others would be stranded.
            fixture.node("requestTimeout=PT1H", "maxInFlight=32", "maxInFlightPerEndpoint=8");
        }
        dispatch(EVENTS);
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        fixture.receiver.hang("/" + HANGING);
        dispatch(EVENTS);
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered' AND endpoint_id <> '" + HANGING + "'");

        int hanging = EVENTS / ENDPOINTS;
        int all = 2 * EVENTS;
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
                "%d nodes, %,d events, one of %d endpoints hangs: %d answered more than once%n",
                NODES, all, ENDPOINTS, repeated);
    }

    /** Dispatches events to all endpoints in turn. */
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
            Patience.untilNone("events to dispatch", () -> Math.max(0, events - next.get()));
            for (Future<?> thread : threads) {
                Patience.get(thread);
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
}
