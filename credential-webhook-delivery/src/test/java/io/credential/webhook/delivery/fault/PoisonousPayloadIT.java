package io.credential.webhook.delivery.fault;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.NodesFixture;

import static org.assertj.core.api.Assertions.assertThat;

/** Each process that attempts one of the deliveries dies, and another is started in its place. */
class PoisonousPayloadIT {

    private static final int ENDPOINTS = 3;
    private static final int INNOCENT = 60;

    private static final int MAX_ATTEMPTS = 4;

    /** From then on it is among those that run one at a time. */
    private static final int DEATHS_BEFORE_SUSPECTED = 2;

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    @Test
    void poisonThenDiesAloneAndCostsOthersFewAttempts() {
        for (int i = 0; i < ENDPOINTS; i++) {
            fixture.endpoint("endpoint-" + i, "event-" + i);
        }
        enqueueInnocent(INNOCENT / 2);
        String guilty = enqueue(0, PoisonedNode.POISON);
        enqueueInnocent(INNOCENT / 2);

        int started = 0;
        while (open() > 0) {
            assertThat(started)
                    .as("one dies with each attempt, and the next gives up")
                    .isLessThanOrEqualTo(MAX_ATTEMPTS);
            runUntilItDiesOrAllIsDone(started++);
        }

        assertThat(fixture.deliveryIds("dead_at IS NOT NULL")).containsExactly(guilty);
        assertThat(fixture.deliveryIds("status = 'delivered'")).hasSize(INNOCENT);
        assertThat(fixture.deliveryIds("status = 'delivered' AND attempts > 1 + " + DEATHS_BEFORE_SUSPECTED))
                .isEmpty();
    }

    /** A day ahead of the one before, whose claims are then too old: nobody has to wait until its lease has ended. */
    private void runUntilItDiesOrAllIsDone(int day) {
        try (ChildProcess node =
                fixture.process(PoisonedNode.class, "clockAhead=P" + day + "D", "maxAttempts=" + MAX_ATTEMPTS)) {
            Patience.until(() -> !node.isAlive() || open() == 0);
        }
    }

    private void enqueueInnocent(int count) {
        for (int i = 0; i < count; i++) {
            enqueue(i % ENDPOINTS, "{}");
        }
    }

    private String enqueue(int endpoint, String payload) {
        return fixture.dispatcher
                .enqueue("event-" + endpoint, payload)
                .deliveries()
                .get(0)
                .deliveryId();
    }

    private long open() {
        return fixture.count("{deliveries} WHERE delivered_at IS NULL AND dead_at IS NULL");
    }
}
