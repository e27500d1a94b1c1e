package io.credential.consumer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Requests;
import io.credential.consumer.inspection.Started;
import io.credential.webhook.signature.WebhookSigner;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what an application gets with the starter for receivers. */
class ReceiverOnlyIT {

    private static final String SECRET = "a secret that the partner has, too";

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(
                folder,
                ReceiverApplication.class,
                "credential.webhook.inbound.partner.paths=/hooks/partner",
                "credential.webhook.inbound.partner.keys.v1=" + SECRET,
                "credential.webhook.inbound.partner.nonce-store=none");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void requestThenNeedsSignature() {
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .build();

        assertThat(Requests.post(application, "/hooks/partner", body, signer.headers(body))
                        .body())
                .isEqualTo("v1 {}");
        assertThat(Requests.post(application, "/hooks/partner", body, Map.of()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void beansThenNeitherDatabaseNorKeyring() {
        assertThat(Inspection.beans(application))
                .contains("credentialVerifierFactory")
                .noneMatch(name -> name.contains("Database") || name.contains("Keyring"))
                .noneMatch(name -> name.contains("Dispatcher") || name.contains("Sender") || name.contains("ApiKey"));
        assertThat(Inspection.hasClass("javax.sql.DataSource")).isTrue();
        assertThat(application.getBeanNamesForType(DataSource.class)).isEmpty();
    }

    @Test
    void filesThenNone() {
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void threadsThenCountOfRejectionsOnly() {
        assertThat(Inspection.threads()).containsExactly("credential-rejection-counts");
    }

    @Test
    void classPathThenNeitherHttpClientNorDatabase() {
        assertThat(Inspection.hasClass("io.credential.webhook.signature.WebhookVerifier"))
                .isTrue();
        assertThat(Inspection.hasClass("org.apache.hc.client5.http.impl.async.HttpAsyncClients"))
                .isFalse();
        assertThat(Inspection.hasClass("org.springframework.jdbc.core.JdbcTemplate"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.webhook.delivery.WebhookDispatcher"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.apikey.ApiKey")).isFalse();
    }
}
