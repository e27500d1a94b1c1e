package io.credential.auditlog;

import org.jspecify.annotations.Nullable;

/**
 * Something that a verification of the audit log has found.
 *
 * @param kind what is wrong
 * @param chain the chain
 * @param sequence the first entry of the chain that is affected, or for a resource, its latest entry; 0 if entries of the
 *     chain were changed or removed while the log was verified
 * @param resourceId the id of the resource; null if the finding is about an entry
 * @since 0.1.0
 */
public record AuditFinding(
        Kind kind, long chain, long sequence, @Nullable String resourceId) {

    /** What can be wrong. */
    public enum Kind {
        /**
         * The entry was changed, moved, or not written by the application. Nothing after it in its chain is trusted. With
         * the id of a resource: its row is not authentic, or the keyring lacks its key.
         */
        ALTERED,
        /** The entry, or the chain that would begin with it, is missing. Nothing after it in its chain is trusted. */
        MISSING,
        /** The application could not store events, and has stored their number in this entry after the exported head. */
        LOST,
        /** The chain ends before the entry at which it ended when the head was exported. */
        TRUNCATED,
        /**
         * The keyring lacks the key of the last entries of the chain, beginning with this one, and no later entry confirms
         * them.
         */
        UNVERIFIABLE,
        /**
         * The entry changed a version of the resource that had been changed before, or the resource has an earlier version
         * than the entry: an older row was put back.
         */
        RESTORED,
        /**
         * The version of the resource that the entry changed, or its current one, has no entry. The event was lost, for
         * example in a crash, or not audited; or the resource was changed with the keyring, but without this log.
         */
        UNRECORDED
    }
}
