package io.credential.consumer;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Requests;
import io.credential.consumer.inspection.Started;

import static org.assertj.core.api.Assertions.assertThat;

/** The console of an application that only receives webhooks: it starts with what its starters bring. */
class ReceiverConsoleIT {

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(
                folder,
                ReceiverConsoleApplication.class,
                "credential.console.enabled=true",
                "credential.console.authorities.view=ROLE_OPERATOR",
                "credential.webhook.inbound.partner.paths=/hooks/partner",
                "credential.webhook.inbound.partner.keys.v1=a secret that the partner has, too",
                "credential.webhook.inbound.partner.nonce-store=none",
                "credential.webhook.inbound.partner.allow-unmapped=true",
                "spring.security.user.name=ann",
                "spring.security.user.password=only-for-this-test",
                "spring.security.user.roles=OPERATOR");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void consoleThenShowsTheSenders() {
        assertThat(get("/credential/").statusCode()).isEqualTo(200);
        assertThat(get("/credential/inbound").body()).contains("<h1>Incoming webhooks</h1>", "/hooks/partner");
        assertThat(get("/credential/deliveries").statusCode()).isEqualTo(404);
    }

    @Test
    void classPathThenNoDatabase() {
        assertThat(Inspection.hasClass("org.springframework.jdbc.core.JdbcTemplate"))
                .isFalse();
    }

    private static HttpResponse<String> get(String path) {
        String login = Base64.getEncoder().encodeToString("ann:only-for-this-test".getBytes(StandardCharsets.UTF_8));
        return Requests.get(application, path, "Authorization", "Basic " + login);
    }
}
