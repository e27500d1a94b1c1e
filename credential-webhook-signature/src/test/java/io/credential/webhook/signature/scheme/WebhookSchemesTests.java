package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.secret.SecretBytes;
import io.credential.testing.MutableClock;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.signature.Codes;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/** What the verifier adds to all schemes, and the particulars of each; the test kit has their contract. */
class WebhookSchemesTests {

    private static final String PUBLIC_KEY = String.valueOf(StandardWebhooksSigner.publicKey(
            secret("whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==")));

    private final MutableClock clock = MutableClock.atNewYear();

    static List<SchemeSample> samples() {
        return SchemeSample.ALL;
    }

    @Test
    void schemesThenEachHasASample() {
        assertThat(SchemeSample.ALL)
                .extracting(SchemeSample::scheme)
                .containsAll(
                        WebhookSchemes.all().stream().map(WebhookScheme::name).toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenValidThenSaysWhatIsKnown(SchemeSample sample) {
        VerifiedWebhook verified = verify(sample);

        assertThat(verified.scheme()).isEqualTo(sample.scheme());
        assertThat(verified.sender()).isEqualTo("sender");
        assertThat(verified.kid()).isEqualTo("v1");
        assertThat(verified.algorithm()).isEqualTo(sample.key().startsWith("whpk_") ? "ed25519" : "hmac-sha256");
    }

    @ParameterizedTest
    @CsvSource({"standard-webhooks", "slack", "stripe"})
    void verifyWhenTheTimeIsSignedThenWindowHolds(String scheme) {
        SchemeSample sample = SchemeSample.of(scheme);
        WebhookVerifier verifier = verifier(sample).build();

        clock.set(Instant.ofEpochSecond(sample.seconds() + 301));
        Codes.assertRefused("webhook/expired", () -> verifier.verifyRequest(sample.head(), sample.bytes()));

        clock.set(Instant.ofEpochSecond(sample.seconds() - 61));
        Codes.assertRefused("webhook/future", () -> verifier.verifyRequest(sample.head(), sample.bytes()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenRepeatedThenReplay(SchemeSample sample) {
        WebhookVerifier verifier = remembering(sample);
        verifier.verifyRequest(sample.head(), sample.bytes());

        Codes.assertRefused("webhook/replay", () -> verifier.verifyRequest(sample.head(), sample.bytes()));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenProcessingFailedThenAcceptedAgain(SchemeSample sample) {
        WebhookVerifier verifier = remembering(sample);
        PresentedSignature<VerifiedWebhook> presented = verifier.examineRequest(sample.head());
        presented.verify(sample.bytes());

        presented.forget();

        assertThat(verifier.verifyRequest(sample.head(), sample.bytes()).scheme())
                .isEqualTo(sample.scheme());
    }

    /** A sender signs each attempt with a new time, but with the same id. */
    @Test
    void verifyWhenStandardIsSentAgainThenReplay() {
        SchemeSample sample = SchemeSample.of("standard-webhooks");
        WebhookVerifier verifier = remembering(sample);
        verifier.verifyRequest(sample.head(), sample.bytes());
        clock.advance(Duration.ofSeconds(5));
        Map<String, String> again = new StandardWebhooksSigner(List.of(secret(sample.key())), clock)
                .headers(sample.bytes(), "msg_p5jXN8AQM9LWM0D4loKWxJek");

        SchemeSample second = new SchemeSample(sample.scheme(), sample.key(), sample.seconds(), again, sample.body());
        Codes.assertRefused("webhook/replay", () -> verifier.verifyRequest(second.head(), second.bytes()));
    }

    @Test
    void verifyWhenThereAreNineSignaturesThenRefused() {
        SchemeSample sample = SchemeSample.of("standard-webhooks");
        String signature = sample.headers().get("webhook-signature");

        assertThat(verify(sample.with("webhook-signature", "v1,AAAA ".repeat(7) + signature))
                        .kid())
                .isEqualTo("v1");
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verify(sample.with("webhook-signature", "v1,AAAA ".repeat(8) + signature)));
    }

    /** Otherwise, a dot would let bytes move between the id and the timestamp. */
    @Test
    void verifyWhenTheIdHasADotThenRefused() {
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verify(SchemeSample.of("standard-webhooks").with("webhook-id", "msg.1")));
    }

    @ParameterizedTest
    @CsvSource({"whsec_short", "whsec_" + "AAAAAAAAAAAAAAAAAAAA", "whsk_" + "AAAA", "plain"})
    void keyOfStandardWebhooksWhenMalformedThenBadSecret(String key) {
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookVerifier.builder()
                        .scheme(WebhookSchemes.standardWebhooks())
                        .key("v1", key)
                        .build());
    }

    @Test
    void schemeWhenAlgorithmIsGivenTooThenBadOpt() {
        Stream.of(
                        WebhookVerifier.builder().algorithm("hmac-sha3-512"),
                        WebhookVerifier.builder().pqcAlgorithm("ml-dsa-65"))
                .forEach(builder -> Codes.assertRefused(
                        "webhook/bad-opt",
                        () -> builder.scheme(WebhookSchemes.gitHub())
                                .key("v1", "a secret")
                                .build()));
    }

    /** An id that nothing signs is not what was verified. */
    @ParameterizedTest
    @CsvSource({"github, X-GitHub-Delivery", "shopify, X-Shopify-Webhook-Id"})
    void auditWhenTheIdIsUnsignedThenAsPresented(String scheme, String header) {
        List<AuditEvent> events = new ArrayList<>();
        SchemeSample sample = SchemeSample.of(scheme).with(header, "id-1");

        verifier(sample).audit(events::add).build().verifyRequest(sample.head(), sample.bytes());

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.resourceId()).isNull();
            assertThat(event.attributes()).containsEntry("presentedId", "id-1");
        });
    }

