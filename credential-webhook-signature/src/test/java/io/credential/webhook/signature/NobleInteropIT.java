package io.credential.webhook.signature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.NodeProject;

import static org.assertj.core.api.Assertions.assertThat;

/** Post-quantum signatures against a JavaScript implementation, both ways. */
class NobleInteropIT {

    @TempDir
    private static Path directory;

    private static NodeProject node;

    private final WebhookFixture fixture = new WebhookFixture();

    @BeforeAll
    static void installNoble() {
        node = NodeProject.install("/noble", directory);
    }

    @BeforeEach
    void nobleIsInstalled() {
        node.assumeInstalled();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ml-dsa-65", "ml-dsa-87", "slh-dsa-shake-256f"})
    void verifyWhenJavaScriptSignedThenAccepted(String algorithm) throws Exception {
        Files.write(directory.resolve("body"), WebhookFixture.BODY);
        node.run("sign", algorithm, "p1", "1767225600", "delivery-1");
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .pqcAlgorithm(algorithm)
                .key("p1", read("public.pem"))
                .clock(fixture.clock)
                .build();

        VerifiedWebhook verified = verifier.verify(WebhookFixture.BODY, WebhookFixture.header(read("header")));

        assertThat(verified.id()).isEqualTo("delivery-1");
        assertThat(verified.kid()).isEqualTo("p1");
        assertThat(verified.timestamp()).isEqualTo(1767225600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ml-dsa-65", "ml-dsa-87"})
    void signWhenMlDsaThenJavaScriptVerifies(String algorithm) throws Exception {
        javaScriptVerifiesOurs(
                TestKeys.mlDsa(algorithm.equals("ml-dsa-65") ? MLDSAParameters.ml_dsa_65 : MLDSAParameters.ml_dsa_87));
    }

    @Test
    void signWhenSlhDsaThenJavaScriptVerifies() throws Exception {
        javaScriptVerifiesOurs(TestKeys.slhDsa(SLHDSAParameters.shake_256f));
    }

    /** With another body too, so that a script that agrees to everything is found out. */
    private void javaScriptVerifiesOurs(TestKeys keys) throws Exception {
        SignedWebhook signed = fixture.signer(keys).build().sign(WebhookFixture.BODY);
        Files.writeString(directory.resolve("public.pem"), keys.publicKey());
        Files.writeString(directory.resolve("header"), WebhookFixture.line(signed));

        Files.write(directory.resolve("body"), WebhookFixture.BODY);
        assertThat(node.run("verify")).isEqualTo("true");

        Files.writeString(directory.resolve("body"), "{\"item\":\"boat\"}");
        assertThat(node.run("verify")).isEqualTo("false");
    }

    private static String read(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }
}
