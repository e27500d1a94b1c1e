package io.credential.webhook.signature;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Stream;

import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;

import static org.assertj.core.api.Assertions.assertThat;

class PqcKeysTests {

    private static final TestKeys ML_DSA_65 = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
    private static final TestKeys ML_DSA_87 = TestKeys.mlDsa(MLDSAParameters.ml_dsa_87);
    private static final TestKeys SLH_DSA = TestKeys.slhDsa(SLHDSAParameters.shake_256f);

    private final WebhookFixture fixture = new WebhookFixture();

    static Stream<Arguments> algorithms() {
        return Stream.of(
                Arguments.argumentSet("ml-dsa-65", ML_DSA_65, 4412, 6618),
                Arguments.argumentSet("ml-dsa-87", ML_DSA_87, 6170, 9254),
                Arguments.argumentSet("slh-dsa-shake-256f", SLH_DSA, 66_475, 99_712));
    }

    static Stream<Arguments> privateForms() {
        return Stream.of(ML_DSA_65, ML_DSA_87)
                .flatMap(keys -> Stream.of(
                        Arguments.argumentSet("seed", keys, MLDSAPrivateKeyParameters.SEED_ONLY),
                        Arguments.argumentSet("expanded", keys, MLDSAPrivateKeyParameters.EXPANDED_KEY),
                        Arguments.argumentSet("both", keys, MLDSAPrivateKeyParameters.BOTH)));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void verifyWhenSignatureIsBase64UrlOrHexThenAccepted(TestKeys keys, int characters, int hexCharacters) {
        SignedWebhook signed = fixture.signer(keys).build().sign(WebhookFixture.BODY);
        WebhookVerifier verifier = fixture.verifier(keys).build();
        VerifiedWebhook expected = new VerifiedWebhook("pqc-pem", "p1", signed.timestamp(), signed.id());

        assertThat(signed.signature()).hasSize(characters).matches("[A-Za-z0-9_-]+");
        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)))
                .isEqualTo(expected);

        String hex = HexText.encode(Base64.getUrlDecoder().decode(signed.signature()));
        String line = WebhookFixture.line(signed).replace(signed.signature(), hex);
        assertThat(hex).hasSize(hexCharacters);
        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.header(line)))
                .isEqualTo(expected);
        Codes.assertRefused(
                "webhook/bad-signature", () -> verifier.verify(new byte[] {1}, WebhookFixture.header(line)));
    }

    @Test
    void verifyWhenTwoSlhDsaSignaturesAreHexThenAccepted() {
        SignedWebhook signed = fixture.signer(SLH_DSA).build().sign(WebhookFixture.BODY);
        String hex = HexText.encode(Base64.getUrlDecoder().decode(signed.signature()));
        String line = "t=" + signed.timestamp() + ",id=" + signed.id() + ",old=" + hex + ",p1=" + hex;
        WebhookVerifier verifier =
                fixture.verifier(SLH_DSA).key("old", SLH_DSA.publicKey()).build();

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.header(line))
                        .kid())
                .as("the signature is that of the kid p1 only")
                .isEqualTo("p1");
    }

    @Test
    void verifyWhenHeaderIsOver256KibThenRefused() {
        SignedWebhook signed = fixture.signer(ML_DSA_65).build().sign(WebhookFixture.BODY);
        String line = WebhookFixture.line(signed) + ",other=";
        WebhookVerifier verifier = fixture.verifier(ML_DSA_65).build();
        String longest = line + "0".repeat(262_144 - line.length());

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.header(longest))
                        .kid())
                .isEqualTo("p1");
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verifier.verify(WebhookFixture.BODY, WebhookFixture.header(longest + "0")));
    }

    @ParameterizedTest
    @MethodSource("privateForms")
    void privateKeyWhenInAnyMlDsaFormThenLoads(TestKeys keys, int form) {
        MLDSAPrivateKeyParameters parameters = (MLDSAPrivateKeyParameters) keys.privateParameters();
        String privateKey = TestKeys.privatePem(parameters.getParametersWithFormat(form));
        assertThat(formOf(privateKey)).isEqualTo(form);
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", privateKey, keys.publicKey())
                .clock(fixture.clock)
                .build();

        assertThat(fixture.verifier(keys)
                        .build()
                        .verify(WebhookFixture.BODY, WebhookFixture.headers(signer.sign(WebhookFixture.BODY)))
                        .kid())
                .isEqualTo("p1");
    }

    @Test
    void privateKeyWhenSeedAndExpandedDisagreeThenRefused() {
        MLDSAPrivateKeyParameters ours = (MLDSAPrivateKeyParameters) ML_DSA_65.privateParameters();
        byte[] der = der(TestKeys.privatePem(ours.getParametersWithFormat(MLDSAPrivateKeyParameters.BOTH)));
        byte[] seed = ours.getSeed();
        int at = indexOf(der, seed);
        der[at] ^= 1;

        Codes.assertRefused("webhook/bad-secret", () -> signerOf(der));
    }

    @Test
    void privateKeyWhenDamagedThenRefused() {
        MLDSAPrivateKeyParameters ours = (MLDSAPrivateKeyParameters) ML_DSA_65.privateParameters();
        byte[] der = der(TestKeys.privatePem(ours.getParametersWithFormat(MLDSAPrivateKeyParameters.EXPANDED_KEY)));
        for (byte[] part : new byte[][] {ours.getRho(), ours.getTr(), ours.getS1()}) {
            byte[] damaged = der.clone();
            damaged[indexOf(der, part) + part.length / 2] ^= 0x10;

            Codes.assertRefused("webhook/bad-secret", () -> signerOf(damaged));
        }
    }

    @Test
    void publicKeyWhenOfAnotherPrivateKeyThenRefused() {
        TestKeys other = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);

        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookSigner.builder()
                        .algorithm("pqc-pem")
                        .keyPair("p1", ML_DSA_65.privateKey(), other.publicKey())
                        .build());
        Codes.assertRefused(
                "webhook/bad-secret",
                () -> WebhookSigner.builder()
                        .algorithm("pqc-pem")
                        .keyPair("p1", ML_DSA_65.privateKey(), ML_DSA_87.publicKey())
                        .build());
    }

    @Test
    void verifyWhenKeysAreOfSeveralAlgorithmsThenAccepted() {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("p1", ML_DSA_87.publicKey())
                .key("slow", SLH_DSA.publicKey().getBytes(StandardCharsets.UTF_8))
                .clock(fixture.clock)
                .build();
        SignedWebhook signed = fixture.signer(ML_DSA_87).build().sign(WebhookFixture.BODY);

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .kid())
                .isEqualTo("p1");
    }

    @Test
    void publicKeyWhenPemHasTextAroundItThenRead() {
        String pem = "Bag Attributes: none\r\n" + ML_DSA_65.publicKey().replace("\n", "\r\n") + "\r\nthe end";
        PqcKeys keys = PqcKeys.of("ml-dsa-65");

        assertThat(keys.verifyingKey(KeySource.ofText("The key", pem)).identity())
                .isEqualTo(keys.verifyingKey(KeySource.ofText("The key", ML_DSA_65.publicKey()))
                        .identity());
    }

    static Stream<Arguments> filesThatAreNoKey() {
        String pem = ML_DSA_65.publicKey();
        byte[] der = der(pem);
        byte[] trailing = Arrays.copyOf(der, der.length + 1);
        return Stream.of(
                Arguments.argumentSet("nothing", ""),
                Arguments.argumentSet("text", "file:/keys/p1.pem"),
                Arguments.argumentSet("no end", pem.substring(0, pem.length() - 10)),
                Arguments.argumentSet("another end", pem.replace("END PUBLIC", "END PRIVATE")),
                Arguments.argumentSet("no label end", "-----BEGIN PUBLIC KEY"),
                Arguments.argumentSet("two blocks", pem + pem),
                Arguments.argumentSet("no base64", pem.replace("MII", "M*I")),
                Arguments.argumentSet("empty block", TestKeys.pem("PUBLIC KEY", new byte[0])),
                Arguments.argumentSet("trailing byte", TestKeys.pem("PUBLIC KEY", trailing)),
                Arguments.argumentSet("cut", TestKeys.pem("PUBLIC KEY", Arrays.copyOf(der, 500))),
                Arguments.argumentSet("private key", ML_DSA_65.privateKey()),
                Arguments.argumentSet("certificate", pem.replace("PUBLIC KEY", "CERTIFICATE")),
                Arguments.argumentSet("encrypted", pem.replace("PUBLIC KEY", "ENCRYPTED PRIVATE KEY")),
                Arguments.argumentSet("too long", pem + " ".repeat(40_000)));
    }

    @ParameterizedTest
    @MethodSource("filesThatAreNoKey")
    void publicKeyWhenFileIsNoKeyThenRefused(String pem) {
        Codes.assertRefused(
                "webhook/bad-secret", () -> PqcKeys.of(null).verifyingKey(KeySource.ofText("The key", pem)));
    }

    private WebhookSigner signerOf(byte[] privateDer) {
        return WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", TestKeys.pem("PRIVATE KEY", privateDer), ML_DSA_65.publicKey())
                .build();
    }

    private static byte[] der(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
    }

    /** As RFC 9881 tells the forms apart. */
    private static int formOf(String privateKey) {
        try {
            ASN1Primitive key = PrivateKeyInfo.getInstance(der(privateKey))
                    .parsePrivateKey()
                    .toASN1Primitive();
            if (key instanceof ASN1Sequence) {
                return MLDSAPrivateKeyParameters.BOTH;
            }
            return key instanceof ASN1OctetString
                    ? MLDSAPrivateKeyParameters.EXPANDED_KEY
                    : MLDSAPrivateKeyParameters.SEED_ONLY;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int indexOf(byte[] all, byte[] part) {
        for (int i = 0; i <= all.length - part.length; i++) {
            if (Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new IllegalArgumentException("The part is not there");
    }
}
