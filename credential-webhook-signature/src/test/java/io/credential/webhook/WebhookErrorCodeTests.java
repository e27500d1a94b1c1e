package io.credential.webhook;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What callers compare with must not change. */
class WebhookErrorCodeTests {

    @Test
    void textThenIsThatOfTheSpecification() {
        assertThat(Arrays.stream(WebhookErrorCode.values()).map(WebhookErrorCode::text))
                .containsExactly(
                        "webhook/missing-header",
                        "webhook/bad-header-format",
                        "webhook/missing-id",
                        "webhook/missing-timestamp",
                        "webhook/missing-signature",
                        "webhook/bad-timestamp",
                        "webhook/bad-stripe-header",
                        "webhook/bad-body",
                        "webhook/stale-timestamp",
                        "webhook/expired",
                        "webhook/future",
                        "webhook/replay",
                        "webhook/unknown-kid",
                        "webhook/bad-signature",
                        "webhook/bad-opts",
                        "webhook/bad-opt",
                        "webhook/bad-secret",
                        "webhook/bad-alg",
                        "webhook/bad-tolerance",
                        "webhook/bad-nonce-store",
                        "webhook/unsafe-destination",
                        "webhook/unresolvable-destination",
                        "webhook/send-failed");
    }
}
