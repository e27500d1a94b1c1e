package io.credential.auditlog;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of entries of the audit log. It may have fewer entries than the limit, or none, although others follow: a page
 * examines at most 5,000 entries. Only a page without a cursor is the last one. Immutable.
 *
 * @param entries the newest first
 * @param nextCursor for {@link AuditQuery#after}; null on the last page
 * @param examinedTo the time of the last entry that was examined: all later ones that match are on this page or before it;
 *     null on the last page
 * @since 0.1.0
 */
public record AuditPage(
        List<StoredAuditEvent> entries,
        @Nullable String nextCursor,
        @Nullable Instant examinedTo) {

    /** Copies the list. */
    public AuditPage {
        entries = List.copyOf(entries);
    }
}
