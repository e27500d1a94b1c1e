package io.credential.spring.leak.internal;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReportKeyTests {

    /** The key that GitHub published, and the example of its documentation. */
    private static final String PUBLISHED = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYAGMWO8XgCamYKMJS6jc/qgvSlAd
            AjPuDPRcXU22YxgBrz+zoN19MzuRyW87qEt9/AmtoNP5GrobzUvQSyJFVw==
            -----END PUBLIC KEY-----
            """;

    private static final String EXAMPLE =
            "[{\"source\":\"commit\",\"token\":\"some_token\",\"type\":\"some_type\",\"url\":\"https://example.com/base-repo-url/\"}]";
    private static final String SIGNATURE =
            "MEQCIQDaMKqrGnE27S0kgMrEK0eYBmyG0LeZismAEz/BgZyt7AIfXt9fErtRS4XaeSt/AO1RtBY66YcAdjxji410VQV4xg==";

    @Test
    void verifiesWhenExampleOfGitHubThenTrue() {
        ReportKey key = ReportKey.fromPem(PUBLISHED);

        assertThat(key.verifies(bytes(EXAMPLE), SIGNATURE)).isTrue();
        assertThat(key.verifies(bytes(EXAMPLE + "\n"), SIGNATURE)).isFalse();
    }

    @Test
    void verifiesWhenSignedWithAnotherKeyThenFalse() {
        Partner partner = new Partner();

        assertThat(ReportKey.fromPem(partner.pem()).verifies(bytes("[]"), partner.sign("[]")))
                .isTrue();
        assertThat(ReportKey.fromPem(new Partner().pem()).verifies(bytes("[]"), partner.sign("[]")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "====", "AAAA", "MAYCAQACAQA=", "MEQCIQ"})
    void verifiesWhenSignatureIsMalformedThenFalse(String signature) {
        assertThat(ReportKey.fromPem(PUBLISHED).verifies(bytes(EXAMPLE), signature))
                .isFalse();
    }

    @Test
    void verifiesWhenSignatureIsVeryLongThenFalse() {
        assertThat(ReportKey.fromPem(PUBLISHED).verifies(bytes(EXAMPLE), SIGNATURE + "A".repeat(300)))
                .isFalse();
    }

    @Test
    void fromPemWhenNotP256ThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportKey.fromPem(new Partner("secp384r1").pem()))
                .withMessageContaining("P-256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MFkw",
                "-----BEGIN PUBLIC KEY-----",
                "-----BEGIN PUBLIC KEY-----\n!\n-----END PUBLIC KEY-----",
                "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----",
                "-----BEGIN PRIVATE KEY-----\nMFkw\n-----END PRIVATE KEY-----"
            })
    void fromPemWhenMalformedThenRefused(String pem) {
        assertThatIllegalArgumentException().isThrownBy(() -> ReportKey.fromPem(pem));
        assertThatIllegalArgumentException().isThrownBy(() -> ReportKey.fromPem(PUBLISHED + PUBLISHED));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
