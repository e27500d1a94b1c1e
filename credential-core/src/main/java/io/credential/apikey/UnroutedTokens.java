package io.credential.apikey;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.credential.audit.AuditTrail;

/**
 * Counts tokens that belong to no registry: anybody can send any number of them, so the audit trail gets a sum now and
 * then instead of an event each.
 */
final class UnroutedTokens {

    private final AuditTrail audit;
    private final LongAdder malformed = new LongAdder();
    private final LongAdder foreign = new LongAdder();

    UnroutedTokens(AuditTrail audit) {
        this.audit = audit;
    }

    void countMalformed() {
        malformed.increment();
    }

    void countForeign() {
        foreign.increment();
    }

    /** Reports what was counted since the last report. */
    void report() {
        report("malformed", malformed);
        report("foreign-namespace", foreign);
    }

    private void report(String reason, LongAdder counter) {
        long count = counter.sumThenReset();
        if (count > 0) {
            audit.failure(ApiKeyVerifier.OPERATION, reason, null, Map.of("count", count));
        }
    }
}
