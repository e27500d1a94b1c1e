package io.credential.webhook.signature.key.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.Codes;

import static org.assertj.core.api.Assertions.assertThat;

/** The known signatures are those of the specification and of Svix. */
class StandardWebhooksKeyTests {

    private static final byte[] HEAD = "msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.US_ASCII);
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String PRIVATE_KEY =
            "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    private static final String ED25519_SIGNATURE =
            "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";

    /** The beginning of an X.509 key of Ed25519 (RFC 8410). */
    private static final byte[] X509_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    @Test
    void signWhenSecretThenKnownSignature() {
        assertThat(key(SECRET))
                .returns("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", key -> key.sign(HEAD, BODY))
                .returns(null, StandardWebhooksKey::publicKey);
    }

    @Test
    void signWhenPrivateKeyThenKnownSignature() {
        assertThat(key(PRIVATE_KEY))
                .returns(ED25519_SIGNATURE, key -> key.sign(HEAD, BODY))
                .returns("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=", StandardWebhooksKey::publicKey);
    }

    @Test
    void signWhenOnlyTheSeedIsGivenThenTheSame() {
        String seed = "whsk_" + base64(Arrays.copyOf(decoded(PRIVATE_KEY.substring("whsk_".length())), 32));

        assertThat(key(seed).sign(HEAD, BODY)).isEqualTo(ED25519_SIGNATURE);
    }

    /** The JDK has its own implementation of Ed25519. */
    @Test
    void signWhenPrivateKeyIsGeneratedThenTheJdkVerifies() throws GeneralSecurityException {
        byte[] seed = HexFormat.of().parseHex("01".repeat(32));
        StandardWebhooksKey generated = key(StandardWebhooksKey.text(seed, key(PRIVATE_KEY)));
        String publicKey = Objects.requireNonNull(generated.publicKey()).substring("whpk_".length());

        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519")
                .generatePublic(new X509EncodedKeySpec(concat(X509_HEAD, decoded(publicKey)))));
        verifier.update(HEAD);
        verifier.update(BODY);

        assertThat(verifier.verify(decoded(generated.sign(HEAD, BODY).substring("v1a,".length()))))
                .isTrue();
    }

    @Test
    void textWhenNoKeyIsGivenThenIsASecret() {
        byte[] random = new byte[32];

        assertThat(StandardWebhooksKey.text(random, null))
                .isEqualTo(StandardWebhooksKey.text(random, key(SECRET)))
                .isEqualTo("whsec_" + base64(random));
    }

    static Stream<String> malformed() {
        byte[] otherPair = decoded(PRIVATE_KEY.substring("whsk_".length()));
        otherPair[63] ^= 1;
        return Stream.of(
                "",
                "whsec_",
                "whsk_",
                SECRET.substring("whsec_".length()),
                "whsec_" + "a".repeat(31) + "*",
                "whsec_" + base64(new byte[23]),
                "whsec_" + base64(new byte[65]),
                "whsec_" + "A".repeat(4000),
                "whsk_" + base64(new byte[31]),
                "whsk_" + base64(new byte[63]),
                "whsk_" + base64(otherPair),
                "whpk_" + base64(new byte[32]));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void ofWhenMalformedThenRefused(String text) {
        Codes.assertRefused("webhook/bad-secret", () -> key(text));
    }

    private static StandardWebhooksKey key(String text) {
        return StandardWebhooksKey.of(SecretBytes.copyOf(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] decoded(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
