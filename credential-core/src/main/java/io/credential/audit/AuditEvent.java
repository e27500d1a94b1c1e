package io.credential.audit;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * One audited operation. Never holds a token, a secret or a hash.
 *
 * @param name what was done, for example {@code apikey.issue}
 * @param outcome whether it succeeded
 * @param reason why it failed, a stable word such as {@code revoked}; null on success
 * @param actor who did it, as far as known; null when unknown
 * @param resourceKind the kind of thing it was done to, for example {@code api-key}
 * @param resourceId the id of that thing; null when there is none or it is not known to exist
 * @param time when, by the clock of the component that reports it
 * @param attributes further facts by name; values print without secrets
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

        /** The word in which the outcome is written: {@code success} or {@code failure}. */
        public String text() {
            return text;
        }
    }
}
