package io.credential.webhook.delivery.internal.outbox;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SubscriptionsTests {

    @Test
    void toThenTypeWildcardsAndAll() {
        assertThat(Subscriptions.to("order.line.added"))
                .startsWith("order.line.added", "order.*", "order.line.*", "*")
                .containsOnly("order.line.added", "order.*", "order.line.*", "*");
    }

    @Test
    void toWhenTypeHasManyDotsThenStopsAfterEight() {
        assertThat(Subscriptions.to("a.b.c.d.e.f.g.h.i.j.k"))
                .endsWith("a.b.c.d.e.f.g.h.*", "*")
                .doesNotContain("a.b.c.d.e.f.g.h.i.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "order.created", "...........", ".order", "order."})
    void toThenHasFixedLength(String eventType) {
        assertThat(Subscriptions.to(eventType))
                .hasSize(10)
                .startsWith(eventType)
                .endsWith("*");
    }
}
