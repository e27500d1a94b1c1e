package io.credential.spring.webhook.slice;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigners;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The slice that users test their controllers with, in an application with Spring Security. */
@WebMvcTest
@Import(WebhookSliceTests.HookController.class)
@TestPropertySource(
        properties = {
            "credential.webhook.inbound.partner.paths=/hooks/partner",
            "credential.webhook.inbound.partner.keys.v1=a secret of the tests",
            "credential.webhook.inbound.partner.nonce-store=memory",
            "credential.webhook.signers.partner.keys.v1=a secret of the tests",
            "credential.webhook.inbound.elsewhere.paths=/hooks/of-another-controller",
            "credential.webhook.inbound.elsewhere.keys.v1=another secret of the tests",
            "credential.webhook.inbound.elsewhere.nonce-store=jdbc"
        })
class WebhookSliceTests {

    private static final byte[] FORM = "name=kettle".getBytes(UTF_8);

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private WebhookSigners signers;

    @Test
    void requestWhenSignedThenReachesTheController() {
        assertThat(mvc.post()
                        .uri("/hooks/partner")
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content(FORM)
                        .header(
                                "Webhook-Signature",
                                signers.get("partner").headers(FORM).get("Webhook-Signature")))
                .hasStatusOk()
                .hasBodyTextEqualTo("v1 kettle");
    }

    @Test
    void requestWhenNotSignedThenRefused() {
        assertThat(mvc.post().uri("/hooks/partner").content(FORM))
                .hasStatus(401)
                .bodyJson()
                .extractingPath("$.code")
                .isEqualTo("webhook/missing-header");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    static class HookController {

        @PostMapping("/hooks/partner")
        String hook(@RequestParam("name") String name, VerifiedWebhook webhook) {
            return webhook.kid() + " " + name;
        }
    }
}
