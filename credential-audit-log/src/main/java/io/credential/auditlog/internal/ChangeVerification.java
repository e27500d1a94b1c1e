package io.credential.auditlog.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.credential.audit.AuditEvent;
import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.internal.EntryStore.Change;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.UnknownSealKeyException;

/**
 * Verifies that every version of a resource was created once, and that its row has the latest one. If an older row is put
 * back, its next change creates a version that exists already, so that this is found even later. Not thread-safe.
 */
final class ChangeVerification {

    private static final int PAGE = 500;

    /** How long to wait for entries of recent changes, which are stored a little after the commit. */
    private static final long ON_THEIR_WAY_MILLIS = 1000;

    private static final int MAX_SUSPECTS = 1000;

    private final EntryStore store;
    private final RowMac macs;
    private final Function<Collection<String>, Map<String, Long>> versions;
    private final LogVerification.Findings findings;
    private final VerifiedChains chains;

    /** The latest entries of resources whose row is still to be read, by resource id. */
    private final Map<String, AuditEntry> latest = new LinkedHashMap<>();

    private final List<Suspect> suspects = new ArrayList<>();

    ChangeVerification(
            EntryStore store,
            RowMac macs,
            Function<Collection<String>, Map<String, Long>> versions,
            LogVerification.Findings findings,
            VerifiedChains chains) {
        this.store = store;
        this.macs = macs;
        this.versions = versions;
        this.findings = findings;
        this.chains = chains;
    }

    /** A resource whose row is newer than its latest entry. */
    private record Suspect(AuditEntry latest, long version) {}

    void run() {
        List<Change> page = store.changesAfter("", Long.MIN_VALUE, 0, 0, PAGE);
        while (!page.isEmpty()) {
            LogVerification.requireNotInterrupted();
            page.forEach(this::verify);
            AuditEntry end = page.get(page.size() - 1).stored().entry();
            page = store.changesAfter(idOf(end), versionOf(end), end.chain(), end.seq(), PAGE);
        }
        chains.requireReadAgain(findings);
        compareWithRows();
        reportUnrecorded();
    }

    private void verify(Change change) {
        AuditEntry entry = change.stored().entry();
        if (!isVerified(entry)) {
            return; // newer than this verification, or behind an entry that is not authentic
        }
        if (!isAuthentic(change)) {
            findings.add(Kind.ALTERED, entry.chain(), entry.seq(), null); // since the chain was verified
            return;
        }
        chains.readAgain(change.stored());
        String id = idOf(entry);
        AuditEntry before = latest.get(id);
        if (before == null) {
            if (latest.size() >= PAGE) {
                compareWithRows();
            }
        } else if (versionOf(entry) != AuditEvent.FINAL_VERSION) {
            long step = versionOf(entry) - versionOf(before);
            if (step != 1) {
                findings.add(step < 1 ? Kind.RESTORED : Kind.UNRECORDED, entry.chain(), entry.seq(), id);
            }
        }
        latest.put(id, entry);
    }

    private boolean isVerified(AuditEntry entry) {
        return entry.seq() <= chains.verifiedTo(entry.chain());
    }

    private boolean isAuthentic(Change change) {
        try {
            return change.isAuthentic(macs);
        } catch (UnknownSealKeyException e) {
            return isVerified(change.stored().entry()); // by an entry after it
        }
    }

    /** A row that is missing may have been purged. */
    private void compareWithRows() {
        Map<String, Long> current = latest.isEmpty() ? Map.of() : versions.apply(List.copyOf(latest.keySet()));
        latest.forEach((id, entry) -> {
            Long version = current.get(id);
            if (version != null && version == 0) { // expected of a key that was revoked when its row was not authentic
                if (versionOf(entry) != AuditEvent.FINAL_VERSION) {
                    findings.add(Kind.ALTERED, entry.chain(), entry.seq(), id);
                }
            } else if (version != null && version < versionOf(entry)) {
                findings.add(Kind.RESTORED, entry.chain(), entry.seq(), id);
            } else if (version != null && version > versionOf(entry) && suspects.size() < MAX_SUSPECTS) {
                suspects.add(new Suspect(entry, version));
            }
        });
        latest.clear();
    }

    /** Waits first: changes may have been committed meanwhile. */
    private void reportUnrecorded() {
        if (suspects.isEmpty()) {
            return;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(ON_THEIR_WAY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LogVerification.requireNotInterrupted();
        }
        for (Suspect suspect : suspects) {
            AuditEntry entry = suspect.latest();
            if (store.change(idOf(entry), suspect.version())
                    .filter(this::isAuthentic)
                    .isEmpty()) {
                findings.add(Kind.UNRECORDED, entry.chain(), entry.seq(), idOf(entry));
            }
        }
    }

    private static String idOf(AuditEntry change) {
        return change.resourceId() == null ? "" : change.resourceId();
    }

    private static long versionOf(AuditEntry change) {
        return change.version() == null ? 0 : change.version();
    }
}
