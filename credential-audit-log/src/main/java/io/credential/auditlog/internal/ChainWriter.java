package io.credential.auditlog.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.auditlog.AuditHead;
import io.credential.auditlog.internal.AuditEntry.Link;
import io.credential.auditlog.internal.AuditEntry.Stored;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.internal.RandomHex;

/**
 * Appends to a chain. Continues one that no other node seems to be using, or begins one. If another node uses it
 * nevertheless, the primary key rejects what this one inserts, and it takes another chain. Not thread-safe.
 */
final class ChainWriter {

    static final String OPEN = "audit.open";
    static final String CLOSE = "audit.close";
    static final String LOST = "audit.lost";
    static final String HEADS = "heads";

    private static final String RESOURCE = "audit-log";
    private static final int WRITER_BYTES = 8;

    /** A running node may be idle for longer. If another node then continues its chain, it takes another one. */
    private static final Duration IDLE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(ChainWriter.class);

    /** How many entries of a chain are searched for an authentic one at startup. */
    static final int SEARCHED = 5000;

    private final EntryStore store;
    private final RowMac macs;
    private final InstantSource clock;
    private final RandomHex random;
    private @Nullable Tail tail;

    /** The last entry of this node in the chain that it has left, until it is named in the next one. */
    private @Nullable Tail left;

    ChainWriter(EntryStore store, RowMac macs, InstantSource clock, RandomHex random) {
        this.store = store;
        this.macs = macs;
        this.clock = clock;
        this.random = random;
    }

    /**
     * The end of the chain of this node.
     *
     * @param opening the entry that this node has to begin with; null if it is stored
     */
    private record Tail(
            long chain, long seq, String digest, @Nullable AuditEvent opening) {}

    /**
     * Stores all events or none, after an opening entry if this node has no chain. If this fails, the outcome may be
     * unknown: call it again with the same events, which are then stored once.
     *
     * @throws DataAccessException if the database does not answer, or rejects a value
     * @throws TransactionException likewise
     */
    void append(List<AuditEvent> events) {
        while (!(opened() && appended(events))) {
            left = isOpen() ? tail : left;
            tail = null;
        }
    }

    /** Returns whether this node has a chain. Otherwise, the database rejected the opening entry. */
    boolean isOpen() {
        return tail != null && tail.opening() == null;
    }

    /** Ends the chain, so that the next node to start can continue it at once; does nothing if it never began. */
    void close() {
        if (isOpen()) {
            append(List.of(event(CLOSE, Outcome.SUCCESS, Map.of())));
        }
    }

    AuditEvent lost(long count) {
        return event(LOST, Outcome.FAILURE, Map.of("count", count));
    }

    private boolean opened() {
        if (tail == null) {
            tail = claimed();
        }
        if (tail.opening() != null && !appended(List.of(tail.opening()))) {
            return false;
        }
        left = null;
        return true;
    }

    /** Returns false if another node writes this chain. */
    private boolean appended(List<AuditEvent> events) {
        List<Stored> entries = entries(Objects.requireNonNull(tail), events);
        Stored first = entries.get(0);
        Stored last = entries.get(entries.size() - 1);
        try {
            store.insert(entries);
        } catch (DataAccessException | TransactionException e) {
            // The commit may have succeeded, now or at an earlier attempt.
            if (store.digest(first.entry().chain(), first.entry().seq()).isEmpty()) {
                throw e;
            }
            if (!store.digest(last.entry().chain(), last.entry().seq()).equals(Optional.of(last.digest()))) {
                return false;
            }
        }
        tail = new Tail(last.entry().chain(), last.entry().seq(), last.digest(), null);
        return true;
    }

    private List<Stored> entries(Tail before, List<AuditEvent> events) {
        List<Stored> entries = new ArrayList<>(events.size());
        String digest = before.digest();
        long seq = before.seq();
        for (AuditEvent event : events) {
            Stored stored = AuditEntry.of(before.chain(), ++seq, event).signed(digest, macs);
            entries.add(stored);
            digest = stored.digest();
        }
        return entries;
    }

