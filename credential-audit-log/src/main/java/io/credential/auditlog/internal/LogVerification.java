package io.credential.auditlog.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.auditlog.AuditFinding;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.internal.AuditEntry.Stored;
import io.credential.auditlog.internal.EntryStore.Position;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.storage.internal.JsonText;

/**
 * One verification of the log. First reads every chain from its beginning, then the changes of resources by their index.
 * The values of an entry are not used before it is known to be authentic. Memory does not grow with the log. Not
 * thread-safe.
 */
final class LogVerification {

    private static final int PAGE = 500;

    private final EntryStore store;
    private final RowMac macs;
    private final Function<Collection<String>, Map<String, Long>> versions;
    private final AuditHead exported;
    private final Findings findings = new Findings();
    private final VerifiedChains chains;

    private long entries;

    LogVerification(
            EntryStore store,
            RowMac macs,
            Function<Collection<String>, Map<String, Long>> versions,
            AuditHead exported) {
        this.store = store;
        this.macs = macs;
        this.versions = versions;
        this.exported = exported;
        this.chains = new VerifiedChains(macs);
    }

    AuditVerification run() {
        List<Long> numbers = store.chains();
        List<Stored> lasts = store.lasts(numbers);
        exported.ends().forEach(end -> requireStored(end, Kind.TRUNCATED));
        rejectStray(numbers);
        long expected = 1;
        for (Stored last : lasts) {
            long chain = last.entry().chain();
            for (; expected < chain; expected++) {
                findings.add(Kind.MISSING, expected, 1, null);
            }
            verifyChain(chain, last.entry().seq());
            expected = chain + 1;
        }
        chains.requireVerified(findings);
        new ChangeVerification(store, macs, versions, findings, chains).run();
        return new AuditVerification(entries, findings.all(), chains.head());
    }

    /** Rejects rows with numbers that no writer uses, and that are therefore in no chain. */
    private void rejectStray(List<Long> numbers) {
        store.outside().ifPresent(this::rejectStray);
        for (long chain : numbers) {
            store.beforeChain(chain).ifPresent(this::rejectStray);
            store.beforeChain(chain + 1).ifPresent(this::rejectStray);
        }
    }

    private void rejectStray(Position row) {
        findings.add(Kind.ALTERED, row.chain(), row.seq(), null);
    }

    /** A page takes milliseconds, and the whole log minutes. */
    static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("The verification of the audit log was interrupted");
        }
    }

    /** Follows a chain up to the first entry that is not authentic. */
    private void verifyChain(long chain, long last) {
        String digest = AuditEntry.START;
        long seq = 0;
        while (seq < last) {
            requireNotInterrupted();
            List<Stored> page = store.page(chain, seq, last, PAGE);
            if (page.isEmpty()) {
                findings.add(Kind.MISSING, chain, seq + 1, null);
                return;
            }
            for (Stored stored : page) {
                seq++;
                if (stored.entry().seq() != seq) {
                    findings.add(Kind.MISSING, chain, seq, null);
                    return;
                }
                if (!stored.follows(digest) || !mayBeAuthentic(stored)) {
                    // Or one before it, under a key that the keyring lacks.
                    findings.add(Kind.ALTERED, chain, chains.verifiedTo(chain) + 1, null);
                    return;
                }
                digest = stored.digest();
                entries++;
            }
        }
    }

    /**
     * Whether the MAC is right, or under a key that the keyring lacks. Then a later entry confirms it: nobody who appends an
     * entry, or names one, does so without having verified the MAC of the last.
     */
    private boolean mayBeAuthentic(Stored stored) {
        try {
            if (!stored.link().isAuthentic(macs)) {
                return false;
            }
        } catch (UnknownSealKeyException e) {
            chains.add(stored, false);
            return true;
        }
        chains.add(stored, true);
        AuditEntry entry = stored.entry();
        if (entry.name().equals(ChainWriter.OPEN)) {
            heads(entry).ifPresent(heads -> heads.ends().forEach(named -> requireStored(named, Kind.MISSING)));
        } else if (entry.name().equals(ChainWriter.LOST) && !isExported(entry)) {
            findings.add(Kind.LOST, entry.chain(), entry.seq(), null);
        }
        return true;
    }

    private boolean isExported(AuditEntry entry) {
        return exported.ends().stream().anyMatch(end -> end.chain() == entry.chain() && end.sequence() >= entry.seq());
    }

    /** Returns the ends that an authentic opening entry names; the application could have events of this name. */
    private static Optional<AuditHead> heads(AuditEntry opening) {
        try {
            return JsonText.readObject(opening.attributes()).get(ChainWriter.HEADS) instanceof String heads
                    ? Optional.of(AuditHead.parse(heads))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Checks an entry of any chain that is known from elsewhere. Whether its digest is right is seen in its chain. */
    private void requireStored(AuditHead.End end, Kind ifAbsent) {
        Optional<String> digest = store.digest(end.chain(), end.sequence());
        if (digest.isEmpty()) {
            findings.add(ifAbsent, end.chain(), end.sequence(), null);
        } else if (!digest.get().equals(end.digest())) {
            findings.add(Kind.ALTERED, end.chain(), end.sequence(), null);
        } else {
            chains.confirm(end);
        }
    }

    static final class Findings {

        private static final int MAX = 1000;

        private final List<AuditFinding> all = new ArrayList<>();

        void add(Kind kind, long chain, long seq, @Nullable String resourceId) {
            AuditFinding finding = new AuditFinding(kind, chain, seq, resourceId);
            if (all.size() < MAX && !all.contains(finding)) {
                all.add(finding);
            }
        }

        List<AuditFinding> all() {
            return all;
        }
    }
}
