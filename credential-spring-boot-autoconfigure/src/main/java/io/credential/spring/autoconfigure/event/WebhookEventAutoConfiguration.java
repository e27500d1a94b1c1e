package io.credential.spring.autoconfigure.event;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.webhook.event.WebhookEvent;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventCatalogBuilder;
import io.credential.webhook.event.WebhookEventException;

/**
 * Configures the catalogue of typed events: the records with {@link WebhookEvent} in the packages of the application, which the
 * JsonMapper of the application writes.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(WebhookEventCatalog.class)
@ConditionalOnCredential(Requirement.DISPATCHER)
@ConditionalOnMissingBean(WebhookEventCatalog.class)
@Import(EventScan.class)
public final class WebhookEventAutoConfiguration {

    /** An application without typed events may have any number of mappers. */
    @Bean
    @Lazy(false)
    WebhookEventCatalog credentialWebhookEventCatalog(
            ScannedEvents scanned,
            ObjectProvider<WebhookEventCatalogCustomizer> customizers,
            ObjectProvider<JsonMapper> mappers) {
        List<WebhookEventCatalogCustomizer> customized =
                customizers.orderedStream().toList();
        if (scanned.names().isEmpty() && customized.isEmpty()) {
            return WebhookEventCatalog.empty();
        }
        WebhookEventCatalogBuilder builder = WebhookEventCatalog.builder(SharedBeans.sole(mappers, JsonMapper.class)
                .orElseGet(() -> JsonMapper.builder().build()));
        try {
            scanned.types().forEach(builder::add);
            customized.forEach(customizer -> customizer.customize(builder));
        } catch (WebhookEventException e) {
            throw new CredentialConfigurationException(
                    "The typed events cannot be used: " + e.getMessage() + ".",
                    "Correct the class, or remove its @WebhookEvent.",
                    e);
        }
        return builder.build();
    }
}