    /**
     * The opening entry names the authentic ends of all chains, so that these cannot be cut or removed unnoticed later. An
     * entry whose MAC cannot be verified is neither named nor followed by another: that would confirm it.
     */
    private Tail claimed() {
        List<Long> chains = store.chains();
        List<Stored> lasts = store.lasts(chains);
        List<Stored> free =
                lasts.stream().filter(last -> isAuthentic(last.link())).toList();
        if (free.size() < lasts.size()) {
            LOG.warn(
                    "The ends of {} chains of the audit log were changed, or the keyring lacks their keys; these chains are"
                            + " not continued. Verify the audit log",
                    lasts.size() - free.size());
        }
        TreeMap<Long, AuditHead.End> ends = new TreeMap<>();
        for (Stored last : lasts) {
            lastAuthentic(last.link()).ifPresent(end -> ends.put(end.chain(), end));
        }
        nameLeft(ends);
        // The random id tells it from the opening entry of another node that claims the chain at the same time.
        AuditEvent opening = event(
                OPEN,
                Outcome.SUCCESS,
                Map.of(
                        "writer",
                        random.next(WRITER_BYTES),
                        HEADS,
                        new AuditHead(List.copyOf(ends.values())).toString()));
        long idleSince = clock.instant().minus(IDLE).toEpochMilli();
        Optional<Tail> closed = free.stream()
                .filter(last ->
                        last.entry().name().equals(CLOSE) || last.entry().recordedAt() < idleSince)
                .findFirst()
                .map(last -> after(last, opening));
        return closed.or(() -> unused(chains).map(chain -> new Tail(chain, 0, AuditEntry.START, opening)))
                .or(() -> free.stream()
                        .min(Comparator.comparingLong(last -> last.entry().recordedAt()))
                        .map(last -> after(last, opening)))
                .orElseThrow(() -> new IllegalStateException(
                        "No chain of the audit log ends with an authentic entry; verify it, and archive it"));
    }

    private static Tail after(Stored last, AuditEvent opening) {
        return new Tail(last.entry().chain(), last.entry().seq(), last.digest(), opening);
    }

    /** Returns the lowest chain without a row. Only these numbers are used: others may come from anybody. */
    private static Optional<Long> unused(List<Long> used) {
        return LongStream.rangeClosed(1, ChainLimits.MAX_CHAINS)
                .boxed()
                .filter(chain -> !used.contains(chain))
                .findFirst();
    }

    /**
     * Returns the last entry of a chain that is authentic. A chain whose key was removed from the keyring is not searched to
     * its beginning. Whoever adds more rows to hide an end could just as well remove it before the start.
     */
    private Optional<AuditHead.End> lastAuthentic(Link last) {
        if (isAuthentic(last)) {
            return Optional.of(last.end());
        }
        return store.linksBackwards(last.chain(), last.seq(), SEARCHED).stream()
                .filter(this::isAuthentic)
                .findFirst()
                .map(Link::end);
    }

    /** Names what this node has stored in the chain that it has left, unless a later entry of the chain shows it. */
    private void nameLeft(Map<Long, AuditHead.End> ends) {
        if (left == null) {
            return;
        }
        AuditHead.End own = new AuditHead.End(left.chain(), left.seq(), left.digest());
        AuditHead.End named = ends.get(own.chain());
        boolean isStored = store.digest(own.chain(), own.sequence()).equals(Optional.of(own.digest()));
        if (named == null || named.sequence() < own.sequence() || !isStored) {
            LOG.warn(
                    "Entries of this node in chain {} of the audit log were changed or removed; verify the audit log",
                    own.chain());
            ends.put(own.chain(), own);
        }
    }

    private boolean isAuthentic(Link link) {
        try {
            return link.isAuthentic(macs);
        } catch (UnknownSealKeyException e) {
            return false;
        }
    }

    private AuditEvent event(String name, Outcome outcome, Map<String, Object> attributes) {
        Instant now = clock.instant();
        return new AuditEvent(
                name, outcome, outcome == Outcome.FAILURE ? "overflow" : null, null, RESOURCE, null, now, attributes);
    }
}
