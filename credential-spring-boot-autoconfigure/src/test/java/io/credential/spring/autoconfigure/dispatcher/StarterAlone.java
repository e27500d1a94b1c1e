package io.credential.spring.autoconfigure.dispatcher;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

/** An application without a single property. */
final class StarterAlone {

    static final String DONE = "An event is stored for one endpoint";

    private StarterAlone() {}

    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(args)) {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            dispatcher.registerEndpoint(EndpointRegistration.of("shop", "https://192.0.79.1/", "secret", "*"));
            if (dispatcher.enqueue("order.created", "{}").deliveries().size() == 1) {
                System.out.println(DONE);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CredentialAutoConfiguration.class,
        LocalSqliteAutoConfiguration.class,
        CredentialDatabaseAutoConfiguration.class,
        KeyringAutoConfiguration.class,
        ClusterAutoConfiguration.class,
        AuditAutoConfiguration.class,
        ApiKeyRegistriesAutoConfiguration.class,
        WebhookAutoConfiguration.class,
        WebhookDispatcherAutoConfiguration.class,
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class
    })
    static class Application {}
}
