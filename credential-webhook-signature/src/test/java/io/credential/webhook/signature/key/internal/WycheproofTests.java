package io.credential.webhook.signature.key.internal;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.stream.Stream;

import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.params.ParametersWithContext;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import io.credential.secret.SecretBytes;
import io.credential.secret.internal.Base64Url;
import io.credential.webhook.signature.Codes;
import io.credential.webhook.signature.TestKeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Every case at the primitive that signatures are made of. */
class WycheproofTests {

    private static final byte[] NOTHING = {};
    private static final int MAX_CONTEXT_BYTES = 255;

    static Stream<Arguments> hmacSha3ThenAgreesWithWycheproof() {
        return Wycheproof.cases("hmac_sha3_512_test.json");
    }

    static Stream<Arguments> hmacSha256ThenAgreesWithWycheproof() {
        return Wycheproof.cases("hmac_sha256_test.json");
    }

    static Stream<Arguments> mlDsa65ThenAgreesWithWycheproof() {
        return Wycheproof.cases("mldsa_65_verify_test.json");
    }

    @ParameterizedTest
    @MethodSource("hmacSha3ThenAgreesWithWycheproof")
    void hmacSha3ThenAgreesWithWycheproof(JsonNode group, JsonNode test) {
        HmacSha3Key key = new HmacSha3Key(SecretBytes.copyOf(Wycheproof.hex(test, "key")));
        byte[] message = Wycheproof.hex(test, "msg");
        byte[] tag = Wycheproof.hex(test, "tag");

        byte[] computed = Arrays.copyOf(key.compute(NOTHING, message), tag.length);
        assertThat(MessageDigest.isEqual(computed, tag)).isEqualTo(Wycheproof.isValid(test));

        boolean whole = tag.length == HmacSha3Key.OUTPUT_BYTES;
        assertThat(group.get("tagSize").asInt()).isEqualTo(8 * tag.length);
        assertThat(key.verify(NOTHING, message, HexText.encode(tag)))
                .as("a signature is a whole tag, never a truncated one")
                .isEqualTo(whole && Wycheproof.isValid(test));
    }

    @ParameterizedTest
    @MethodSource("hmacSha256ThenAgreesWithWycheproof")
    void hmacSha256ThenAgreesWithWycheproof(JsonNode group, JsonNode test) {
        HmacSha256Key key = new HmacSha256Key(SecretBytes.copyOf(Wycheproof.hex(test, "key")));
        byte[] message = Wycheproof.hex(test, "msg");
        byte[] tag = Wycheproof.hex(test, "tag");

        byte[] computed = Arrays.copyOf(key.compute(NOTHING, message), tag.length);
        assertThat(MessageDigest.isEqual(computed, tag)).isEqualTo(Wycheproof.isValid(test));

        assertThat(group.get("tagSize").asInt()).isEqualTo(8 * tag.length);
    }

    @ParameterizedTest
    @MethodSource("mlDsa65ThenAgreesWithWycheproof")
    void mlDsa65ThenAgreesWithWycheproof(JsonNode group, JsonNode test) {
        KeySource source =
                KeySource.ofText("The key", TestKeys.pem("PUBLIC KEY", Wycheproof.hex(group, "publicKeyDer")));
        byte[] publicKey = Wycheproof.hex(group, "publicKey");
        if (publicKey.length != PqcAlgorithm.ML_DSA_65.publicKeyBytes()) {
            assertThat(Wycheproof.isValid(test)).isFalse();
            Codes.assertRefused("webhook/bad-secret", () -> PqcKeys.of(null).verifyingKey(source));
            return;
        }
        VerifyingKey key = PqcKeys.of("ml-dsa-65").verifyingKey(source);
        byte[] message = Wycheproof.hex(test, "msg");
        byte[] signature = Wycheproof.hex(test, "sig");
        byte[] context = test.has("ctx") ? Wycheproof.hex(test, "ctx") : NOTHING;

        assertThat(verifyWith(context, publicKey, message, signature)).isEqualTo(Wycheproof.isValid(test));

        boolean accepted = context.length == 0 && Wycheproof.isValid(test);
        assertThat(key.verify(NOTHING, message, Base64Url.encode(signature)))
                .as("a signature is made without a context")
                .isEqualTo(accepted);
        assertThat(key.verify(NOTHING, message, HexText.encode(signature))).isEqualTo(accepted);
    }

    /** The primitive under our verifier, given the context that our verifier never gives it. */
    private static boolean verifyWith(byte[] context, byte[] publicKey, byte[] message, byte[] signature) {
        CipherParameters key = PqcAlgorithm.ML_DSA_65.publicKey(publicKey);
        if (context.length > MAX_CONTEXT_BYTES) {
            assertThatThrownBy(() -> new MLDSASigner().init(false, new ParametersWithContext(key, context)))
                    .isInstanceOf(IllegalArgumentException.class);
            return false;
        }
        MLDSASigner signer = new MLDSASigner();
        signer.init(false, new ParametersWithContext(key, context));
        signer.update(message, 0, message.length);
        return signer.verifySignature(signature);
    }
}
