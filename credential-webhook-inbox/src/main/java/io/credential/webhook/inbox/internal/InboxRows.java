package io.credential.webhook.inbox.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/** Translates between rows and what they hold. */
final class InboxRows {

    /** The columns of {@link #storedWebhook}. */
    static final String STORED =
            "webhook_id, sender, event_id, event_type, status, attempts, received_at, next_attempt_at, finished_at, last_error";

    private InboxRows() {}

    /** Returns the id of a webhook in the inbox. */
    static String id(String sender, String deduplicationId) {
        return id(sender, deduplicationId, null);
    }

    /** @param variant distinguishes webhooks with the same deduplication id; null for none */
    static String id(String sender, String deduplicationId, @Nullable String variant) {
        return new FieldBytes(256)
                .text(sender)
                .text(deduplicationId)
                .optionalText(variant)
                .sha256();
    }

    static StoredWebhook storedWebhook(ResultSet row, int index) throws SQLException {
        InboxStatus status = InboxStatus.ofText(row.getString("status")).orElseThrow();
        return new StoredWebhook(
                row.getString("webhook_id"),
                row.getString("sender"),
                row.getString("event_id"),
                row.getString("event_type"),
                status,
                row.getInt("attempts"),
                Instant.ofEpochMilli(row.getLong("received_at")),
                status == InboxStatus.PENDING ? Instant.ofEpochMilli(row.getLong("next_attempt_at")) : null,
                status == InboxStatus.PENDING ? null : Instant.ofEpochMilli(row.getLong("finished_at")),
                row.getString("last_error"));
    }

    static VerifiedWebhook verifiedWebhook(ResultSet row) throws SQLException {
        return new VerifiedWebhook(
                row.getString("algorithm"),
                row.getString("kid"),
                nullableLong(row, "signed_at"),
                row.getString("event_id"),
                row.getString("sender"),
                row.getString("scheme"),
                row.getString("event_type"),
                parts(row.getString("signed_parts")),
                row.getString("deduplication_id"));
    }

    private static @Nullable Long nullableLong(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    static String text(Set<Part> parts) {
        return parts.stream().map(Part::text).sorted().collect(Collectors.joining(","));
    }

    private static Set<Part> parts(@Nullable String text) {
        Set<String> texts = text == null ? Set.of() : Set.of(text.split(","));
        return Arrays.stream(Part.values())
                .filter(part -> texts.contains(part.text()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
