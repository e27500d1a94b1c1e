package io.credential.spring.test.product.signature;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.test.WebhookReceiver;
import io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential;
import io.credential.spring.test.product.Inspection;
import io.credential.webhook.signature.WebhookSigner;

import static io.credential.spring.test.CredentialRequestPostProcessors.signedWebhook;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest(
        properties = {
            "spring.config.name=none",
            "credential.webhook.inbound.shop.paths=/hooks/shop",
            "credential.webhook.inbound.shop.nonce-store=memory",
            "credential.webhook.inbound.shop.keys.v1=" + SignaturesOnly.SECRET
        })
@ContextConfiguration(classes = HookApplication.class)
@AutoConfigureInMemoryCredential
@DirtiesContext
class SignaturesOnly implements Runnable {

    static final String SECRET = "a secret of the tests";

    @Autowired
    private ApplicationContext application;

    @Autowired
    private MockMvcTester mvc;

    @Override
    public void run() {
        assertThat(mvc.post().uri("/hooks/shop").content("{}").with(signedWebhook("shop")))
                .hasStatusOk();
        assertThat(mvc.post().uri("/hooks/shop").content("{}").with(signedWebhook(signer(SECRET))))
                .hasStatusOk();
        assertThat(mvc.post()
                        .uri("/hooks/shop")
                        .content("{}")
                        .with(signedWebhook("shop").secret("another secret")))
                .hasStatus(401);
        assertReceiverVerifies();
        assertThat(Inspection.beans(application))
                .contains("credentialWebhookSignatureFilter")
                .noneMatch(bean -> bean.matches("(?i).*(api_?key|dispatcher|egress|keyring|database|datasource).*"));
    }

    private static void assertReceiverVerifies() {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(receiver.url())).POST(HttpRequest.BodyPublishers.ofString("{}"));
            signer(receiver.secret()).headers("{}".getBytes(UTF_8)).forEach(request::header);
            assertThat(HttpClient.newHttpClient()
                            .send(request.build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(receiver.await(1)).hasSize(1);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static WebhookSigner signer(String secret) {
        return WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", secret.getBytes(UTF_8))
                .build();
    }
}
