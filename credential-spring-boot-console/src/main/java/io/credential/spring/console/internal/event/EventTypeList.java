package io.credential.spring.console.internal.event;

import java.util.List;

import io.credential.webhook.event.WebhookEventType;

/**
 * The event types of the catalog.
 *
 * @param types in the order of their names
 */
public record EventTypeList(List<WebhookEventType> types, Subscribers subscribers) {}
