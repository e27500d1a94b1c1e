package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.SecretBytes;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProcessorSignatureTests {

    private static final String SIGNATURE = "eb25f56ffb2a451385e6c4ce36132aaacf8448c86209fd14eedfa4b85b2fb5a6";
    private static final String WRONG = "0".repeat(64);

    private final WebhookFixture fixture = new WebhookFixture();
    private final ProcessorSignature pair = pair().build();

    /** The signature was computed by Python's hmac. */
    @Test
    void signWhenTimeIsGivenThenTheSignatureIsTheKnownOne() {
        assertThat(pair.sign(WebhookFixture.BODY, 1767225600)).isEqualTo("t=1767225600,v1=" + SIGNATURE);
    }

    @Test
    void signWhenNoTimeIsGivenThenItIsNow() {
        assertThat(pair.sign(WebhookFixture.BODY)).isEqualTo("t=1767225600,v1=" + SIGNATURE);
    }

    @Test
    void signWhenTheTimeIsNoneThenIsRefused() {
        Codes.assertRefused("webhook/bad-timestamp", () -> pair.sign(WebhookFixture.BODY, -1));
        Codes.assertRefused("webhook/bad-timestamp", () -> pair.sign(WebhookFixture.BODY, Long.MAX_VALUE));
    }

    @Test
    void signWhenLocaleHasOtherDigitsThenTheSameTimestamp() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(pair.sign(WebhookFixture.BODY)).isEqualTo("t=1767225600,v1=" + SIGNATURE);
            assertThat(WebhookFixture.line(fixture.signer().build().sign(WebhookFixture.BODY)))
                    .startsWith("t=1767225600,");
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t=1767225600,v1=" + SIGNATURE,
                "v1=" + SIGNATURE + ",t=1767225600",
                " t=1767225600 ,\tv1=" + SIGNATURE + " ",
                "t=1767225600,v1=0000000000000000000000000000000000000000000000000000000000000000,v1=" + SIGNATURE,
                "t=1767225600,v1=" + SIGNATURE + ",v1=too short",
                "t=1767225600,v0=anything,v1=" + SIGNATURE + ",,what is this,=,T=5"
            })
    void verifyWhenOneSignatureMatchesThenIsAccepted(String header) {
        assertThat(pair.verify(header, WebhookFixture.BODY)).isEqualTo(new ProcessorVerification(1767225600, "v1"));
    }

    @Test
    void verifyWhenSignatureIsInUpperCaseThenAccepted() {
        assertThat(pair.verify("t=1767225600,v1=" + SIGNATURE.toUpperCase(Locale.ROOT), WebhookFixture.BODY)
                        .timestamp())
                .isEqualTo(1767225600);
    }

    @Test
    void secretWhenItLooksEncodedThenTakenVerbatim() {
        byte[] secret = "whsec_test".getBytes(StandardCharsets.UTF_8);
        ProcessorSignature ofBytes =
                ProcessorSignature.builder().secret(secret).clock(fixture.clock).build();
        ProcessorSignature looksEncoded = ProcessorSignature.builder()
                .secret("base64:d2hzZWNfdGVzdA==")
                .clock(fixture.clock)
                .build();

        assertThat(ofBytes.sign(WebhookFixture.BODY)).isEqualTo(pair.sign(WebhookFixture.BODY));
        assertThat(looksEncoded.sign(WebhookFixture.BODY)).isNotEqualTo(pair.sign(WebhookFixture.BODY));
    }

    @Test
    void verifyWhenHeaderIsMissingThenRefused() {
        Codes.assertRefused("webhook/missing-header", () -> pair.verify(null, WebhookFixture.BODY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "t",
                "v1",
                "t=1767225600",
                "v1=" + SIGNATURE,
                "t=,v1=" + SIGNATURE,
                "t=01767225600,v1=" + SIGNATURE,
                "t=-1,v1=" + SIGNATURE,
                "t=1767225600.5,v1=" + SIGNATURE,
                "t=99999999999999999999,v1=" + SIGNATURE,
                "t=١٧٦٧٢٢٥٦٠٠,v1=" + SIGNATURE,
                "t=1767225600,t=1767225600,v1=" + SIGNATURE,
                "t=1767225600,v1=",
                "t=1767225600,v1=" + SIGNATURE + "00",
                "t=1767225600,v1=eb25f56ffb2a451385e6c4ce36132aaa",
                "t=1767225600,v1=zz25f56ffb2a451385e6c4ce36132aaacf8448c86209fd14eedfa4b85b2fb5a6",
                "t=1767225600,v1=\uD83D\uDE0025f56ffb2a451385e6c4ce36132aaacf8448c86209fd14eedfa4b85b2fb5a6",
                "t=1767225600,v0=" + SIGNATURE,
                "t=1767225600,V1=" + SIGNATURE,
                "t=1767225600;v1=" + SIGNATURE
            })
    void verifyWhenHeaderIsMalformedThenRefused(String header) {
        Codes.assertRefused("webhook/bad-stripe-header", () -> pair.verify(header, WebhookFixture.BODY));
    }

    @Test
    void verifyWhenHeaderIsOver4096CharactersThenRefused() {
        String line = "t=1767225600,v1=" + SIGNATURE + ",v0=";

        assertThat(pair.verify(line + "0".repeat(4096 - line.length()), WebhookFixture.BODY)
                        .scheme())
                .isEqualTo("v1");
        Codes.assertRefused(
                "webhook/bad-stripe-header",
                () -> pair.verify(line + "0".repeat(4097 - line.length()), WebhookFixture.BODY));
    }

    @Test
    void verifyWhenHeaderHasOver32SegmentsThenRefused() {
        String line = "t=1767225600,v1=" + SIGNATURE;

        assertThat(pair.verify(line + ",a=b".repeat(30), WebhookFixture.BODY).scheme())
                .isEqualTo("v1");
        Codes.assertRefused("webhook/bad-stripe-header", () -> pair.verify(line + ",".repeat(31), WebhookFixture.BODY));
    }

    @Test
    void verifyWhenTimestampIsStaleThenRefused() {
        String header = pair.sign(WebhookFixture.BODY);

        fixture.clock.advance(Duration.ofMinutes(5));
        assertThat(pair.verify(header, WebhookFixture.BODY).scheme()).isEqualTo("v1");
        fixture.clock.advance(Duration.ofMillis(1));
        Codes.assertRefused("webhook/stale-timestamp", () -> pair.verify(header, WebhookFixture.BODY));

        fixture.clock.advance(Duration.ofMinutes(-10));
        Codes.assertRefused(
                "webhook/stale-timestamp", () -> pair.verify("t=1767225601,v1=" + WRONG, WebhookFixture.BODY));
        fixture.clock.set(Instant.ofEpochSecond(1767225600 - 300));
        assertThat(pair.verify(header, WebhookFixture.BODY).scheme()).isEqualTo("v1");
    }

    @Test
    void verifyWhenToleranceIs30SecondsThenStaleAfterIt() {
        ProcessorSignature narrow = pair().tolerance(Duration.ofSeconds(30)).build();
        String header = narrow.sign(WebhookFixture.BODY);

        fixture.clock.advance(Duration.ofSeconds(31));

        Codes.assertRefused("webhook/stale-timestamp", () -> narrow.verify(header, WebhookFixture.BODY));
    }

    @Test
    void bodyWhenMissingThenRefused() {
        Codes.assertRefused("webhook/bad-body", () -> pair.sign(null));
        Codes.assertRefused("webhook/bad-body", () -> pair.verify("t=1767225600,v1=" + SIGNATURE, null));
    }

    @Test
    void verifyWhenSignatureDoesNotMatchThenRefused() {
        Codes.assertRefused(
                "webhook/bad-signature", () -> pair.verify("t=1767225600,v1=" + WRONG, WebhookFixture.BODY));
        Codes.assertRefused("webhook/bad-signature", () -> pair.verify("t=1767225600,v1=" + SIGNATURE, new byte[0]));
        Codes.assertRefused(
                "webhook/bad-signature", () -> pair.verify("t=1767225601,v1=" + SIGNATURE, WebhookFixture.BODY));
    }

    @Test
    void verifyWhenReplayedInAnotherFormThenRefused() {
        ProcessorSignature once =
                pair().nonceStore(new InMemoryNonceStore(fixture.clock)).build();

        once.verify("t=1767225600,v1=" + SIGNATURE, WebhookFixture.BODY);

        Codes.assertRefused(
                "webhook/replay",
                () -> once.verify(
                        "v0=x,v1=" + WRONG + ",v1=" + SIGNATURE.toUpperCase(Locale.ROOT) + ",t=1767225600",
                        WebhookFixture.BODY));
        assertThat(once.verify(once.sign(new byte[0]), new byte[0]).scheme()).isEqualTo("v1");
    }

    @Test
    void verifyWhenSignatureIsRefusedThenNoNonceIsUsedUp() {
        ProcessorSignature once =
                pair().nonceStore(new InMemoryNonceStore(fixture.clock)).build();

        Codes.assertRefused(
                "webhook/bad-signature", () -> once.verify("t=1767225600,v1=" + WRONG, WebhookFixture.BODY));
        assertThat(once.verify("t=1767225600,v1=" + SIGNATURE, WebhookFixture.BODY)
                        .timestamp())
                .isEqualTo(1767225600);
    }

    @Test
    void verifyThenNonceOutlivesTheTolerance() {
        Map<String, Instant> seen = new HashMap<>();
        ProcessorSignature remembering = pair().nonceStore((nonce, expireAt) -> seen.put(nonce, expireAt) == null)
                .build();

        remembering.verify("t=1767225600,v1=" + SIGNATURE, WebhookFixture.BODY);

        assertThat(seen)
                .containsExactly(Map.entry(
                        ReplayGuard.nonce("default", "1767225600", SIGNATURE), Instant.parse("2026-01-01T00:06:01Z")));
    }

    @Test
    void verifyWhenTheStoreFailsThenSaysSo() {
        ProcessorSignature failing = pair().nonceStore((nonce, expireAt) -> {
                    throw new IllegalStateException("the store does not answer");
                })
                .build();

        assertThatExceptionOfType(NonceStoreException.class)
                .isThrownBy(() -> failing.verify("t=1767225600,v1=" + SIGNATURE, WebhookFixture.BODY));
    }

    /** The vector of the Standard Webhooks specification, whose scheme has the same primitive. */
    @Test
    void computeThenMakesTheMacOfStandardWebhooks() {
        byte[] secret = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        byte[] head = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".getBytes(StandardCharsets.UTF_8);
        byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

        byte[] mac = new HmacSha256Key(SecretBytes.copyOf(secret)).compute(head, body);

        assertThat(mac).asBase64Encoded().isEqualTo("g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    private ProcessorSignature.Builder pair() {
        return ProcessorSignature.builder().secret("whsec_test").clock(fixture.clock);
    }
}
