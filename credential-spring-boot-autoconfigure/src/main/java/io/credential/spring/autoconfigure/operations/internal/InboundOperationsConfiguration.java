package io.credential.spring.autoconfigure.operations.internal;

import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.spring.operations.internal.InboundOperations;
import io.credential.spring.operations.internal.InboundOperations.ConfiguredSender;
import io.credential.spring.webhook.internal.VerificationCounts;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.replay.internal.JdbcNonceStore;
import io.credential.webhook.signature.VerifiedWebhook;

/** Imported by those who show incoming webhooks, in a servlet application. */
@Configuration(proxyBeanMethods = false)
public class InboundOperationsConfiguration {

    @Bean
    InboundOperations credentialInboundOperations(
            WebhookProperties properties,
            ObjectProvider<FilterRegistrationBean<WebhookSignatureFilter>> filters,
            ObjectProvider<CredentialDatabase> databases) {
        List<ConfiguredSender> senders = properties.inbound().entrySet().stream()
                .map(sender -> sender(sender.getKey(), sender.getValue()))
                .toList();
        return new InboundOperations(
                senders, () -> counts(filters.getIfAvailable()), storedNonces(properties, databases));
    }

    private static @Nullable VerificationCounts counts(
            @Nullable FilterRegistrationBean<WebhookSignatureFilter> registration) {
        @Nullable WebhookSignatureFilter filter = registration == null ? null : registration.getFilter();
        return filter == null ? null : filter.counts();
    }

    private static ConfiguredSender sender(String name, WebhookInboundProperties properties) {
        return new ConfiguredSender(
                name,
                properties.paths(),
                properties.scheme().equals(VerifiedWebhook.CREDENTIAL)
                        ? properties.algorithm().text()
                        : properties.scheme(),
                properties.nonceStore().name().toLowerCase(Locale.ROOT),
                properties.storeFirst());
    }

    private static @Nullable IntUnaryOperator storedNonces(
            WebhookProperties properties, ObjectProvider<CredentialDatabase> databases) {
        boolean used =
                properties.inbound().values().stream().anyMatch(sender -> sender.nonceStore() == NonceStoreKind.JDBC);
        CredentialDatabase database = used ? databases.getIfAvailable() : null;
        return database == null ? null : new JdbcNonceStore(database)::count;
    }
}
