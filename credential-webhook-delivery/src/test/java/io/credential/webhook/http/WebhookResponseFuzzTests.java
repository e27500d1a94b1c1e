package io.credential.webhook.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/** What receivers send as {@code Retry-After} is a wait, or ignored. */
class WebhookResponseFuzzTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @FuzzTest
    void retryAfterHeaders(byte[] input) {
        WebhookResponse response = new WebhookResponse(429, "", new String(input, StandardCharsets.ISO_8859_1));

        assertThat(response.retryAfter(NOW).orElse(Duration.ZERO)).isGreaterThanOrEqualTo(Duration.ZERO);
    }
}
