package io.credential.spring.webhook;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Handshakes that are configured. Only a server has the chain of filters that an answer must not reach. */
class WebhookHandshakeTests {

    private static final String SLACK_SECRET = "another secret of the tests";
    private static final String CHALLENGE = "{\"type\":\"url_verification\",\"challenge\":\"3eZbrw1a\"}";
    private static final String[] SLACK = {
        "credential.webhook.inbound.slack.paths=/hooks/slack",
        "credential.webhook.inbound.slack.scheme=slack",
        "credential.webhook.inbound.slack.nonce-store=memory",
        "credential.webhook.inbound.slack.keys.v1=" + SLACK_SECRET
    };

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void requestWhenItIsAHandshakeThenNoLogIn(Class<?> server) {
        try (WebhookHost host = WebhookHost.start(server, SLACK)) {
            HttpResponse<String> answer = host.send(HttpRequest.newBuilder(host.uri(
                    "/hooks/partner/any-method?hub.mode=subscribe&hub.verify_token=agreed&hub.challenge=11%3C")));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("11<");
            assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
    }

    @Test
    void requestWhenTokenIsWrongThenGuardedAsBefore() {
        try (WebhookHost host = WebhookHost.start(OnTomcat.class, SLACK)) {
            HttpResponse<String> answer = host.send(HttpRequest.newBuilder(
                    host.uri("/hooks/partner/any-method?hub.mode=subscribe&hub.verify_token=wrong&hub.challenge=1")));

            assertThat(answer.statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void slackWhenItVerifiesTheUrlThenAnswered(Class<?> server) {
        try (WebhookHost host = WebhookHost.start(server, SLACK)) {
            HttpResponse<String> answer = host.send(slack(host, CHALLENGE));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("3eZbrw1a");
            assertThat(host.send(slack(host, "{\"type\":\"event_callback\"}")).body())
                    .isEqualTo("event {\"type\":\"event_callback\"}");
            assertThat(host.send(host.post("/hooks/slack", CHALLENGE.getBytes(UTF_8)))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void slackWhenABeanIsForItThenThisIsAsked() {
        try (WebhookHost host = WebhookHost.start(OwnSlack.class, SLACK)) {
            assertThat(host.send(slack(host, CHALLENGE)).body()).isEqualTo("event " + CHALLENGE);
        }
    }

    private static HttpRequest.Builder slack(WebhookHost host, String body) {
        long now = Instant.now().getEpochSecond();
        return host.post("/hooks/slack", body.getBytes(UTF_8))
                .header("Content-Type", "application/json")
                .header("X-Slack-Request-Timestamp", String.valueOf(now))
                .header("X-Slack-Signature", "v0=" + hmac("v0:" + now + ":" + body));
    }

    private static String hmac(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SLACK_SECRET.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** As the documentation shows it. */
    private static final class Meta implements WebhookHandshake {

        @Override
        public String sender() {
            return "partner";
        }

        @Override
        public Set<String> methods() {
            return Set.of("GET");
        }

        @Override
        public @Nullable Answer answer(Map<String, String> query) {
            String challenge = query.get("hub.challenge");
            return challenge != null && "agreed".equals(query.get("hub.verify_token")) ? Answer.text(challenge) : null;
        }
    }

    @RestController
    static class Slack {

        @PostMapping("/hooks/slack")
        String slack(@RequestBody String body) {
            return "event " + body;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        WebhookHandshake meta() {
            return new Meta();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import({HookController.class, Slack.class, Beans.class})
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @WebhookHost.SecurityStarter
    @Import({HookController.class, Slack.class, Beans.class})
    static class OnJetty {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import({HookController.class, Slack.class})
    static class OwnSlack {

        @Bean
        WebhookHandshake silent() {
            return new WebhookHandshake() {

                @Override
                public String sender() {
                    return "slack";
                }

                @Override
                public Set<String> methods() {
                    return Set.of();
                }
            };
        }
    }
}
