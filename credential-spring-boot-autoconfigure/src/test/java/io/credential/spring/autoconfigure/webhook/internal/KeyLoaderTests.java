package io.credential.spring.autoconfigure.webhook.internal;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.DefaultResourceLoader;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class KeyLoaderTests {

    private static final String SECRET = "correct horse battery staple";

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void writeSecret() throws IOException {
        file = Files.writeString(directory.resolve("a %41 #secret"), SECRET);
    }

    @Test
    void loadWhenTextThenItsBytes() {
        assertThat(load(SECRET)).isEqualTo(SECRET);
        assertThat(load("files:" + SECRET)).isEqualTo("files:" + SECRET);
    }

    @Test
    void loadWhenBase64ThenWhatItEncodes() {
        assertThat(load("base64:Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ==")).isEqualTo(SECRET);
        assertThat(load("base64:")).isEmpty();
    }

    @Test
    void loadWhenNotBase64ThenRefusedWithoutTheText() {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> load("base64:S3CRET!"))
                .withMessageContaining("'credential.some.key'")
                .withMessageNotContaining("S3CRET")
                .withNoCause();
    }

    @Test
    void loadWhenFileThenItsBytes() throws IOException {
        assertThat(load("file:" + file)).isEqualTo(SECRET);
        assertThat(load(file.toUri().toString())).isEqualTo(SECRET);
        assertThat(load("file:" + Path.of("").toAbsolutePath().relativize(file)))
                .isEqualTo(SECRET);

        Files.writeString(file, "base64:" + SECRET);
        assertThat(load("file:" + file)).isEqualTo("base64:" + SECRET);
    }

    /** Editors and {@code echo} end a file with one. */
    @Test
    void loadWhenFileEndsWithALineEndThenWithoutIt(CapturedOutput output) throws IOException {
        for (String end : List.of("\n", "\r\n")) {
            Files.writeString(file, SECRET + end);

            assertThat(load("file:" + file)).isEqualTo(SECRET);
        }
        assertThat(output).doesNotContain("white space");
    }

    @Test
    void loadWhenFileIsOnlyALineEndThenEmpty() throws IOException {
        Files.writeString(file, "\n");

        assertThat(load("file:" + file)).isEmpty();
    }

    /** The sender would sign with another key. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                SECRET + "\n\n",
                SECRET + "\r",
                SECRET + " \n",
                " " + SECRET,
                "\ufeff" + SECRET,
                SECRET + "\u00a0"
            })
    void loadWhenFileHasOtherWhiteSpaceThenWarns(String content, CapturedOutput output) throws IOException {
        Files.writeString(file, content);

        assertThat(load("file:" + file))
                .isEqualTo(content.endsWith("\n") ? content.substring(0, content.length() - 1) : content);
        assertThat(output)
                .contains("The key of 'credential.some.key' begins or ends with white space")
                .doesNotContain("correct horse");
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET + "\n", "\t" + SECRET, "base64:Y29ycmVjdCBob3JzZQo="})
    void loadWhenTextHasWhiteSpaceThenWarns(String text, CapturedOutput output) {
        load(text);

        assertThat(output)
                .contains("The key of 'credential.some.key' begins or ends with white space")
                .doesNotContain("correct horse");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {SECRET, "-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n\n", "base64:gICAgICAgAo="})
    void loadWhenWhiteSpaceIsNoMistakeThenSilent(String text, CapturedOutput output) {
        load(text);

        assertThat(output).doesNotContain("white space");
    }

    /** As PowerShell writes it by default. */
    @Test
    void loadWhenFileIsUtf16ThenWarns(CapturedOutput output) throws IOException {
        Files.writeString(file, "\ufeff" + SECRET + "\r\n", UTF_16LE);

        load("file:" + file);

        assertThat(output).contains("The key of 'credential.some.key' is a text in UTF-16");
    }

    @Test
    void loadWhenOnTheClassPathThenOfTheApplication() throws IOException {
        Files.writeString(directory.resolve("secret"), SECRET);
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
            KeyLoader loader = new KeyLoader(new DefaultResourceLoader(application));

            assertThat(load(loader, "classpath:secret")).isEqualTo(SECRET);
            assertThat(load(loader, "classpath:/secret")).isEqualTo(SECRET);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:",
                "file:.",
                "file:missing",
                "file:///missing",
                "file://host/missing",
                "file:///a b",
                "file:a\0b",
                "classpath:",
                "classpath:io",
                "classpath:missing"
            })
    void loadWhenLocationCannotBeReadThenRefused(String location) {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> load(location))
                .withMessageContaining("'credential.some.key' cannot be read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${PARTNER_NEW}", "a ${KEY} b", "base64:${KEY}"})
    void loadWhenPlaceholderHasNoValueThenRefused(String key) {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> load(key))
                .withMessageContaining("'credential.some.key' contains a placeholder")
                .withMessageNotContaining(key);
    }

    @Test
    void loadWhenLongerThanAnyKeyThenRefused() throws IOException {
        Files.write(file, new byte[64 * 1024]);
        assertThat(load("file:" + file)).hasSize(64 * 1024);

        Files.write(file, new byte[64 * 1024 + 1]);
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> load("file:" + file))
                .withMessageContaining("more than 65536 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, "base64:Y29ycmVjdA=="})
    void loadWhenDoneThenBytesAreWiped(String written) {
        AtomicReference<byte[]> seen = new AtomicReference<>();

        new KeyLoader(new DefaultResourceLoader())
                .load("credential.some.key", SecretBytes.copyOf(written.getBytes(UTF_8)), seen::set);

        assertThat(seen.get()).isNotEmpty().containsOnly(0);
    }

    private static String load(String written) {
        return load(new KeyLoader(new DefaultResourceLoader()), written);
    }

    private static String load(KeyLoader loader, String written) {
        AtomicReference<String> key = new AtomicReference<>();
        loader.load(
                "credential.some.key",
                SecretBytes.copyOf(written.getBytes(UTF_8)),
                bytes -> key.set(new String(bytes, UTF_8)));
        return key.get();
    }
}
