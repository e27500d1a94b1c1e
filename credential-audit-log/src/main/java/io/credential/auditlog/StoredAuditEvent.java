package io.credential.auditlog;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log, as it was read. Do not rely on its values unless it is {@link Authenticity#AUTHENTIC}:
 * otherwise, they may be anything.
 *
 * @param authenticity whether the row is what the application has stored
 * @param chain the number of its chain
 * @param sequence its number in the chain
 * @param time when the event happened, in milliseconds
 * @param event the name of the event, for example {@code apikey.issue}
 * @param outcome {@code success} or {@code failure}
 * @param reason why it failed; null on success
 * @param actor who did it; null if unknown
 * @param resourceKind the kind of thing it was done to, for example {@code api-key}
 * @param resourceId the id of that thing; null if there is none or it is not known to exist
 * @param resourceVersion the version of the resource that a change has created; null for other events
 * @param clientAddress where the request came from; null without a request
 * @param userAgent the header {@code User-Agent} of the request; null if unknown
 * @param traceId the trace of the request; null if unknown
 * @param attributes further facts, a JSON object
 * @since 0.1.0
 */
public record StoredAuditEvent(
        Authenticity authenticity,
        long chain,
        long sequence,
        Instant time,
        String event,
        String outcome,
        @Nullable String reason,
        @Nullable String actor,
        String resourceKind,
        @Nullable String resourceId,
        @Nullable Long resourceVersion,
        @Nullable String clientAddress,
        @Nullable String userAgent,
        @Nullable String traceId,
        String attributes) {

    /** Whether a row of the log is what the application has stored. */
    public enum Authenticity {
        /** The application has stored this entry at this place. */
        AUTHENTIC("authentic"),
        /** The row was changed, moved or forged, or the row before it in its chain was changed or removed. */
        ALTERED("altered"),
        /** The keyring lacks the key of the entry. The row may be forged. */
        UNVERIFIABLE("unverifiable");

        private final String text;

        Authenticity(String text) {
            this.text = text;
        }

        /** Returns the value as text, for example {@code authentic}. */
        public String text() {
            return text;
        }
    }
}
