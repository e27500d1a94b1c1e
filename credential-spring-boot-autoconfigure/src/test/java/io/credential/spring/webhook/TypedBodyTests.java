package io.credential.spring.webhook;

import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import io.credential.webhook.signature.VerifiedWebhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A controller that takes an object beside the webhook. The status of a malformed one is that of Spring MVC in a server. */
class TypedBodyTests {

    private static final String ORDER = "{\"id\":\"o1\",\"amount\":12}";

    @Test
    void recordThenIsBoundToTheVerifiedBytes() {
        try (WebhookHost host = start()) {
            HttpResponse<String> answer = send(host, ORDER);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("o1 12 push");
        }
    }

    /** If the nonce stayed, the second attempt would be a replay. */
    @Test
    void bodyWhenItIsMalformedThen400AndAcceptedAgain() {
        try (WebhookHost host = start()) {
            assertThat(send(host, "{\"id\":").statusCode()).isEqualTo(400);
            assertThat(send(host, "{\"id\":").statusCode()).isEqualTo(400);

            assertThat(send(host, ORDER).statusCode()).isEqualTo(200);
            assertThat(send(host, ORDER).body()).contains("webhook/replay");
        }
    }

    private static WebhookHost start() {
        return WebhookHost.start(
                Application.class,
                "credential.webhook.inbound.partner.scheme=github",
                "credential.webhook.inbound.partner.nonce-store=memory");
    }

    private static HttpResponse<String> send(WebhookHost host, String body) {
        return host.send(host.post("/hooks/partner/orders", body.getBytes(UTF_8))
                .header("Content-Type", "application/json")
                .header("X-GitHub-Event", "push")
                .header("X-Hub-Signature-256", "sha256=" + hmac(body)));
    }

    private static String hmac(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(WebhookHost.SECRET.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    record Order(String id, int amount) {}

    @RestController
    static class Orders {

        @PostMapping("/hooks/partner/orders")
        String received(@RequestBody Order order, VerifiedWebhook webhook) {
            return order.id() + " " + order.amount() + " " + webhook.type();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(Orders.class)
    static class Application {}
}
