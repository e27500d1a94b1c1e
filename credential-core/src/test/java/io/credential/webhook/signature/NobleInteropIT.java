package io.credential.webhook.signature;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.SLHDSAParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.testing.Programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Post-quantum signatures against a JavaScript implementation, both ways; where node and npm are there to run it. */
class NobleInteropIT {

    private static final String PACKAGE = "@noble/post-quantum@0.7.1";

    private static final String NEW_ENOUGH = """
            const [major, minor] = process.versions.node.split('.').map(Number);
            process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1);""";

    @TempDir
    private static Path directory;

    private static String missing = "";

    private final WebhookFixture fixture = new WebhookFixture();

    @BeforeAll
    static void installNoble() throws Exception {
        missing = whatIsMissing();
    }

    /** Before each, so that each is reported as skipped. */
    @BeforeEach
    void nobleIsInstalled() {
        assumeTrue(missing.isEmpty(), () -> missing);
    }

    /** Empty when the package is installed. */
    private static String whatIsMissing() throws IOException {
        if (!Programs.works("node", "-e", NEW_ENOUGH)) {
            return "node 20.19 or newer is not on the path";
        }
        if (!Programs.works("npm", "--version")) {
            return "npm is not on the path";
        }
        try (InputStream script =
                Objects.requireNonNull(NobleInteropIT.class.getResourceAsStream("/noble/webhook.mjs"))) {
            Files.copy(script, directory.resolve("webhook.mjs"));
        }
        int exit = exitOf(
                "npm",
                "install",
                "--prefix=.",
                "--no-package-lock",
                "--no-save",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--fetch-retries=0",
                "--fetch-timeout=10000",
                PACKAGE);
        return exit == 0 ? "" : "npm cannot install " + PACKAGE + ": " + read("output");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ml-dsa-65", "ml-dsa-87", "slh-dsa-shake-256f"})
    void verifyWhenJavaScriptSignedThenAccepted(String algorithm) throws Exception {
        Files.write(directory.resolve("body"), WebhookFixture.BODY);
        run("node", "webhook.mjs", "sign", algorithm, "p1", "1767225600", "delivery-1");
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
        assertThat(run("node", "webhook.mjs", "verify")).isEqualTo("true");

        Files.writeString(directory.resolve("body"), "{\"item\":\"boat\"}");
        assertThat(run("node", "webhook.mjs", "verify")).isEqualTo("false");
    }

    private static String run(String... command) throws IOException {
        assertThat(exitOf(command)).as(() -> read("output")).isZero();
        return read("output").strip();
    }

    /** Returns the exit code of a command in the directory. */
    private static int exitOf(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            return Patience.exitValue(process);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String read(String file) {
        try {
            return Files.readString(directory.resolve(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
