package io.credential.auditlog;

import java.util.List;
import java.util.Objects;

/**
 * The result of a verification of the audit log.
 *
 * @param entries how many entries were verified
 * @param findings what is wrong, in the order of discovery; at most the first 1,000 findings
 * @param head the ends of the chains up to which they were verified
 * @since 0.1.0
 */
public record AuditVerification(long entries, List<AuditFinding> findings, AuditHead head) {

    /** The list is copied. */
    public AuditVerification {
        findings = List.copyOf(Objects.requireNonNull(findings, "The findings must not be null"));
        Objects.requireNonNull(head, "The head must not be null");
    }

    /** Whether nothing is wrong. */
    public boolean isIntact() {
        return findings.isEmpty();
    }
}
