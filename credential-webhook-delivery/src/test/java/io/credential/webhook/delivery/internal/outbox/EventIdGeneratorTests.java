package io.credential.webhook.delivery.internal.outbox;

import java.security.SecureRandom;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.DispatcherTestBase;

import static org.assertj.core.api.Assertions.assertThat;

/** Ids as they are stored and shown. Receivers and operators keep them, so their form does not change. */
@BothDatabases
class EventIdGeneratorTests extends DispatcherTestBase {

    private static final SecureRandom ABCDEF = new SecureRandom() {

        private static final long serialVersionUID = 1L;

        @Override
        public void nextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (0xa0 + i);
            }
        }
    };

    EventIdGeneratorTests(TestDatabase test) {
        super(test);
    }

    @Test
    void nextThenIsTheTimeAndRandomDigits() {
        long time = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

        assertThat(new EventIdGenerator(ABCDEF).next(time)).isEqualTo("019b76daa800a0a1a2a3a4a5a6a7a8a9");
    }

    @Test
    void enqueueThenNumbersTheDeliveriesOfAnEvent() {
        fixture.endpoint("a", "/a");
        fixture.endpoint("b", "/b");

        DispatchResult result = fixture.node(options -> options.random(ABCDEF)).enqueue("e", "{}");

        assertThat(result.deliveries())
                .allSatisfy(delivery -> assertThat(delivery.eventId()).isEqualTo("019b76daa800a0a1a2a3a4a5a6a7a8a9"))
                .extracting(Delivery::deliveryId)
                .containsExactly("019b76daa800a0a1a2a3a4a510000001", "019b76daa800a0a1a2a3a4a510000002");
    }
}
