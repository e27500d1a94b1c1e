package io.credential.webhook.signature;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.CapturedLog;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.KeySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The six codes of options that do not make a signer or verifier. */
class ConstructionTests {

    private static final TestKeys ML_DSA_65 = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
    private static final TestKeys ML_DSA_44 = TestKeys.mlDsa(MLDSAParameters.ml_dsa_44);
    private static final byte[] BYTES = "correct horse battery staple".getBytes(StandardCharsets.UTF_8);

    private final WebhookFixture fixture = new WebhookFixture();

    @Test
    void buildWhenARequiredOptionIsMissingThenBadOpts() {
        Codes.assertRefused("webhook/bad-opts", () -> WebhookSigner.builder().build());
        Codes.assertRefused("webhook/bad-opts", () -> WebhookVerifier.builder().build());
        Codes.assertRefused(
                "webhook/bad-opts",
                () -> WebhookSigner.builder().key("v1", BYTES).build());
        Codes.assertRefused(
                "webhook/bad-opts",
                () -> WebhookSigner.builder().algorithm("hmac-sha3-512").build());
        Codes.assertRefused(
                "webhook/bad-opts",
                () -> WebhookVerifier.builder().algorithm("pqc-pem").build());
        Codes.assertRefused(
                "webhook/bad-opts", () -> fixture.signer().key("v2", BYTES).build());
    }

