package io.credential.sample;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.test.SignedRequest;
import io.credential.spring.test.WebhookSchemeContract;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.scheme.RequestHead;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The schemes on the page do what it says. */
class SchemeSnippetTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);

    @TempDir
    private static Path classes;

    private static URLClassLoader loader;

    @BeforeAll
    static void compile() throws IOException {
        try (SnippetCompiler compiler = new SnippetCompiler()) {
            compiler.compile("the schemes", Snippet.whole("../docs/webhook-schemes.md"), classes);
        }
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, SchemeSnippetTests.class.getClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    /** With the requests of the page. */
    @Nested
    class Acme extends WebhookSchemeContract {

        private final Object documented = create("AcmeSchemeTests");

        @Override
        protected WebhookScheme scheme() {
            return Objects.requireNonNull(ReflectionTestUtils.<WebhookScheme>invokeMethod(documented, "scheme"));
        }

        @Override
        protected List<SignedRequest> requests() {
            return Objects.requireNonNull(
                    ReflectionTestUtils.<List<SignedRequest>>invokeMethod(documented, "requests"));
        }

        @Override
        protected String otherKey() {
            return Objects.requireNonNull(ReflectionTestUtils.<String>invokeMethod(documented, "otherKey"));
        }
    }

    @Nested
    class PublicKeys extends WebhookSchemeContract {

        private final KeyPair pair = keyPair();

        @Override
        protected WebhookScheme scheme() {
            return (WebhookScheme) create("PublicKeyScheme");
        }

        @Override
        protected List<SignedRequest> requests() {
            return List.of(SignedRequest.of(
                            "k1", pem(pair), BODY, new WebhookClaims(null, null, 1767225600L, Set.of(Part.TIMESTAMP)))
                    .signedHeader("X-Acme-Key-Id", "k1")
                    .signedHeader("X-Acme-Timestamp", "1767225600")
                    .signedHeader("X-Acme-Signature", signature()));
        }

        @Override
        protected String otherKey() {
            return pem(keyPair());
        }

        @Test
        void keyIdentitiesWhenPemDiffersThenAreTheSame() {
            assertThat(verifier(pem(pair).replace("\n", "")).keyIdentities())
                    .isEqualTo(verifier(pem(pair)).keyIdentities())
                    .containsEntry("k1", KeyIdentity.of(pair.getPublic().getEncoded()));
            assertThat(verifier(pem(pair)).isCostly()).isTrue();
        }

        @Test
        void keyWhenMalformedThenBadSecret() {
            assertThatExceptionOfType(WebhookException.class)
                    .isThrownBy(() -> verifier("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/bad-secret"));
        }

        private WebhookVerifier verifier(String pem) {
            return WebhookVerifier.builder().scheme(scheme()).key("k1", pem).build();
        }

        private String signature() {
            try {
                Signature signer = Signature.getInstance("SHA256withECDSAinP1363Format");
                signer.initSign(pair.getPrivate());
                signer.update("1767225600.".getBytes(UTF_8));
                signer.update(BODY);
                return Base64.getEncoder().encodeToString(signer.sign());
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        private static KeyPair keyPair() {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                generator.initialize(new ECGenParameterSpec("secp256r1"));
                return generator.generateKeyPair();
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        private static String pem(KeyPair pair) {
            return "-----BEGIN PUBLIC KEY-----\n"
                    + Base64.getMimeEncoder(64, new byte[] {'\n'})
                            .encodeToString(pair.getPublic().getEncoded())
                    + "\n-----END PUBLIC KEY-----\n";
        }
    }

    /** The second is from the tests of Twilio's libraries, the first from its page on the security of webhooks. */
    @ParameterizedTest
    @CsvSource({
        "0/KCTR6DLpKmkAf8muzZqo1nDgQ=, To=%2B18005551212&CallSid=CA1234567890ABCDE&Digits=1234"
                + "&From=%2B12349013030&Caller=%2B12349013030",
        "IK+Dwps556ElfBT0I3Rgjkr1wJU=, Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234"
    })
    void twilioWhenItSignedThenVerified(String signature, String body) {
        WebhookVerifier twilio = twilio("https://mycompany.com/myapp.php?foo=1&bar=2");
        RequestHead head = new RequestHead("https://evil.example/", Map.of("X-Twilio-Signature", List.of(signature)));

        assertThat(twilio.verifyRequest(head, body.getBytes(UTF_8)).kid()).isEqualTo("v1");
        for (String changed : List.of(
                body.replace("1234", "1235"),
                body + "&More=1",
                body + "=",
                body + "%",
                body.replace("1234", "%2"),
                "")) {
            assertBadSignature(twilio, head, changed);
        }
        assertBadSignature(twilio("https://mycompany.com/myapp.php?foo=1&bar=3"), head, body);
    }

    private static void assertBadSignature(WebhookVerifier verifier, RequestHead head, String body) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> verifier.verifyRequest(head, body.getBytes(UTF_8)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/bad-signature"));
    }

    private static WebhookVerifier twilio(String url) {
        return WebhookVerifier.builder()
                .scheme((WebhookScheme) create("TwilioScheme", url))
                .key("v1", "12345")
                .build();
    }

    private static Object create(String name, String... arguments) {
        try {
            Class<?>[] types = new Class<?>[arguments.length];
            Arrays.fill(types, String.class);
            return ReflectionUtils.accessibleConstructor(loader.loadClass(name), types)
                    .newInstance((Object[]) arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }
}
