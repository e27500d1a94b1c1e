package io.credential.consumer;

import java.net.URL;
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

/** Checks the console as it is published: its template engine must not meet the one of the application. */
class ConsoleIT {

    private static final String ENGINE = "gg.jte.TemplateOutput";

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(
                folder,
                ConsoleApplication.class,
                "credential.console.enabled=true",
                "credential.console.authorities.view=ROLE_OPERATOR",
                "spring.security.user.name=ann",
                "spring.security.user.password=only-for-this-test",
                "spring.security.user.roles=OPERATOR");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void pageThenShown() {
        HttpResponse<String> page = get("/credential/deliveries");

        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        assertThat(page.body()).contains("<h1>Deliveries</h1>", "Nothing was sent yet");
    }

    @Test
    void engineThenThatOfApplication() throws ReflectiveOperationException {
        URL engine = Class.forName(ENGINE).getProtectionDomain().getCodeSource().getLocation();

        assertThat(engine.toString()).contains("jte-runtime-3.1.16");
    }

    @Test
    void classPathThenNoKeys() {
        assertThat(Inspection.hasClass("io.credential.apikey.ApiKey")).isFalse();
    }

    private static HttpResponse<String> get(String path) {
        String login = Base64.getEncoder().encodeToString("ann:only-for-this-test".getBytes(StandardCharsets.UTF_8));
        return Requests.get(application, path, "Authorization", "Basic " + login);
    }
}
