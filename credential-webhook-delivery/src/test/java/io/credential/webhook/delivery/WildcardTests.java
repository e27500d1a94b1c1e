package io.credential.webhook.delivery;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which events an endpoint with a wildcard receives. */
@BothDatabases
class WildcardTests extends DispatcherTestBase {

    WildcardTests(TestDatabase test) {
        super(test);
    }

    @ParameterizedTest
    @CsvSource({
        "order.*, order.created, true",
        "order.*, order.line.added, true",
        "order.line.*, order.line.added, true",
        "order.*, order., true",
        "order.*, order, false",
        "order.*, orders.created, false",
        "order.line.*, order.created, false",
        "order.*, Order.created, false",
        "*, order.created, true",
        "a.b.c.d.e.f.g.h.*, a.b.c.d.e.f.g.h.i.j, true"
    })
    void wildcardThenStandsForWhatBeginsLikeIt(String wildcard, String eventType, boolean isReached) {
        Endpoint endpoint = endpoint("shop", wildcard);

        assertThat(endpoint.eventTypes()).containsExactly(wildcard);
        assertThat(endpoint.subscribesTo(eventType)).isEqualTo(isReached);
        for (int i = 0; i < 2; i++) { // the second event may be stored for the endpoints of the first
            assertThat(reached(eventType)).isEqualTo(isReached ? List.of("shop") : List.of());
        }
    }

    @Test
    void endpointWhenSubscribedTwiceThenReceivesOnce() {
        endpoint("shop", "order.created", "order.*", "*");

        assertThat(reached("order.created")).containsExactly("shop");
    }

    @Test
    void wildcardThenStandsForNoOperationalEvent() {
        assertThat(endpoint("shop", "*").subscribesTo("credential.endpoint.paused"))
                .isFalse();
        assertThat(endpoint("alarm", "credential.endpoint.paused").subscribesTo("credential.endpoint.paused"))
                .isTrue();
    }

    @Test
    void wildcardWhenRegisteredLaterThenReceivesTheNext() {
        endpoint("first", "order.created");
        assertThat(reached("order.created")).containsExactly("first");
        assertThat(reached("order.created")).containsExactly("first");
        endpoint("second", "order.*");

        assertThat(reached("order.created")).containsExactly("first", "second");
    }

    @Test
    void typeWhenOnlyDotsThenReachesAllOnce() {
        endpoint("all", "*", "order.*");
        String dots = ".".repeat(255);

        for (int i = 0; i < 2; i++) { // the second event may be stored for the endpoints of the first
            assertThat(reached(dots)).containsExactly("all");
        }
    }

    @Test
    void audienceWhenForgottenThenWildcardRefusesToo() {
        dispatcher.registerEndpoint(registration("tenant", "order.*").audience("tenant-1"));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.enqueue("order.created", "{}"))
                .returns("webhook-dispatcher/audience-required", WebhookDispatcherException::code);
        assertThat(dispatcher
                        .enqueue("order.created", "{}", DispatchOptions.none().withAudience("tenant-1"))
                        .deliveries())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order*",
                "*.created",
                "order.*.created",
                "**",
                ".*",
                "o rder.*",
                "a.b.c.d.e.f.g.h.i.*",
                "ä.*",
                "credential.*",
                "credential.endpoint.*"
            })
    void wildcardWhenElsewhereOrTooLongThenRefused(String wildcard) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registration("shop", wildcard))
                .withMessageContaining("eventTypes")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private Endpoint endpoint(String id, String... eventTypes) {
        return dispatcher.registerEndpoint(registration(id, eventTypes));
    }

    private EndpointRegistration registration(String id, String... eventTypes) {
        return EndpointRegistration.of(id, fixture.receiver.url("/" + id), DispatcherFixture.SECRET, eventTypes);
    }

    private List<String> reached(String eventType) {
        return dispatcher.enqueue(eventType, "{}").deliveries().stream()
                .map(Delivery::endpointId)
                .toList();
    }
}
