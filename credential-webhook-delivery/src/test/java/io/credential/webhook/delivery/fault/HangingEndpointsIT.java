package io.credential.webhook.delivery.fault;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.DatabaseKind;
import io.credential.webhook.delivery.NodesFixture;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Many of 500 endpoints at one host do not answer. The others still get all their events. */
class HangingEndpointsIT {

    private static final int ENDPOINTS = 500;
    private static final int EVENTS = 4;

    /** Of all that hang together: more than may wait for their turn at a node. */
    private static final int BACKLOG = 1500;

    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);
    private JdbcWebhookDispatcher node;

    @AfterEach
    void close() {
        node.close(Duration.ZERO);
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64, 300})
    void endpointsWhenAnsweredBeforeThenGetTheirEvents(int hanging) {
        start(hanging, Duration.ofHours(1));
        node.enqueue("first", "{}");
        awaitHealthy();

        assertHealthyGetTheirEvents(hanging);
    }

    @ParameterizedTest
    @ValueSource(ints = 64)
    void newEndpointsWhenOthersHangThenGetTheirEvents(int hanging) {
        start(hanging, Duration.ofHours(1));

        assertHealthyGetTheirEvents(hanging);
    }

    @Test
    void newEndpointsWhen300TimedOutThenGetTheirEvents() {
        start(300, Duration.ofSeconds(2));

        assertHealthyGetTheirEvents(300);
    }

    private void start(int hanging, Duration requestTimeout) {
        fixture.receiver.hang("/hanging");
        node = fixture.started(fixture.database(), options -> options.requestTimeout(requestTimeout));
        for (int i = 0; i < ENDPOINTS; i++) {
            if (i < hanging) {
                fixture.endpointAt("/hanging", "hanging-" + i, "event", "backlog");
            } else {
                fixture.endpointAt("/healthy", "healthy-" + i, "event", "first");
            }
        }
    }

    private void assertHealthyGetTheirEvents(int hanging) {
        int backlog = BACKLOG / hanging;
        enqueue(backlog, "backlog");
        enqueue(EVENTS, "event");

        awaitHealthy();

        assertThat(fixture.count("{deliveries} WHERE delivered_at IS NULL AND dead_at IS NULL"))
                .isEqualTo((long) hanging * (backlog + EVENTS));
    }

    /** By another node, so that this one has to claim. */
    private void enqueue(int events, String eventType) {
        for (int i = 0; i < events; i++) {
            fixture.dispatcher.enqueue(eventType, "{}");
        }
    }

    private void awaitHealthy() {
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered' AND endpoint_id LIKE 'healthy-%'");
    }
}
