package io.credential.audit;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One audited operation. Never contains a token, a secret or a hash.
 *
 * @param name what was done, for example {@code apikey.issue}
 * @param outcome whether it succeeded
 * @param reason why it failed, a stable word such as {@code revoked}; null on success
 * @param actor who did it; null if unknown
 * @param resourceKind the kind of thing it was done to, for example {@code api-key}
 * @param resourceId the id of that thing; null if there is none or it is not known to exist
 * @param time when it was done, by the clock of the component that reports it
 * @param attributes further facts by name; their text contains no secrets
 * @since 0.1.0
 */
public record AuditEvent(
        String name,
        Outcome outcome,
        @Nullable String reason,
        @Nullable String actor,
        String resourceKind,
        @Nullable String resourceId,
        Instant time,
        Map<String, Object> attributes) {

    public AuditEvent {
        attributes = Map.copyOf(attributes);
    }

    /** Whether the audited operation succeeded. */
    public enum Outcome {
        SUCCESS("success"),
        FAILURE("failure");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        /** Returns the outcome as text: {@code success} or {@code failure}. */
        public String text() {
            return text;
        }
    }
}
