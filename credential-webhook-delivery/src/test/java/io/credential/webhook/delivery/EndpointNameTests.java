package io.credential.webhook.delivery;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The ids of endpoints and the event types are in paths of URLs, where dots alone have another meaning. */
class EndpointNameTests {

    private static final String URL = "https://example.com/hooks";

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void nameWhenOnlyDotsThenRefused(String dots) {
        assertRefused("endpointId", () -> EndpointRegistration.of(dots, URL, "secret", "*"));
        assertRefused("endpointId", () -> EndpointRegistration.withGeneratedSecret(dots, URL, List.of("*")));
        assertRefused("each of eventTypes", () -> EndpointRegistration.of("shop", URL, "secret", dots));
    }

    private static void assertRefused(String what, Runnable call) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(call::run)
                .withMessageContaining(what + " must not be . or .., which browsers and proxies remove from URLs")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"...", ".a", "a..b", "new"})
    void nameWhenNotOnlyDotsThenAccepted(String name) {
        assertThat(EndpointRegistration.of(name, URL, "secret", name).endpointId())
                .isEqualTo(name);
    }
}
