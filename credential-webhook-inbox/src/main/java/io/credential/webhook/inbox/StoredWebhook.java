package io.credential.webhook.inbox;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A webhook in the inbox, without its body. Immutable.
 *
 * @param id the id in the inbox, 64 hexadecimal digits
 * @param sender the configured name of the sender
 * @param eventId the id of the event, or the one passed to {@link WebhookInbox#once}; null if there is none
 * @param type the type of the event; null if it has none
 * @param status whether it waits, was processed, or failed
 * @param attempts how many attempts to process it have begun since it was received or retried
 * @param receivedAt when it was stored, or processed if it was not stored first
 * @param nextAttemptAt when it is processed next; null unless it is pending
 * @param finishedAt when it was processed or died; null while it is pending
 * @param lastError the class of the exception of the last failed attempt; null if none failed
 * @since 0.1.0
 */
public record StoredWebhook(
        String id,
        String sender,
        @Nullable String eventId,
        @Nullable String type,
        InboxStatus status,
        int attempts,
        Instant receivedAt,
        @Nullable Instant nextAttemptAt,
        @Nullable Instant finishedAt,
        @Nullable String lastError) {}
