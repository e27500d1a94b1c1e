package io.credential.consumer;

import java.nio.file.Path;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.consumer.inspection.Inspection;
import io.credential.consumer.inspection.Requests;
import io.credential.consumer.inspection.Started;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what an application gets with the starter for API keys. Each starter needs a separate class path. */
class KeysOnlyIT {

    @TempDir
    private static Path folder;

    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        application = Started.in(folder, KeysApplication.class, "credential.api-keys.registries.live.prefix=bk");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void requestThenNeedsKeyWithScope() {
        ApiKeyRegistry registry = application.getBean(ApiKeyRegistry.class);
        String reader = registry.issue(IssueRequest.forOwner("shop-7").scopes("orders:read"))
                .key();
        String other = registry.issue(IssueRequest.forOwner("shop-7").scopes("orders:write"))
                .key();

        assertThat(Requests.get(application, "/orders", "X-API-Key", reader).body())
                .isEqualTo("orders of shop-7");
        assertThat(Requests.get(application, "/orders", "X-API-Key", other).statusCode())
                .isEqualTo(403);
        assertThat(Requests.get(application, "/orders", "X-API-Key", "bk_live_unknown")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void tablesThenThoseOfKeys() {
        assertThat(Inspection.tables(application.getBean(DataSource.class)))
                .containsExactly(
                        "_credential_api_key_terms",
                        "_credential_api_key_tickets",
                        "_credential_api_key_totals",
                        "_credential_api_keys",
                        "_credential_key_checks",
                        "_credential_leases",
                        "_credential_schema_history");
    }

    @Test
    void threadsThenNoPoller() {
        assertThat(Inspection.threads())
                .isNotEmpty()
                .noneMatch(name -> name.contains("webhook") || name.contains("http") || name.contains("dns"));
    }

    @Test
    void beansThenNoneOfWebhooks() {
        assertThat(Inspection.beans(application))
                .contains("credentialApiKeyRegistries")
                .noneMatch(name -> name.contains("Webhook"));
    }

    @Test
    void classPathThenNoHttpClientAndNoWebhooks() {
        assertThat(Inspection.hasClass("io.credential.apikey.ApiKey")).isTrue();
        assertThat(Inspection.hasClass("org.apache.hc.client5.http.impl.async.HttpAsyncClients"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.webhook.WebhookException"))
                .isFalse();
        assertThat(Inspection.hasClass("io.credential.auditlog.AuditLog")).isFalse();
        assertThat(Inspection.hasClass("io.credential.spring.console.ConsoleAutoConfiguration"))
                .isFalse();
    }
}
