package io.credential.spring.autoconfigure.event;

import io.credential.webhook.event.WebhookEventCatalogBuilder;

/**
 * Adds event types to the catalogue that are not in the packages of the application. Define it as a bean. In a native image,
 * these types also need {@code @RegisterReflectionForBinding}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WebhookEventCatalogCustomizer {

    /** Adds event types. */
    void customize(WebhookEventCatalogBuilder builder);
}
