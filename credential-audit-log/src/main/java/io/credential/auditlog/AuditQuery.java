package io.credential.auditlog;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditEvent;

/**
 * Selects entries of the audit log. An entry must meet all criteria, which are compared exactly. Immutable: every method
 * returns a new value.
 *
 * @param event the name of the event, for example {@code apikey.issue}; null for any
 * @param outcome null for any
 * @param actor null for any
 * @param resourceKind the kind of the resource, for example {@code api-key}; null for any
 * @param resourceId the id of the resource; null for any
 * @param from the earliest time; null for any
 * @param before the end of the time, exclusive; null for any
 * @param limit how many entries a page has at most, 1 to 1000
 * @param cursor of the page before; null for the first page
 * @since 0.1.0
 */
public record AuditQuery(
        @Nullable String event,
        AuditEvent.@Nullable Outcome outcome,
        @Nullable String actor,
        @Nullable String resourceKind,
        @Nullable String resourceId,
        @Nullable Instant from,
        @Nullable Instant before,
        int limit,
        @Nullable String cursor) {

    /** The default size of a page. */
    public static final int DEFAULT_LIMIT = 100;

    private static final int MAX_LIMIT = 1000;

    private static final AuditQuery ALL = new AuditQuery(null, null, null, null, null, null, null, DEFAULT_LIMIT, null);

    /** @throws IllegalArgumentException if the limit is out of range, or {@code from} is not before {@code before} */
    public AuditQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("The limit must be 1 to " + MAX_LIMIT + ", not " + limit);
        }
        if (from != null && before != null && !from.isBefore(before)) {
            throw new IllegalArgumentException("The start " + from + " must be before the end " + before);
        }
    }

    /** Selects the first page of all entries. */
    public static AuditQuery all() {
        return ALL;
    }

    /** Selects entries of one event. */
    public AuditQuery withEvent(String event) {
        Objects.requireNonNull(event, "The event must not be null");
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }

    /** Selects entries with one outcome. */
    public AuditQuery withOutcome(AuditEvent.Outcome outcome) {
        Objects.requireNonNull(outcome, "The outcome must not be null");
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }

    /** Selects entries of one actor. */
    public AuditQuery withActor(String actor) {
        Objects.requireNonNull(actor, "The actor must not be null");
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }

    /**
     * Selects entries about one kind of resources, or one resource.
     *
     * @param id null for all of the kind
     */
    public AuditQuery withResource(String kind, @Nullable String id) {
        Objects.requireNonNull(kind, "The kind of the resource must not be null");
        return new AuditQuery(event, outcome, actor, kind, id, from, before, limit, cursor);
    }

    /**
     * Selects entries of a time.
     *
     * @param from the earliest time; null for any
     * @param before the end, exclusive; null for any
     * @throws IllegalArgumentException if the start is not before the end
     */
    public AuditQuery between(@Nullable Instant from, @Nullable Instant before) {
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }

    /** @throws IllegalArgumentException if the limit is out of range */
    public AuditQuery withLimit(int limit) {
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }

    /**
     * Selects the page after the one that returned this cursor. With other criteria, the search continues with the entries
     * before that position.
     *
     * @param cursor null for the first page
     */
    public AuditQuery after(@Nullable String cursor) {
        return new AuditQuery(event, outcome, actor, resourceKind, resourceId, from, before, limit, cursor);
    }
}
