package io.credential.auditlog.internal;

import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.internal.AuditEntry.Stored;
import io.credential.seal.internal.RowMac;

/** Records how far each chain of the log is verified. Not thread-safe. */
final class VerifiedChains {

    private static final int RADIX = 16;
    private static final int DIGITS = 16;

    private final RowMac macs;
    private final TreeMap<Long, Chain> chains = new TreeMap<>();

    VerifiedChains(RowMac macs) {
        this.macs = macs;
    }

    private static final class Chain {

        /** The last entry up to which every digest is right. */
        private long followed;

        /** The last entry that is authentic, or that an authentic entry confirms; so are those before it. */
        private AuditHead.@Nullable End verified;

        /** The last entry that another chain or the exported head names. */
        private AuditHead.@Nullable End confirmed;

        /** Differs if entries of changes were altered, removed or added, in whatever order they are read. */
        private long changes;

        private long verifiedTo() {
            return verified == null ? 0 : verified.sequence();
        }
    }

    private Chain chain(long number) {
        return chains.computeIfAbsent(number, absent -> new Chain());
    }

    /** Adds the next entry of a chain, whose digest is right. */
    void add(Stored stored, boolean authentic) {
        Chain chain = chain(stored.entry().chain());
        chain.followed = stored.entry().seq();
        if (authentic) {
            chain.verified = stored.link().end();
        }
        if (stored.entry().version() != null) {
            chain.changes += fingerprint(stored);
        }
    }

    void confirm(AuditHead.End end) {
        Chain chain = chain(end.chain());
        if (chain.confirmed == null || chain.confirmed.sequence() < end.sequence()) {
            chain.confirmed = end;
        }
    }

    /** Requires that the last entries of each chain are authentic or confirmed, after all chains were read. */
    void requireVerified(LogVerification.Findings findings) {
        chains.forEach((number, chain) -> {
            AuditHead.End end = chain.confirmed;
            if (end != null && end.sequence() <= chain.followed && end.sequence() > chain.verifiedTo()) {
                chain.verified = end;
            }
            if (chain.verifiedTo() < chain.followed) {
                findings.add(Kind.UNVERIFIABLE, number, chain.verifiedTo() + 1, null);
            }
        });
    }

    /** Returns the last entry of a chain that is known to be verified; 0 if there is none. */
    long verifiedTo(long chain) {
        return chain(chain).verifiedTo();
    }

    /** Notes that a verified entry of a change was read again. */
    void readAgain(Stored change) {
        chain(change.entry().chain()).changes -= fingerprint(change);
    }

    /** Requires that exactly the changes of the chains were read again: otherwise they were changed meanwhile. */
    void requireReadAgain(LogVerification.Findings findings) {
        chains.forEach((number, chain) -> {
            if (chain.changes != 0 && chain.verifiedTo() == chain.followed) {
                findings.add(Kind.MISSING, number, 0, null);
            }
        });
    }

    AuditHead head() {
        return new AuditHead(chains.values().stream()
                .flatMap(chain -> Stream.ofNullable(chain.verified))
                .toList());
    }

    /** A MAC, so that nobody can choose entries with a given sum. */
    private long fingerprint(Stored change) {
        String mac = change.entry().mac(change.digest(), macs);
        return Long.parseUnsignedLong(mac.substring(mac.length() - DIGITS), RADIX);
    }
}
