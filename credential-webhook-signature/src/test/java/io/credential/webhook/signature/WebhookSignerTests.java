package io.credential.webhook.signature;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.signature.internal.UlidGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WebhookSignerTests {

    private final WebhookFixture fixture = new WebhookFixture();

    /** The signature was computed by Python's hmac with sha3_512. */
    @Test
    void signWhenTimeAndIdAreGivenThenKnownSignature() {
        String id = "01KDVDPX000000000000000000";
        WebhookSigner signer = fixture.signer().idGenerator(() -> id).build();

        SignedWebhook signed = signer.sign(WebhookFixture.BODY);

        String signature = "3b00b72716d0bab29c8a60bb42ec48fc6f2d7761af2b36bd4af4c736c208ec42"
                + "50c3440b7259c319cff45e6e883965995196466ea6edefa16f5137fa1f54214a";
        assertThat(signed)
                .isEqualTo(new SignedWebhook(
                        Map.of("Webhook-Signature", "t=1767225600,id=" + id + ",v1=" + signature),
                        1767225600,
                        id,
                        "v1",
                        signature));
    }

    @Test
    void headersWhenAskedThenAreOnlyTheHeader() {
        WebhookSigner signer = fixture.signer().signatureHeader("X-Signature").build();

        assertThat(signer.headers(WebhookFixture.BODY)).containsOnlyKeys("X-Signature");
    }

    @Test
    void signWhenCalledAgainThenTheIdIsAnother() {
        WebhookSigner signer = fixture.signer().build();
        Set<String> ids = new HashSet<>();

        for (int i = 0; i < 1000; i++) {
            ids.add(signer.sign(WebhookFixture.BODY).id());
        }

        assertThat(ids).hasSize(1000).allMatch(id -> id.matches("[0-9A-HJKMNP-TV-Z]{26}"));
    }

    @Test
    void defaultIdsThenSortByTimeAndStartWithIt() {
        UlidGenerator ids = new UlidGenerator(fixture.clock, new SecureRandom());
        fixture.clock.set(Instant.ofEpochMilli(1469918176385L));
        String before = ids.next();
        fixture.clock.advance(Duration.ofMillis(1));

        assertThat(before).startsWith("01ARYZ6S41").hasSize(26);
        assertThat(ids.next()).isGreaterThan(before);
    }

    @Test
    void defaultIdsThenEndWith80RandomBits() {
        byte[] bits = HexFormat.of().parseHex("00443214c74254b635cf");
        SecureRandom random = new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                System.arraycopy(bits, 0, bytes, 0, bits.length);
            }
        };

        assertThat(new UlidGenerator(fixture.clock, random).next()).endsWith("0123456789ABCDEF");
    }

    @Test
    void signWhenAnotherKeySignsTooThenEitherIsVerified() {
        String other = "another key, long enough";
        WebhookSigner signer = fixture.signer()
                .key("v2", other)
                .defaultKid("v2")
                .additionalKid("v1")
                .build();

        SignedWebhook signed = signer.sign(WebhookFixture.BODY);

        String header = Objects.requireNonNull(signed.headers().get("Webhook-Signature"));
        assertThat(header).matches("t=\\d+,id=\\w+,v2=[0-9a-f]{128},v1=[0-9a-f]{128}");
        Map<String, List<String>> headers = Map.of("Webhook-Signature", List.of(header));
        assertThat(fixture.verifier()
                        .build()
                        .verify(WebhookFixture.BODY, headers)
                        .kid())
                .isEqualTo("v1");
        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v2", other)
                        .clock(fixture.clock)
                        .build()
                        .verify(WebhookFixture.BODY, headers))
                .returns("v2", VerifiedWebhook::kid)
                .returns(signed.id(), VerifiedWebhook::id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void buildWhenAdditionalKidIsNoOtherThenRefused(String kid) {
        Codes.assertRefused(
                "webhook/bad-opt", () -> fixture.signer().additionalKid(kid).build());
    }

    @Test
    void signWhenThereAreSeveralKeysThenTheDefaultSigns() {
        WebhookSigner signer = fixture.signer()
                .key("v2", "another key, long enough")
                .defaultKid("v2")
                .build();

        assertThat(signer.sign(WebhookFixture.BODY).kid()).isEqualTo("v2");
    }

    @Test
    void signWhenThereIsNoBodyThenIsRefused() {
        Codes.assertRefused("webhook/bad-body", () -> fixture.signer().build().sign(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a,b", "a=b", "a b", "ä", "a\n"})
    void signWhenTheGeneratorMakesNoIdThenIsRefused(String id) {
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> fixture.signer().idGenerator(() -> id).build().sign(WebhookFixture.BODY));
    }

    @Test
    void signWhenTheGeneratorFailsThenItsErrorPasses() {
        AtomicInteger calls = new AtomicInteger();
        WebhookSigner signer = fixture.signer()
                .idGenerator(() -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("no entropy");
                })
                .build();

        assertThatIllegalStateException().isThrownBy(() -> signer.sign(WebhookFixture.BODY));
        assertThat(calls).hasValue(1);
    }

    @Test
    void toStringThenNamesTheSignerAndNoKey() {
        assertThat(fixture.signer().name("outbound").build())
                .hasToString("WebhookSigner[outbound, hmac-sha3-512, kid v1]");
    }
}
