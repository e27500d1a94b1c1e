package io.credential.spring.autoconfigure;

import java.security.SecureRandom;
import javax.sql.DataSource;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditLog;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.notification.NodeNotifications;
import io.credential.ratelimit.RateLimiter;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.actuate.ActuatorAutoConfiguration;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.dispatcher.WebhookDispatcherAutoConfiguration;
import io.credential.spring.autoconfigure.event.WebhookEventAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.event.WebhookEventCatalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.verifyNoInteractions;

/** A test may mock each bean that an application may replace. The conditions have already chosen the others then. */
@SpringBootTest(
        classes = MockedBeanTests.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "credential.mode=cluster",
            "credential.api-keys.registries.live.prefix=bk",
            "credential.api-keys.cache.enabled=true",
            "credential.audit.jdbc.enabled=true",
            "credential.webhook.dispatcher.operational-events.enabled=true",
            "management.endpoints.web.exposure.include=*",
            "management.info.credential.enabled=true"
        })
@DirtiesContext
class MockedBeanTests {

    @Autowired
    private ApplicationContext context;

    private void assertMocked(Class<?> type) {
        assertThat(mockingDetails(context.getBean(type)).isMock()).isTrue();
    }

    @Nested
    class Dispatcher {

        @MockitoBean
        private WebhookDispatcher dispatcher;

        @Test
        void contextThenStartsAndLeavesTheMockAlone() {
            assertThat(context.getBeansOfType(JdbcWebhookDispatcher.class)).isEmpty();
            verifyNoInteractions(dispatcher);
        }
    }

    @Nested
    @MockitoBean(types = ApiKeyRegistries.class)
    class Registries {

        @Test
        void contextThenStarts() {
            assertMocked(ApiKeyRegistries.class);
        }
    }

    @Nested
    @MockitoBean(types = ApiKeyRegistry.class)
    class Registry {

        @Test
        void contextThenStarts() {
            assertMocked(ApiKeyRegistry.class);
        }
    }

    @Nested
    @MockitoBean(types = Leadership.class)
    class Leader {

        @Test
        void contextThenStarts() {
            assertMocked(Leadership.class);
        }
    }

    @Nested
    @MockitoBean(types = NodeNotifications.class)
    class Notifications {

        @Test
        void contextThenStarts() {
            assertMocked(NodeNotifications.class);
        }
    }

    @Nested
    @MockitoBean(types = {AuditLog.class, AuditSink.class, RateLimiter.class, WebhookEventCatalog.class})
    class Others {

        @Test
        void contextThenStarts() {
            assertMocked(AuditLog.class);
            assertMocked(AuditSink.class);
            assertMocked(RateLimiter.class);
            assertMocked(WebhookEventCatalog.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CredentialAutoConfiguration.class,
        CredentialDatabaseAutoConfiguration.class,
        KeyringAutoConfiguration.class,
        ClusterAutoConfiguration.class,
        AuditAutoConfiguration.class,
        ApiKeyRegistriesAutoConfiguration.class,
        WebhookEventAutoConfiguration.class,
        WebhookDispatcherAutoConfiguration.class,
        ActuatorAutoConfiguration.class,
        MetricsAutoConfiguration.class,
        SimpleMetricsExportAutoConfiguration.class
    })
    static class Application {

        @Bean
        TestDatabase database() {
            return TestDatabase.create(DatabaseKind.POSTGRESQL);
        }

        @Bean(destroyMethod = "")
        DataSource dataSource(TestDatabase database) {
            return database.dataSource();
        }

        @Bean
        Keyring keyring() {
            return Keyring.generate(new SecureRandom());
        }
    }
}
