package io.credential.webhook.signature;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.testing.Programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Other people's implementations of the same algorithms, both ways. */
class InteroperabilityTests {

    private static final HexFormat HEX = HexFormat.of();

    /** Arguments: the key and what stands before the body, in hexadecimal, and the body on standard input. */
    private static final String PYTHON = """
            import hashlib, hmac, sys
            key, head = (bytes.fromhex(argument) for argument in sys.argv[1:3])
            print(hmac.new(key, head + sys.stdin.buffer.read(), hashlib.sha3_512).hexdigest())""";

    private final WebhookFixture fixture = new WebhookFixture();

    @Test
    void signThenPythonMakesTheSameHmac() throws Exception {
        assumeTrue(
                Programs.works("python3", "-c", "import hashlib; hashlib.sha3_512"),
                "python3 with sha3_512 is not on the path");
        SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);
        String head = "hmac-sha3-512.v1." + signed.timestamp() + "." + signed.id() + ".";

        String theirs = run(
                WebhookFixture.BODY,
                "python3",
                "-c",
                PYTHON,
                HEX.formatHex(WebhookFixture.KEY.getBytes(StandardCharsets.UTF_8)),
                HEX.formatHex(head.getBytes(StandardCharsets.UTF_8)));

        assertThat(theirs).isEqualTo(signed.signature());
        String line = "t=" + signed.timestamp() + ",id=" + signed.id() + ",v1=" + theirs;
        assertThat(fixture.verifier()
                        .build()
                        .verify(WebhookFixture.BODY, WebhookFixture.header(line))
                        .id())
                .isEqualTo(signed.id());
    }

    @Test
    void signThenOpensslMakesTheSameProcessorSignature() throws Exception {
        assumeTrue(Programs.works("openssl", "version"), "openssl is not on the path");
        ProcessorSignature pair = ProcessorSignature.builder()
                .secret("whsec_correct horse battery")
                .clock(fixture.clock)
                .build();
        byte[] signed = ("1767225600." + new String(WebhookFixture.BODY, StandardCharsets.UTF_8))
                .getBytes(StandardCharsets.UTF_8);

        String output = run(signed, "openssl", "dgst", "-sha256", "-hmac", "whsec_correct horse battery", "-hex");

        String theirs = output.substring(output.lastIndexOf(' ') + 1);
        assertThat(pair.sign(WebhookFixture.BODY)).isEqualTo("t=1767225600,v1=" + theirs);
        assertThat(pair.verify("t=1767225600,v1=" + theirs, WebhookFixture.BODY).timestamp())
                .isEqualTo(1767225600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-DSA-65", "ML-DSA-87"})
    @EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "older JDKs do not implement ML-DSA")
    void signThenTheJdkVerifies(String algorithm) throws Exception {
        TestKeys keys =
                TestKeys.mlDsa(algorithm.equals("ML-DSA-65") ? MLDSAParameters.ml_dsa_65 : MLDSAParameters.ml_dsa_87);
        SignedWebhook signed = fixture.signer(keys).build().sign(WebhookFixture.BODY);
        byte[] der = Base64.getMimeDecoder().decode(keys.publicKey().replaceAll("-----.*-----", ""));
        PublicKey publicKey = KeyFactory.getInstance("ML-DSA", "SUN").generatePublic(new X509EncodedKeySpec(der));

        Signature theirs = Signature.getInstance(algorithm, "SUN");
        theirs.initVerify(publicKey);
        theirs.update(head("p1", signed.timestamp(), signed.id()));
        theirs.update(WebhookFixture.BODY);

        assertThat(theirs.verify(Base64.getUrlDecoder().decode(signed.signature())))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ML-DSA-65", "ML-DSA-87"})
    @EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "older JDKs do not implement ML-DSA")
    void verifyWhenSignedByTheJdkOrItsKeysThenAccepted(String algorithm) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance(algorithm, "SUN").generateKeyPair();
        String publicKey = TestKeys.pem("PUBLIC KEY", pair.getPublic().getEncoded());
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("p1", publicKey)
                .clock(fixture.clock)
                .build();

        String theirs = Base64.getUrlEncoder().withoutPadding().encodeToString(signature(algorithm, pair));
        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.header("t=1767225600,id=a,p1=" + theirs))
                        .id())
                .isEqualTo("a");

        SignedWebhook ours = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", TestKeys.pem("PRIVATE KEY", pair.getPrivate().getEncoded()), publicKey)
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);
        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(ours))
                        .id())
                .isEqualTo(ours.id());
    }

    private static byte[] signature(String algorithm, KeyPair pair) throws GeneralSecurityException {
        Signature signer = Signature.getInstance(algorithm, "SUN");
        signer.initSign(pair.getPrivate());
        signer.update(head("p1", 1767225600, "a"));
        signer.update(WebhookFixture.BODY);
        return signer.sign();
    }

    private static byte[] head(String kid, long timestamp, String id) {
        return ("pqc-pem." + kid + "." + timestamp + "." + id + ".").getBytes(StandardCharsets.UTF_8);
    }

    private static String run(byte[] input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Patience.exitValue(process)).isZero();
        return output.strip();
    }
}
