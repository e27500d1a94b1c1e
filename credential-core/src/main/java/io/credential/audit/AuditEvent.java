package io.credential.audit;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditText;

/**
 * One audited operation. Never contains a token, a secret or a hash: a token in any text is masked, since callers
 * choose names and ids. Attributes are searched with their nested maps, collections and arrays. Any other value whose
 * text contains a token is replaced by the masked text. An attribute that cannot be searched is replaced by
 * {@code (omitted)}.
 *
 * @param name what was done, for example {@code apikey.issue}
 * @param outcome whether it succeeded
 * @param reason why it failed, a stable word such as {@code revoked}; null on success
 * @param actor who did it; null if unknown
 * @param resourceKind the kind of thing it was done to, for example {@code api-key}
 * @param resourceId the id of that thing; null if there is none or it is not known to exist
 * @param time when it was done, by the clock of the component that reports it
 * @param attributes further facts by name; their text contains no secrets
 * @param origin where the request came from; {@link AuditOrigin#UNKNOWN} without a request
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
        Map<String, Object> attributes,
        AuditOrigin origin) {

    /**
     * The attribute with the version of the resource that a change has created, a {@code Long}. Versions of a resource count
     * up from 1.
     */
    public static final String VERSION = "version";

    /**
     * The version after the last change of a resource whose stored version is not authentic. No authentic version may
     * follow.
     */
    public static final long FINAL_VERSION = Long.MAX_VALUE;

    public AuditEvent {
        Objects.requireNonNull(name, "The name must not be null");
        Objects.requireNonNull(outcome, "The outcome must not be null");
        Objects.requireNonNull(resourceKind, "The kind of the resource must not be null");
        Objects.requireNonNull(time, "The time must not be null");
        Objects.requireNonNull(origin, "The origin must not be null");
        reason = AuditText.masked(reason);
        actor = AuditText.masked(actor);
        resourceId = AuditText.masked(resourceId);
        attributes = attributes.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, attribute -> MaskedValue.of(attribute.getValue())));
    }

    /** Creates an event without an origin. */
    public AuditEvent(
            String name,
            Outcome outcome,
            @Nullable String reason,
            @Nullable String actor,
            String resourceKind,
            @Nullable String resourceId,
            Instant time,
            Map<String, Object> attributes) {
        this(name, outcome, reason, actor, resourceKind, resourceId, time, attributes, AuditOrigin.UNKNOWN);
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
