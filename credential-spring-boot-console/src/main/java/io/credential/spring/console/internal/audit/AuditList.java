package io.credential.spring.console.internal.audit;

import org.jspecify.annotations.Nullable;

import io.credential.auditlog.AuditPage;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.spring.operations.internal.AuditOperations.StoredVerification;
import io.credential.spring.operations.internal.AuditOperations.Verification;

/**
 * A page of the audit log.
 *
 * @param running the verification that runs on this node, or the last one since it started; null if there was none
 * @param last the last verification that is in the log; null if there was none
 */
public record AuditList(
        AuditFilter filter,
        AuditPage page,
        @Nullable Verification running,
        @Nullable StoredVerification last) {

    /** Returns whether the page ended before it was full, although more entries may match. */
    public boolean isCutShort() {
        return page.nextCursor() != null
                && page.entries().size() < filter.query().limit();
    }

    /** Returns whether the application has stored this entry. */
    public static boolean isAuthentic(StoredAuditEvent entry) {
        return entry.authenticity() == Authenticity.AUTHENTIC;
    }
}