    @ParameterizedTest
    @CsvSource({"'id 1'", "\u00e9", "''"})
    void claimsWhenTheIdIsNotVisibleThenRefused(String id) {
        Codes.assertRefused("webhook/bad-header-format", () -> new WebhookClaims(id, null, null, Set.of()));
        Codes.assertRefused("webhook/bad-header-format", () -> new WebhookClaims(null, id, null, Set.of()));
    }

    /** A scheme of an application may have parsed it. */
    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MAX_VALUE})
    void claimsWhenTheTimeIsOutOfRangeThenRefused(long timestamp) {
        Codes.assertRefused("webhook/bad-timestamp", () -> new WebhookClaims(null, null, timestamp, Set.of()));
    }

    @Test
    void deliveryIdWhenTheSchemeIsForeignThenEmpty() {
        String id = "0123456789abcdef0123456789abcdef-1";

        assertThat(new VerifiedWebhook(
                                "hmac-sha256", "v1", 1L, id, null, "standard-webhooks", null, Set.of(Part.ID), id)
                        .deliveryId())
                .isEmpty();
        assertThat(new VerifiedWebhook("hmac-sha3-512", "v1", 1L, id).deliveryId())
                .isPresent();
    }

    @Test
    void keyWhenItIsPublicThenCostly() {
        assertThat(standard(PUBLIC_KEY).isCostly()).isTrue();
        assertThat(standard("whsec_" + "A".repeat(32)).isCostly()).isFalse();
    }

    /** Another sender may have the same key in another form. */
    @Test
    void keyThenHasTheIdentityOfWhatItEncodes() {
        assertThat(standard("whsec_" + "A".repeat(32)).keyIdentities())
                .containsExactly(entry("v1", KeyIdentity.of(new byte[24])));
    }

    @Test
    void schemeWhenNamedAsOursThenBadOpt() {
        WebhookScheme impostor = new WebhookScheme() {
            @Override
            public String name() {
                return "credential";
            }

            @Override
            public Verifier verifier(Map<String, SecretBytes> keys) {
                throw new AssertionError();
            }
        };

        Codes.assertRefused("webhook/bad-opt", () -> WebhookVerifier.builder().scheme(impostor));
    }

    private static WebhookVerifier standard(String key) {
        return WebhookVerifier.builder()
                .scheme(WebhookSchemes.standardWebhooks())
                .key("v1", key)
                .build();
    }

    private WebhookVerifier remembering(SchemeSample sample) {
        WebhookVerifier.Builder builder = verifier(sample);
        return builder.nonceStore(new InMemoryNonceStore(clock)).build();
    }

    private VerifiedWebhook verify(SchemeSample sample) {
        return verifier(sample).build().verifyRequest(sample.head(), sample.bytes());
    }

    private WebhookVerifier.Builder verifier(SchemeSample sample) {
        clock.set(Instant.ofEpochSecond(sample.seconds()));
        return WebhookVerifier.builder()
                .name("sender")
                .scheme(sample.webhookScheme())
                .key("v1", sample.key())
                .clock(clock);
    }

    private static SecretBytes secret(String text) {
        return SecretBytes.copyAndWipe(text.getBytes(StandardCharsets.UTF_8));
    }
}
