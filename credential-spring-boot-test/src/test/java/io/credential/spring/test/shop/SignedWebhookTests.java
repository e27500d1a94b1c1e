package io.credential.spring.test.shop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.request.RequestPostProcessor;

import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.testing.MutableClock;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;

import static io.credential.spring.test.CredentialRequestPostProcessors.signedWebhook;
import static org.assertj.core.api.Assertions.assertThat;

/** Signed requests in a slice, verified by the filter of the application. */
@WebMvcTest
class SignedWebhookTests {

    private static final String WRONG = "whsec_" + "A".repeat(32);
    private static final String BODY = "{\"item\":\"kettle\"}";

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private MutableClock clock;

    private MockMvcTester.MockMvcRequestBuilder post(String path, RequestPostProcessor signature) {
        // Requests of a processor differ only in their time.
        clock.advance(Duration.ofSeconds(1));
        return mvc.post()
                .uri(path)
                .contentType(MediaType.TEXT_PLAIN)
                .content(BODY)
                .with(signature);
    }

    private void assertRefused(String path, RequestPostProcessor signature, String code) {
        assertThat(post(path, signature))
                .hasStatus(401)
                .bodyJson()
                .extractingPath("$.code")
                .isEqualTo(code);
    }

    private void assertFails(RequestPostProcessor signature, Class<? extends Exception> type, String message) {
        assertThat(post("/hooks/partner", signature).exchange().getUnresolvedException())
                .isInstanceOf(type)
                .hasMessageContaining(message);
    }

    @Test
    void signedThenReachesTheController() {
        assertThat(post("/hooks/partner", signedWebhook("partner")))
                .hasStatusOk()
                .hasBodyTextEqualTo("v1 " + BODY);
    }

    @Test
    void signedWhenKidIsGivenThenSignsWithItsKey() {
        assertThat(post("/hooks/partner", signedWebhook("partner").kid("v2")))
                .hasStatusOk()
                .hasBodyTextEqualTo("v2 " + BODY);
    }

    @Test
    void signedWhenThereIsNoBodyThenSignsNoBytes() {
        assertThat(mvc.post().uri("/hooks/partner").with(signedWebhook("partner")))
                .hasStatusOk()
                .hasBodyTextEqualTo("v1 null");
    }

    @Test
    void signedWhenSecretIsWrongThenRefused() {
        assertRefused("/hooks/partner", signedWebhook("partner").secret("a wrong secret"), "webhook/bad-signature");
        assertRefused("/hooks/processor", signedWebhook("processor").secret("wrong"), "webhook/bad-signature");
    }

    @Test
    void signedWhenIdIsRepeatedThenRefused() {
        assertThat(post("/hooks/partner", signedWebhook("partner").id("event-1")))
                .hasStatusOk();

        assertRefused("/hooks/partner", signedWebhook("partner").id("event-1"), "webhook/replay");
    }

    @Test
    void signedWhenTooLongAgoThenRefused() {
        Instant before = clock.instant().minus(Duration.ofHours(1));

        assertRefused("/hooks/partner", signedWebhook("partner").signedAt(before), "webhook/expired");
        assertRefused("/hooks/processor", signedWebhook("processor").signedAt(before), "webhook/stale-timestamp");
    }

    @Test
    void signedWhenSenderIsProcessorThenInItsStyle() {
        assertThat(post("/hooks/processor", signedWebhook("processor")))
                .hasStatusOk()
                .hasBodyTextEqualTo("v1 " + BODY);
        assertFails(signedWebhook("processor").id("1"), IllegalArgumentException.class, "no id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"standard-webhooks", "stripe", "github", "shopify", "slack"})
    void signedWhenSchemeIsForeignThenInItsFormat(String scheme) {
        assertThat(post("/hooks/" + scheme, signedWebhook(scheme)))
                .hasStatusOk()
                .hasBodyTextEqualTo(scheme + " " + BODY);
        assertThat(post("/hooks/" + scheme, signedWebhook(scheme).secret(WRONG)))
                .hasStatus(401)
                .bodyJson()
                .extractingPath("$.code")
                .isEqualTo("webhook/bad-signature");
    }

    @Test
    void signedWhenSchemeHasNoIdThenFails() {
        assertFails(signedWebhook("stripe").id("1"), IllegalArgumentException.class, "no id");
    }

    @Test
    void signedWhenNothingIsConfiguredThenFails() {
        assertFails(signedWebhook("other"), IllegalArgumentException.class, "'other'");
        assertFails(signedWebhook("partner").kid("v3"), IllegalArgumentException.class, "'v3'");
    }

    @Test
    void signedWhenKeyIsPublicThenNeedsSigner() {
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("pqc-pem")
                .keyPair("v1", resource("/ml-dsa-65-private.pem"), resource("/ml-dsa-65-public.pem"))
                .clock(clock)
                .build();

        assertThat(post("/hooks/quantum", signedWebhook(signer))).hasStatusOk().hasBodyTextEqualTo("pqc-pem " + BODY);
        assertFails(signedWebhook("quantum"), IllegalStateException.class, "public key");
    }

    @Test
    void signedWhenProcessorSignatureIsGivenThenUsesIt() {
        try (ProcessorSignature signature = ProcessorSignature.builder()
                .secret("a processor's secret of the tests")
                .clock(clock)
                .build()) {
            assertThat(post("/hooks/processor", signedWebhook(signature))).hasStatusOk();
        }
    }

    private static byte[] resource(String name) {
        try (InputStream in = SignedWebhookTests.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Time {

        @Bean
        @CredentialClock
        MutableClock clock() {
            return MutableClock.atNewYear();
        }
    }
}
