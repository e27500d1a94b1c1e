package io.credential.webhook.event;

/**
 * An event type of a {@link WebhookEventCatalog}.
 *
 * @param name the name under which endpoints subscribe to it, for example {@code invoice.paid}
 * @param description when the event is sent; may be empty
 * @param recordType the record that is dispatched
 * @since 0.1.0
 */
public record WebhookEventType(String name, String description, Class<? extends Record> recordType) {}
