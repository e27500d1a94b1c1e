package io.credential.spring.console.internal.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of the requests of a delivery. */
class DeliveryDetailTests {

    private static final Map<String, String> TRACED =
            Map.of("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");

    private static final Delivery DELIVERY = new Delivery(
            "d",
            "e",
            "shop",
            "order.created",
            DeliveryStatus.DELIVERED,
            1,
            Instant.EPOCH,
            null,
            null,
            null,
            null,
            null,
            Instant.EPOCH,
            null);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Webhook-Signature",
                "X-Hub-Signature-256",
                "authorization",
                "Proxy-Authorization",
                "Cookie",
                "X-Gitlab-Token",
                "X-Secret",
                "password",
                "ApiKey",
                "X-API-KEY"
            })
    void maskedWhenHeaderProvesTheSenderThenHidden(String name) {
        assertThat(DeliveryDetail.masked(Map.of(name, "hunter2"))).containsExactly(Map.entry(name, "***"));
    }

    @Test
    void maskedThenOthersAreKeptInOrder() {
        assertThat(DeliveryDetail.masked(Map.of("b", "2", "A", "1", "C", "3")))
                .containsExactly(Map.entry("A", "1"), Map.entry("b", "2"), Map.entry("C", "3"));
    }

    @Test
    void traceIdThenThatOfTheLatestTracedAttempt() {
        assertThat(detail("u", List.of(Map.of("a", "b"), TRACED)).traceId())
                .isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @Test
    void traceIdWhenNotTracedThenNull() {
        assertThat(detail("u", List.of()).traceId()).isNull();
        assertThat(detail("u", List.of(Map.of("a", "b"))).traceId()).isNull();
        assertThat(detail("u", List.of(Map.of("traceparent", "00-malformed"))).traceId())
                .isNull();
    }

    @Test
    void curlThenQuotesForAShell() {
        assertThat(detail("http://a/?q='$(rm)", List.of(Map.of("X-Name", "it's `ls`", "X-Signature", "t=1")))
                        .curl())
                .isEqualTo("""
                        curl -X POST 'http://a/?q='\\''$(rm)' \\
                          -H 'X-Name: it'\\''s `ls`' \\
                          -H 'X-Signature: ***' \\
                          --data-binary @payload.json""");
    }

    @Test
    void curlWhenSeveralAttemptsThenTheLatest() {
        assertThat(detail(null, List.of(Map.of("X-Number", "2"), Map.of("X-Number", "1")))
                        .curl())
                .contains("'https://example.org/'", "X-Number: 2")
                .doesNotContain("X-Number: 1");
    }

    /** @param headers of the attempts, the latest first */
    private static DeliveryDetail detail(@Nullable String url, List<Map<String, String>> headers) {
        return new DeliveryDetail(
                DELIVERY,
                url,
                null,
                headers.stream().map(DeliveryDetailTests::attempt).toList());
    }

    private static DeliveryAttempt attempt(Map<String, String> headers) {
        return new DeliveryAttempt(
                1, Instant.EPOCH, Duration.ZERO, headers, 200, null, null, null, null, Map.of(), null);
    }
}
