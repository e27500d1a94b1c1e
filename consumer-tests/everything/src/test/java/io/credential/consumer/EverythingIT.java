package io.credential.consumer;

import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Started;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what an application gets with the starter for everything. */
class EverythingIT {

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(folder, EverythingApplication.class, "credential.api-keys.registries.live.prefix=bk");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void beansThenOfKeysAndWebhooks() {
        assertThat(Inspection.beans(application))
                .contains("credentialApiKeyRegistries", "credentialWebhookDispatcher", "credentialWebhookSender");
    }

    @Test
    void classPathThenAllLibraries() {
        assertThat(List.of(
                        "io.credential.apikey.ApiKey",
                        "io.credential.auditlog.AuditLog",
                        "io.credential.copy.CopyToPostgres",
                        "io.credential.webhook.delivery.WebhookDispatcher",
                        "io.credential.webhook.signature.WebhookVerifier"))
                .allMatch(Inspection::hasClass);
    }

    @Test
    void tablesThenWithoutAuditLogAndNonces() {
        assertThat(Inspection.tables(application.getBean(DataSource.class)))
                .contains("_credential_api_keys", "_credential_webhook_deliveries")
                .doesNotContain("_credential_audit_log", "_credential_nonces");
    }
}
