package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.junit.jupiter.api.Test;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.HmacSha3Key;
import io.credential.webhook.signature.key.internal.KeySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Nothing of a signed request can be changed without being noticed. */
class TamperingTests {

    private final WebhookFixture fixture = new WebhookFixture();
    private final WebhookVerifier verifier = fixture.verifier().build();
    private final SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

    @Test
    void verifyWhenABitOfHmacHeaderFlipsThenRefused() {
        String line = WebhookFixture.line(signed);

        int accepted = flipEveryBit(line, (header, body) -> verifier.verify(body, WebhookFixture.header(header)));

        assertThat(accepted)
                .as("only the case of the signature's letters is free")
                .isEqualTo(letters(signed.signature()));
    }

    @Test
    void verifyWhenABitOfPqcHeaderFlipsThenRefused() {
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        SignedWebhook pqc = fixture.signer(keys).build().sign(WebhookFixture.BODY);
        WebhookVerifier pqcVerifier = fixture.verifier(keys).build();

        int accepted = flipEveryBit(
                WebhookFixture.line(pqc), (header, body) -> pqcVerifier.verify(body, WebhookFixture.header(header)));

        assertThat(accepted).as("base64url is canonical").isZero();
    }

    @Test
    void verifyWhenABitOfProcessorHeaderFlipsThenRefused() {
        ProcessorSignature pair = ProcessorSignature.builder()
                .secret("whsec_correct horse battery")
                .clock(fixture.clock)
                .build();
        String line = pair.sign(WebhookFixture.BODY);

        int accepted = flipEveryBit(line, pair::verify);

        assertThat(accepted).isEqualTo(letters(line.substring(line.indexOf("v1=") + 3)));
    }

    @Test
    void verifyWhenABitOfTheBodyFlipsThenRefused() {
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        WebhookVerifier pqcVerifier = fixture.verifier(keys).build();
        SignedWebhook pqc = fixture.signer(keys).build().sign(WebhookFixture.BODY);
        ProcessorSignature pair = ProcessorSignature.builder()
                .secret("whsec_correct horse battery")
                .clock(fixture.clock)
                .build();
        String header = pair.sign(WebhookFixture.BODY);

        for (int bit = 0; bit < 8 * WebhookFixture.BODY.length; bit++) {
            byte[] body = WebhookFixture.BODY.clone();
            body[bit / 8] ^= (byte) (1 << bit % 8);

            refused(verifier, WebhookFixture.line(signed), body);
            refused(pqcVerifier, WebhookFixture.line(pqc), body);
            Codes.assertRefused("webhook/bad-signature", () -> pair.verify(header, body));
        }
    }

    @Test
    void verifyWhenSignatureIsUsedElsewhereThenRefused() {
        WebhookVerifier two = fixture.verifier().key("v2", WebhookFixture.KEY).build();
        String line = WebhookFixture.line(signed);

        refused(two, line.replace(signed.id(), signed.id() + "0"), WebhookFixture.BODY);
        refused(two, line.replace("t=1767225600", "t=1767225601"), WebhookFixture.BODY);
        refused(two, line.replace(",v1=", ",v2="), WebhookFixture.BODY);
        refused(two, line, "{\"item\":\"book\"} ".getBytes(StandardCharsets.UTF_8));
        refused(two, line, new byte[0]);
    }

    /** Whoever knows the public key must not be able to pass it off as the key of an HMAC. */
    @Test
    void verifyWhenPublicKeyIsUsedAsHmacKeyThenRefused() {
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        SignedWebhook forged = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("p1", keys.publicKey())
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);

        refused(fixture.verifier(keys).build(), WebhookFixture.line(forged), WebhookFixture.BODY);
    }

    @Test
    void verifyWhenSignedForAnotherAlgorithmThenRefused() {
        HmacSha3Key key =
                new HmacSha3Key(KeySource.ofText("The key", WebhookFixture.KEY).hmacKey());
        String signature =
                key.sign(SignatureAlgorithm.PQC_PEM.signedHead("v1", "1767225600", "a"), WebhookFixture.BODY);

        refused(verifier, "t=1767225600,id=a,v1=" + signature, WebhookFixture.BODY);
    }

    @Test
    void verifyWhenBytesMoveBetweenIdAndBodyThenRefused() {
        SignedWebhook short1 =
                fixture.signer().idGenerator(() -> "a").build().sign("b.rest".getBytes(StandardCharsets.UTF_8));

        String moved = WebhookFixture.line(short1).replace("id=a,", "id=a.b,");

        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verifier.verify("rest".getBytes(StandardCharsets.UTF_8), WebhookFixture.header(moved)));
    }

    private static void refused(WebhookVerifier verifier, String header, byte[] body) {
        Codes.assertRefused("webhook/bad-signature", () -> verifier.verify(body, WebhookFixture.header(header)));
    }

    /** Counts what is still accepted; the rest must be refused with a code of the specification. */
    private static int flipEveryBit(String line, BiFunction<String, byte[], Object> verify) {
        int accepted = 0;
        for (int bit = 0; bit < 8 * line.length(); bit++) {
            char[] characters = line.toCharArray();
            characters[bit / 8] ^= (char) (1 << bit % 8);
            String flipped = new String(characters);
            if (flipped.equalsIgnoreCase(line) && Character.isLetter(line.charAt(bit / 8))) {
                accepted += acceptedOrRefused(verify, flipped) ? 1 : 0;
            } else {
                assertThatExceptionOfType(WebhookException.class)
                        .as(flipped)
                        .isThrownBy(() -> verify.apply(flipped, WebhookFixture.BODY))
                        .satisfies(e -> assertThat(Codes.REQUEST).contains(e.errorCode()));
            }
        }
        return accepted;
    }

    private static boolean acceptedOrRefused(BiFunction<String, byte[], Object> verify, String header) {
        try {
            return verify.apply(header, WebhookFixture.BODY) != null;
        } catch (WebhookException e) {
            assertThat(Codes.REQUEST).contains(e.errorCode());
            return false;
        }
    }

    private static int letters(String signature) {
        return (int) signature.chars().filter(Character::isLetter).count();
    }
}
