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
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.signature.Codes;
import io.credential.webhook.signature.PresentedSignature;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

/** What all schemes keep, with requests as their senders document them. */
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
                .containsExactlyInAnyOrderElementsOf(
                        WebhookSchemes.all().stream().map(WebhookScheme::name).toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenValidThenSaysWhatIsKnown(SchemeSample sample) {
        VerifiedWebhook verified = verify(sample);

        assertThat(verified.scheme()).isEqualTo(sample.scheme());
        assertThat(verified.sender()).isEqualTo("sender");
        assertThat(verified.kid()).isEqualTo("v1");
        assertThat(verified.algorithm()).isEqualTo("hmac-sha256");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenAnyBitOfTheBodyFlipsThenRefused(SchemeSample sample) {
        WebhookVerifier verifier = verifier(sample).build();
        byte[] body = sample.bytes();
        for (int bit = 0; bit < 8 * body.length; bit++) {
            byte[] changed = body.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            Codes.assertRefused("webhook/bad-signature", () -> verifier.verifyRequest(sample.head(), changed));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenASignedCharacterChangesThenRefused(SchemeSample sample) {
        WebhookVerifier verifier =
                verifier(sample).tolerance(Duration.ofDays(36_000)).build();
        sample.headers().forEach((name, value) -> {
            if (isUnsigned(name)) {
                return;
            }
            for (int i = 0; i < value.length(); i++) {
                char changed = value.charAt(i) == '5' ? '6' : '5';
                SchemeSample tampered = sample.with(name, value.substring(0, i) + changed + value.substring(i + 1));
                assertThatExceptionOfType(WebhookException.class)
                        .as("%s: %s", name, i)
                        .isThrownBy(() -> verifier.verifyRequest(tampered.head(), tampered.bytes()));
            }
        });
    }

    /** The sender signs neither. */
    private static boolean isUnsigned(String header) {
        return header.equals("X-Shopify-Topic") || header.equals("X-Shopify-Webhook-Id");
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenAHeaderIsMissingThenRefused(SchemeSample sample) {
        sample.headers().keySet().stream()
                .filter(name -> !isUnsigned(name))
                .forEach(name -> assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(() -> verify(sample.without(name)))
                        .satisfies(e -> assertThat(e.code())
                                .isIn("webhook/missing-header", "webhook/missing-id", "webhook/missing-timestamp")));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenTheKeyIsAnotherThenRefused(SchemeSample sample) {
        Codes.assertRefused("webhook/bad-signature", () -> verify(sample.withKey("whsec_" + "A".repeat(32))));
    }

    /** While a sender exchanges its secret. */
    @ParameterizedTest
    @MethodSource("samples")
    void verifyWhenOneOfTwoKeysMatchesThenNamesIt(SchemeSample sample) {
        clock.set(Instant.ofEpochSecond(sample.seconds()));
        WebhookVerifier verifier = WebhookVerifier.builder()
                .scheme(sample.webhookScheme())
                .key("old", "whsec_" + "A".repeat(32))
                .key("new", sample.key())
                .clock(clock)
                .build();

        assertThat(verifier.verifyRequest(sample.head(), sample.bytes()).kid()).isEqualTo("new");
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
    @CsvSource({"github, X-GitHub-Delivery, X-GitHub-Event", "shopify, X-Shopify-Webhook-Id, X-Shopify-Topic"})
    void verifyWhenIdAndTypeAreUnsignedThenSaysSo(String scheme, String id, String type) {
        SchemeSample sample = SchemeSample.of(scheme).with(id, "id-1").with(type, "some.type");

        VerifiedWebhook verified = verify(sample);

        assertThat(verified.id()).isEqualTo("id-1");
        assertThat(verified.type()).isEqualTo("some.type");
        assertThat(verified.timestamp()).isNull();
        assertThat(verified.signed()).isEmpty();
        assertThat(verified.deliveryId()).isEmpty();
    }

    @Test
    void verifyWhenStandardThenIdAndTimeAreSigned() {
        VerifiedWebhook verified = verify(SchemeSample.of("standard-webhooks"));

        assertThat(verified.id()).isEqualTo("msg_p5jXN8AQM9LWM0D4loKWxJek");
        assertThat(verified.timestamp()).isEqualTo(1614265330L);
        assertThat(verified.signed()).isEqualTo(Set.of(Part.ID, Part.TIMESTAMP));
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
    void verifyWhenSignedWithEd25519ThenAccepted() {
        SchemeSample sample = SchemeSample.of("standard-webhooks")
                .withKey(PUBLIC_KEY)
                .with(
                        "webhook-signature",
                        "v1,AAAA v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==");

        assertThat(verify(sample).algorithm()).isEqualTo("ed25519");
        Codes.assertRefused("webhook/bad-signature", () -> verify(sample.with("webhook-id", "msg_other")));
    }

    @Test
    void verifyWhenSvixThenItsHeadersAreRead() {
        SchemeSample sample = SchemeSample.of("standard-webhooks");
        SchemeSample svix = sample;
        for (String name : sample.headers().keySet()) {
            svix = svix.without(name)
                    .with(
                            name.replace("webhook-", "svix-"),
                            String.valueOf(sample.headers().get(name)));
        }

        assertThat(verify(svix).id()).isEqualTo("msg_p5jXN8AQM9LWM0D4loKWxJek");
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
    @MethodSource("samples")
    void verifyWhenAHeaderIsHugeThenRefused(SchemeSample sample) {
        sample.headers()
                .keySet()
                .forEach(name -> assertThatExceptionOfType(WebhookException.class)
                        .isThrownBy(() -> verify(sample.with(name, "x".repeat(100_000)))));
    }

    @ParameterizedTest
    @CsvSource({"whsec_short", "whsk_" + "AAAA", "plain"})
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

        assertThat(new VerifiedWebhook("hmac-sha256", "v1", 1L, id, null, "standard-webhooks", null, Set.of(Part.ID))
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
