package io.credential.spring.autoconfigure.actuate;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.web.exchanges.HttpExchange;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** What of a request is recorded. */
class ExchangeMaskTests {

    private static final String TICKET = "ticket_live_0011223344556677_" + "5e".repeat(32);

    @Test
    void maskWhenSeveralHeadersAreForKeysThenEachIsMasked() {
        Map<String, List<String>> headers = masked(
                Map.of(
                        "x-old-key", List.of("secret"),
                        "X-Key", List.of("secret"),
                        "X-API-Key", List.of("shown"),
                        "Authorization", List.of("Bearer shown", "ApiKey secret")),
                "credential.api-keys.header-name=X-Key, X-Old-Key");

        assertThat(headers)
                .containsEntry("x-old-key", List.of("***"))
                .containsEntry("X-Key", List.of("***"))
                .containsEntry("X-API-Key", List.of("shown"))
                .containsEntry("Authorization", List.of("Bearer shown", "***"));
    }

    @Test
    void maskWhenBearerIsAcceptedThenMasked() {
        assertThat(masked(
                        Map.of("Authorization", List.of("Bearer secret", "Basic shown")),
                        "credential.api-keys.accept-bearer=true"))
                .containsEntry("Authorization", List.of("***", "Basic shown"));
    }

    @Test
    void maskWhenTicketIsInTheUriOrLocationThenMasked() {
        new ApplicationContextRunner().run(context -> {
            HttpExchange masked = new ExchangeMask(context.getEnvironment())
                    .mask(exchange("/stream?ticket=" + TICKET, Map.of("Location", List.of("/x?ticket=" + TICKET))));

            assertThat(masked.getRequest().getUri())
                    .hasToString("http://localhost/stream?ticket=ticket_live_0011223344556677_***");
            assertThat(masked.getRequest().getHeaders().toString()).doesNotContain(TICKET);
        });
    }

    private static Map<String, List<String>> masked(Map<String, List<String>> headers, String property) {
        Map<String, List<String>> masked = new LinkedHashMap<>();
        new ApplicationContextRunner()
                .withPropertyValues(property)
                .run(context -> masked.putAll(new ExchangeMask(context.getEnvironment())
                        .mask(exchange("/", headers))
                        .getRequest()
                        .getHeaders()));
        return masked;
    }

    private static HttpExchange exchange(String path, Map<String, List<String>> headers) {
        return new HttpExchange(
                Instant.EPOCH,
                new HttpExchange.Request(URI.create("http://localhost" + path), "127.0.0.1", "GET", headers),
                new HttpExchange.Response(200, headers),
                null,
                null,
                Duration.ZERO);
    }
}
