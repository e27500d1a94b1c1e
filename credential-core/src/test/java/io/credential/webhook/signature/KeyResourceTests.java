package io.credential.webhook.signature;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/** Keys that stand in files and on the class path. */
class KeyResourceTests {

    private static final String SECRET = "correct horse battery staple";

    @TempDir
    private Path directory;

    private final WebhookFixture fixture = new WebhookFixture();
    private Path file;

    @BeforeEach
    void writeSecret() throws IOException {
        file = Files.writeString(directory.resolve("a secret"), SECRET);
    }

    @Test
    void aSecretIsReadFromAFileGivenAsPathOrAsUrl() {
        assertSecretIs(SECRET, "file:" + file);
        assertSecretIs(SECRET, file.toUri().toString());
        assertSecretIs(SECRET, "file:" + Path.of("").toAbsolutePath().relativize(file));
    }

    @Test
    void aSecretIsReadFromTheClassPathOfTheApplication() throws IOException {
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
            assertThat(withContextClassLoader(application, () -> read("classpath:a secret")))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(SECRET);
            assertThat(withContextClassLoader(application, () -> read("classpath:/a secret")))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(SECRET);
        }
    }

    @Test
    void withoutAnApplicationTheClassPathIsThatOfTheLibrary() {
        assertThat(withContextClassLoader(null, () -> read("classpath:wycheproof/README.md")))
                .isNotEmpty();
    }

    @Test
    void whatAFileHoldsIsTakenVerbatim() throws IOException {
        Files.writeString(file, "base64:" + SECRET + "\n");

        assertSecretIs("base64:" + SECRET + "\n", "file:" + file);
    }

    @Test
    void postQuantumKeysAreReadFromFiles() throws IOException {
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        Files.writeString(directory.resolve("private.pem"), keys.privateKey());
        Files.writeString(directory.resolve("public.pem"), keys.publicKey());
        SignedWebhook signed = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("p1", "file:" + directory.resolve("private.pem"), "file:" + directory.resolve("public.pem"))
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);

        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("pqc-pem")
                .key("p1", "file:" + directory.resolve("public.pem"))
                .clock(fixture.clock)
                .build();

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .kid())
                .isEqualTo("p1");
    }

    @Test
    void theSecretOfAProcessorIsItsTextWhateverItLooksLike() {
        String header = processor("file:" + file).sign(WebhookFixture.BODY);

        assertThat(header).isNotEqualTo(processor(SECRET).sign(WebhookFixture.BODY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:",
                "file:missing",
                "file:///missing",
                "file://host/missing",
                "file:///a b",
                "file:a\0b",
                "classpath:",
                "classpath:wycheproof",
                "classpath:missing"
            })
    void whatCannotBeReadIsRefusedByItsLocation(String location) {
        Codes.assertRefused("webhook/bad-secret", () -> fixture.verifier().key("v2", location));
        Codes.assertRefused("webhook/bad-secret", () -> fixture.signer().key("v2", location));
    }

    @Test
    void whatIsLongerThanAnyKeyIsRefused() throws IOException {
        Files.write(file, new byte[64 * 1024]);
        assertThat(KeyResource.read("file:" + file)).hasSize(64 * 1024);

        Files.write(file, new byte[64 * 1024 + 1]);
        assertThatIOException()
                .isThrownBy(() -> KeyResource.read("file:" + file))
                .withMessageContaining("more than 65536 bytes");
    }

    private void assertSecretIs(String secret, String location) {
        SignedWebhook signed = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", secret.getBytes(StandardCharsets.UTF_8))
                .clock(fixture.clock)
                .build()
                .sign(WebhookFixture.BODY);
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", location)
                .clock(fixture.clock)
                .build();

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.headers(signed))
                        .id())
                .isEqualTo(signed.id());
    }

    private ProcessorSignature processor(String secret) {
        return ProcessorSignature.builder().secret(secret).clock(fixture.clock).build();
    }

    private static byte[] read(String location) {
        try {
            return KeyResource.read(location);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] withContextClassLoader(@Nullable ClassLoader loader, Supplier<byte[]> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return action.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
