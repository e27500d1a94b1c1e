package io.credential.consumer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import com.sun.net.httpserver.HttpServer;

import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Started;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what an application gets with the starter for senders. */
class SenderOnlyIT {

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(
                folder, SenderApplication.class, "credential.webhook.dispatcher.allow-internal-destinations=true");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void dispatchThenDelivered() throws IOException {
        WebhookDispatcher dispatcher = application.getBean(WebhookDispatcher.class);
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        List<String> received = new CopyOnWriteArrayList<>();
        receiver.createContext("/hooks", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("Webhook-Signature"));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "shop-7",
                    "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hooks",
                    "a secret of shop 7",
                    "order.created"));

            dispatcher.dispatch("order.created", Map.of("id", 7));

            Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> !received.isEmpty());
            assertThat(received).allMatch(signature -> signature.contains(",v1="));
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void tablesThenThoseOfDispatcher() {
        assertThat(Inspection.tables(application.getBean(DataSource.class)))
                .containsExactly(
                        "_credential_key_checks",
                        "_credential_leases",
                        "_credential_schema_history",
                        "_credential_webhook_attempts",
                        "_credential_webhook_deliveries",
                        "_credential_webhook_endpoints",
                        "_credential_webhook_events",
                        "_credential_webhook_hourly_counts",
                        "_credential_webhook_job_items",
                        "_credential_webhook_jobs",
                        "_credential_webhook_last_outcomes",
                        "_credential_webhook_schema_history",
                        "_credential_webhook_subscriptions");
    }

    @Test
    void beansThenNoneOfKeys() {
        assertThat(Inspection.beans(application))
                .contains("credentialWebhookDispatcher", "credentialWebhookSender")
                .noneMatch(name -> name.contains("ApiKey"));
    }

    @Test
    void classPathThenNeitherServletsNorSecurity() {
        assertThat(Inspection.hasClass("io.credential.webhook.delivery.WebhookDispatcher"))
                .isTrue();
        assertThat(Inspection.hasClass("jakarta.servlet.Filter")).isFalse();
        assertThat(Inspection.hasClass("org.springframework.security.core.Authentication"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.apikey.ApiKey")).isFalse();
        assertThat(Inspection.hasClass("io.credential.spring.console.ConsoleAutoConfiguration"))
                .isFalse();
    }
}
