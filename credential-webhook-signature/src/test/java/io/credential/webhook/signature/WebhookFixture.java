package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.credential.testing.MutableClock;

/** One pair of signer and verifier on one clock, and what their tests need. */
final class WebhookFixture {

    static final String KEY = "correct horse battery staple";
    static final String HEADER = "Webhook-Signature";
    static final byte[] BODY = "{\"item\":\"book\"}".getBytes(StandardCharsets.UTF_8);

    final MutableClock clock = MutableClock.atNewYear();

    WebhookSigner.Builder signer() {
        return WebhookSigner.builder().algorithm("hmac-sha3-512").key("v1", KEY).clock(clock);
    }

    WebhookVerifier.Builder verifier() {
        return WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .clock(clock);
    }

    WebhookSigner.Builder signer(TestKeys keys) {
        return WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", keys.privateKey(), keys.publicKey())
                .clock(clock);
    }

    WebhookVerifier.Builder verifier(TestKeys keys) {
        return WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("p1", keys.publicKey())
                .clock(clock);
    }

    /** The headers of a request with this one. */
    static Map<String, List<String>> header(String value) {
        return Map.of(HEADER, List.of(value));
    }

    static Map<String, List<String>> headers(SignedWebhook signed) {
        return header(line(signed));
    }

    static String line(SignedWebhook signed) {
        return Objects.requireNonNull(signed.headers().get(HEADER));
    }
}