    @Test
    void buildWhenOptionDoesNotFitTheAlgorithmThenBadOpt() {
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.signer().pqcAlgorithm("ml-dsa-65").build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.verifier().pqcAlgorithm("ml-dsa-65").build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.signer()
                        .keyPair("v2", ML_DSA_65.privateKey(), ML_DSA_65.publicKey())
                        .defaultKid("v1")
                        .build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> WebhookSigner.builder()
                        .algorithm("pqc-pem")
                        .key("v1", ML_DSA_65.privateKey())
                        .build());
    }

    @Test
    void buildWhenAnOptionIsOutOfRangeThenBadOpt() {
        Codes.assertRefused("webhook/bad-opt", () -> fixture.signer().key("v1", BYTES));
        Codes.assertRefused("webhook/bad-opt", () -> fixture.verifier().key("v1", BYTES));
        Codes.assertRefused(
                "webhook/bad-opt", () -> fixture.signer().defaultKid("v2").build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.verifier().clockSkew(Duration.ofMillis(-1)).build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.verifier().clockSkew(Duration.ofDays(36_501)).build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "a:b", "a\r\nb", "ä"})
    void signatureHeaderWhenNotAHeaderNameThenBadOpt(String header) {
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.signer().signatureHeader(header).build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.verifier().signatureHeader(header).build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type",
                "content-type",
                "X-Webhook-Delivery-Id",
                "x-webhook-delivery-ID",
                "Host",
                "Content-Length",
                "transfer-encoding",
                "Connection",
                "Keep-Alive",
                "Upgrade",
                "Expect",
                "TE",
                "Trailer",
                "Proxy-Authorization",
                "Proxy-Connection"
            })
    void signatureHeaderWhenRequestsHaveItThenBadOpt(String header) {
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.signer().signatureHeader(header).build());
        Codes.assertRefused(
                "webhook/bad-opt",
                () -> fixture.verifier().signatureHeader(header).build());
    }

    @Test
    void signatureHeaderWhenAnotherWebhookHeaderThenUsed() {
        WebhookSigner signer =
                fixture.signer().signatureHeader("X-Webhook-Signature").build();

        assertThat(signer.headers(BYTES)).containsOnlyKeys("X-Webhook-Signature");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "t", "id", "a.b", "a,b", "a=b", "a b", "ä"})
    void keyWhenKidIsMalformedThenBadOpt(String kid) {
        Codes.assertRefused("webhook/bad-opt", () -> fixture.signer().key(kid, BYTES));
        Codes.assertRefused("webhook/bad-opt", () -> fixture.verifier().key(kid, BYTES));
        Codes.assertRefused("webhook/bad-opt", () -> fixture.signer().keyPair(kid, BYTES, BYTES));
    }

    @Test
    void keyWhenKidHasOver128CharactersThenBadOpt() {
        String longest = "k".repeat(128);

        assertThat(fixture.verifier().key(longest, BYTES).build()).asString().contains(longest);
        Codes.assertRefused("webhook/bad-opt", () -> fixture.verifier().key(longest + "k", BYTES));
    }

    @Test
    void buildWhenSecretIsEmptyThenBadSecret() {
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookSigner.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", "")
                        .build());
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", "")
                        .build());
    }

    /** Whoever chooses a secret must not thereby choose a file that is opened. */
    @ParameterizedTest
    @ValueSource(strings = {"file:/etc/hostname", "classpath:logback-test.xml", "base64:Y29ycmVjdCBob3JzZQ=="})
    void buildWhenKeyLooksLikeALocationThenItIsTheKey(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        SignedWebhook signed = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", key)
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);

        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", bytes)
                        .clock(fixture.clock)
                        .build()
                        .verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .id())
                .isEqualTo(signed.id());
        assertThat(ProcessorSignature.builder().secret(key).build().sign(WebhookFixture.BODY, 1))
                .isEqualTo(ProcessorSignature.builder().secret(bytes).build().sign(WebhookFixture.BODY, 1));
    }

    @Test
    void buildWhenPemIsALocationThenItIsNotOpened(@TempDir Path directory) throws IOException {
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        String privateKey = "file:" + Files.writeString(directory.resolve("private.pem"), keys.privateKey());
        String publicKey = "file:" + Files.writeString(directory.resolve("public.pem"), keys.publicKey());

        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookVerifier.builder()
                        .algorithm("pqc-pem")
                        .key("p1", publicKey)
                        .build());
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookSigner.builder()
                        .algorithm("pqc-pem")
                        .keyPair("p1", privateKey, publicKey)
                        .build());
    }

    @Test
    void buildWhenSecretIsMissingThenBadSecret() {
        byte[] none = null;
        Codes.assertRefused("webhook/bad-secret", () -> fixture.signer().key("v2", (String) null));
        Codes.assertRefused("webhook/bad-secret", () -> fixture.signer().key("v2", none));
        Codes.assertRefused("webhook/bad-secret", () -> fixture.signer().keyPair("v2", BYTES, none));
        Codes.assertRefused("webhook/bad-secret", () -> fixture.verifier().key("v2", (String) null));
        Codes.assertRefused("webhook/bad-secret", () -> fixture.verifier().key("v2", none));
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> fixture.verifier().key("v2", new byte[0]).build());
        Codes.assertRefused(
                "webhook/bad-secret", () -> ProcessorSignature.builder().build());
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> ProcessorSignature.builder().secret("").build());
        Codes.assertRefused(
                "webhook/bad-secret", () -> ProcessorSignature.builder().secret(none));
    }

    @Test
    void keyWhenSecretIsShortThenWarnsWithoutTellingIt() {
        try (CapturedLog log = CapturedLog.of(KeySource.class)) {
            fixture.verifier()
                    .key("short", "15 bytes long..")
                    .key("long", "16 bytes, enough")
                    .build();

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("'short'", "only 15 bytes")
                    .doesNotContain("long..");
        }
    }

    @Test
    void buildWhenKeyIsInvalidThenMessageHidesTheSecret() {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> WebhookVerifier.builder()
                        .algorithm("pqc-pem")
                        .key("v2", "-----BEGIN PUBLIC KEY-----S3CRET!-----END PUBLIC KEY-----")
                        .build())
                .satisfies(e -> assertThat(e).hasMessageNotContaining("S3CRET").hasNoCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmac-sha256", "HMAC-SHA3-512", "ed25519", "hmac-sha256-processor", ""})
    void algorithmWhenNotImplementedThenBadAlg(String algorithm) {
        Codes.assertRefused(
                "webhook/bad-alg", () -> fixture.signer().algorithm(algorithm).build());
        Codes.assertRefused(
                "webhook/bad-alg", () -> fixture.verifier().algorithm(algorithm).build());
    }

    @Test
    void processorWhenAlgorithmIsNotImplementedThenBadAlg() {
        Codes.assertRefused(
                "webhook/bad-alg",
                () -> ProcessorSignature.builder()
                        .algorithm("hmac-sha3-512")
                        .secret("whsec_test")
                        .build());
        assertThat(ProcessorSignature.builder()
                        .algorithm("hmac-sha256-processor")
                        .secret("whsec_test")
                        .build())
                .hasToString("ProcessorSignature[default]");
    }

    @ParameterizedTest
    @CsvSource({"RSA", "EC", "Ed25519", "DSA"})
    void buildWhenKeyIsClassicalThenBadAlg(String algorithm) throws GeneralSecurityException {
        var pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        String publicKey = TestKeys.pem("PUBLIC KEY", pair.getPublic().getEncoded());
        String privateKey = TestKeys.pem("PRIVATE KEY", pair.getPrivate().getEncoded());

        Codes.assertRefused("webhook/bad-alg", () -> verifierOf(publicKey));
        Codes.assertRefused("webhook/bad-alg", () -> signerOf(privateKey, publicKey));
        Codes.assertRefused("webhook/bad-alg", () -> signerOf(privateKey, ML_DSA_65.publicKey()));
        Codes.assertRefused("webhook/bad-alg", () -> verifierOf(publicKey.replace("PUBLIC KEY", "RSA PUBLIC KEY")));
    }

    /** As {@code openssl ecparam -genkey} writes it. */
    @Test
    void buildWhenEcKeyFollowsItsParametersThenBadAlg() {
        String privateKey =
                TestKeys.pem("EC PARAMETERS", new byte[] {1}) + TestKeys.pem("EC PRIVATE KEY", new byte[] {2});

        Codes.assertRefused("webhook/bad-alg", () -> signerOf(privateKey, ML_DSA_65.publicKey()));
    }

    @Test
    void buildWhenPqcKeyIsOfAnotherKindThenBadAlg() {
        TestKeys small = TestKeys.slhDsa(SLHDSAParameters.shake_128f);

        Codes.assertRefused("webhook/bad-alg", () -> verifierOf(ML_DSA_44.publicKey()));
        Codes.assertRefused("webhook/bad-alg", () -> verifierOf(small.publicKey()));
        Codes.assertRefused("webhook/bad-alg", () -> signerOf(ML_DSA_44.privateKey(), ML_DSA_65.publicKey()));
        Codes.assertRefused("webhook/bad-alg", () -> signerOf(ML_DSA_44.privateKey(), ML_DSA_44.publicKey()));
    }

    @Test
    void buildWhenKeyContradictsPinnedAlgorithmThenBadAlg() {
        Codes.assertRefused(
                "webhook/bad-alg",
                () -> fixture.verifier(ML_DSA_65).pqcAlgorithm("ml-dsa-87").build());
        Codes.assertRefused(
                "webhook/bad-alg",
                () -> fixture.signer(ML_DSA_65)
                        .pqcAlgorithm("slh-dsa-shake-256f")
                        .build());
        Codes.assertRefused(
                "webhook/bad-alg",
                () -> fixture.verifier(ML_DSA_65).pqcAlgorithm("ml-dsa-44").build());
        assertThat(fixture.verifier(ML_DSA_65).pqcAlgorithm("ml-dsa-65").build())
                .hasToString("WebhookVerifier[default, pqc-pem, kids [p1]]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT876024H"})
    void toleranceWhenOutOfRangeThenBadTolerance(Duration tolerance) {
        Codes.assertRefused(
                "webhook/bad-tolerance",
                () -> fixture.verifier().tolerance(tolerance).build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-30S", "PT29.999S"})
    void processorWhenToleranceIsTooShortThenBadTolerance(Duration tolerance) {
        Codes.assertRefused(
                "webhook/bad-tolerance",
                () -> ProcessorSignature.builder()
                        .secret("whsec_test")
                        .tolerance(tolerance)
                        .build());
    }

    @Test
    void nonceStoreWhenNullThenBadNonceStore() {
        Codes.assertRefused("webhook/bad-nonce-store", () -> fixture.verifier().nonceStore(null));
        Codes.assertRefused(
                "webhook/bad-nonce-store", () -> ProcessorSignature.builder().nonceStore(null));
    }

    private WebhookVerifier verifierOf(String publicKey) {
        return WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("p1", publicKey)
                .build();
    }

    private WebhookSigner signerOf(String privateKey, String publicKey) {
        return WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", privateKey, publicKey)
                .build();
    }
}
