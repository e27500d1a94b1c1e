package io.credential.webhook.delivery.fault;

import java.util.Queue;
import java.util.function.IntConsumer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.CountingReceiver;
import io.credential.webhook.delivery.DispatcherNode;
import io.credential.webhook.delivery.NodesFixture;

import static org.assertj.core.api.Assertions.assertThat;

/** A payload of 1 MiB goes to 200 endpoints, from a process whose heap would not hold it for each of them. */
class LargePayloadIT {

    private static final int ENDPOINTS = 200;
    private static final int BYTES = 1024 * 1024;
    private static final int HEAP_MEGABYTES = 128;

    /** Half of the default of {@code maxInFlightBytes} is for payloads that are read when their attempt starts. */
    private static final int IN_FLIGHT = 32;

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    private final Queue<IntConsumer> held = fixture.receiver.hold("/endpoint");

    @BeforeEach
    void register() {
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpointAt("/endpoint", "endpoint-" + i, "event");
        }
    }

    @Test
    void payloadWhenDispatchedThenArrivesEverywhere() {
        assertDeliversAll(
                fixture.process(HEAP_MEGABYTES, DispatchingNode.class, "payloadBytes=" + BYTES, "requestTimeout=PT1H"));
    }

    @Test
    void payloadWhenFoundInDatabaseThenArrivesEverywhere() {
        fixture.dispatcher.enqueue("event", DispatchingNode.payload(BYTES));

        assertDeliversAll(fixture.process(HEAP_MEGABYTES, DispatcherNode.class, "requestTimeout=PT1H"));
    }

    private void assertDeliversAll(ChildProcess node) {
        Patience.until(() -> held.size() >= IN_FLIGHT);
        fixture.awaitRenewals(3); // in which it could take on more
        assertThat(held).hasSize(IN_FLIGHT);

        Patience.until(() -> {
            CountingReceiver.answerHeld(held);
            return ranOutOfMemory(node)
                    || fixture.deliveryIds("status = 'delivered'").size() == ENDPOINTS;
        });
        assertThat(ranOutOfMemory(node)).as(node.text()).isFalse();
        assertThat(fixture.receiver.answers())
                .hasSize(ENDPOINTS)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(node.stop()).isZero();
    }

    private static boolean ranOutOfMemory(ChildProcess node) {
        return !node.isAlive() || node.text().contains("OutOfMemoryError");
    }
}
