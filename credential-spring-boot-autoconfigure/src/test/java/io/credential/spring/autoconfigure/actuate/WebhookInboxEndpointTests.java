package io.credential.spring.autoconfigure.actuate;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.actuate.EndpointHost.Answer;
import io.credential.spring.webhook.OnWebhook;
import io.credential.testing.Patience;
import io.credential.webhook.inbox.internal.InboxMessage;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

import static org.assertj.core.api.Assertions.assertThat;

/** The inbox for operators, on a real server: only one shows how Actuator maps requests and errors. */
@TestInstance(Lifecycle.PER_CLASS)
class WebhookInboxEndpointTests {

    private EndpointHost host;

    @BeforeAll
    void start(@TempDir Path directory) {
        host = EndpointHost.start(
                directory,
                Failing.class,
                "management.endpoints.web.exposure.include=webhookinbox",
                "management.endpoint.webhookinbox.access=unrestricted",
                "credential.webhook.inbound.github.paths=/hooks/github",
                "credential.webhook.inbound.github.scheme=github",
                "credential.webhook.inbound.github.store-first=true",
                "credential.webhook.inbound.github.keys.v1=a secret of the tests, long enough",
                "credential.webhook.inbox.max-attempts=1");
    }

    @AfterAll
    void stop() {
        host.close();
    }

    @Test
    void listThenWhatIsKnownWithoutTheBody() {
        String id = die("list");

        Answer answer = host.get("webhookinbox/dead?sender=github&limit=1000");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .contains(id, "\"eventId\":\"list\"", "\"type\":\"push\"", "\"attempts\":1", "IllegalStateException")
                .doesNotContain("body of", "why it failed");
        assertThat(host.get("webhookinbox/dead?sender=another").json().at("/webhooks"))
                .isEmpty();
    }

    @Test
    void listThenInPages() {
        die("page-1");
        die("page-2");

        String cursor = host.get("webhookinbox/dead?limit=1").text("/nextCursor");

        assertThat(host.get("webhookinbox/dead?limit=1&cursor=" + cursor).json().at("/webhooks"))
                .hasSize(1);
    }

    @Test
    void retryThenPendingAgainAndTheActorIsAudited() {
        String id = die("retry");

        Answer answer = host.post("webhookinbox/dead/" + id);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("/status")).isEqualTo("pending");
        Patience.until(() -> host.audited().stream()
                .anyMatch(event -> event.name().equals("webhook.inbox.retry")
                        && id.equals(event.resourceId())
                        && "operator".equals(event.actor())));
    }

    @Test
    void retryAllThenSaysHowMany() {
        assertThat(host.post("webhookinbox/dead", "{\"sender\":\"another\"}").text("/retried"))
                .isEqualTo("0");
    }

    @Test
    void summaryThenTheBacklog() {
        die("summary");

        Patience.until(() -> host.get("webhookinbox").json().has("dead"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, webhookinbox/unknown, 400",
        "GET, webhookinbox/dead?limit=0, 400",
        "POST, webhookinbox/dead/unknown, 400",
        "POST, webhookinbox/pending/unknown, 400"
    })
    void requestWhenItCannotBeAnsweredThenSaysSo(String method, String path, int status) {
        assertThat((method.equals("GET") ? host.get(path) : host.post(path)).status())
                .isEqualTo(status);
    }

    @Test
    void retryAllWhenNotOfDeadOnesThenRefused() {
        assertThat(host.post("webhookinbox/pending", "{\"sender\":\"github\"}").status())
                .isEqualTo(400);
    }

    private String die(String eventId) {
        host.bean(JdbcWebhookInbox.class)
                .receive(
                        new InboxMessage(
                                new VerifiedWebhook(
                                        "hmac-sha256",
                                        "v1",
                                        null,
                                        eventId,
                                        "github",
                                        "github",
                                        "push",
                                        Set.<Part>of(),
                                        eventId),
                                ("body of " + eventId).getBytes(StandardCharsets.UTF_8)),
                        null);
        Patience.until(() -> host.get("webhookinbox/dead?limit=1000").body().contains("\"" + eventId + "\""));
        for (var webhook : host.get("webhookinbox/dead?limit=1000").json().at("/webhooks")) {
            if (webhook.path("eventId").asString().equals(eventId)) {
                return webhook.path("id").asString();
            }
        }
        throw new AssertionError(eventId);
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @OnWebhook("github")
        void on() {
            throw new IllegalStateException("why it failed");
        }
    }
}
