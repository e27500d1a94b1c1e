package io.credential.apikey;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.CredentialDatabase;

/**
 * Collects when keys were used, so that verifying writes nothing: the latest use of each key waits here until
 * {@link #flush()}. A use stays until it is written. Bounded: at capacity, uses of further keys are dropped and counted.
 */
final class LastUses {

    private static final Logger LOG = LoggerFactory.getLogger(LastUses.class);
    private static final int BATCH = 500;
    private static final Comparator<LastUse> BY_ID =
            Comparator.comparing(LastUse::namespace).thenComparing(LastUse::id);

    private final CredentialDatabase database;
    private final JdbcApiKeyStore store;
    private final int capacity;
    private final Map<Key, Long> pending = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean firstUsePending;
    private volatile boolean writeThrough;

    LastUses(CredentialDatabase database, JdbcApiKeyStore store, int capacity) {
        this.database = database;
        this.store = store;
        this.capacity = capacity;
    }

    /** Notes a use; the first use of a key asks for a soon flush. */
    void used(String namespace, String id, long usedAt, boolean first) {
        Key key = new Key(namespace, id);
        if (pending.size() >= capacity && !pending.containsKey(key)) {
            if (dropped.getAndIncrement() == 0) {
                LOG.warn(
                        "More than {} keys were used since the last flush; further last-used times are dropped",
                        capacity);
            }
            return;
        }
        pending.merge(key, usedAt, Math::max);
        if (first) {
            firstUsePending = true;
        }
        if (writeThrough) {
            flushQuietly();
        }
    }

    /** When a key was last used, stored or still pending; null for never. */
    @Nullable Long latest(ApiKeyRow row) {
        Long waiting = pending.get(new Key(row.namespace(), row.id()));
        Long stored = row.lastUsedAt();
        if (waiting == null || stored == null) {
            return waiting == null ? stored : waiting;
        }
        return Math.max(waiting, stored);
    }

    boolean isFirstUsePending() {
        return firstUsePending;
    }

    /** From now on uses wait for the next flush, as they do at first. */
    void collect() {
        writeThrough = false;
    }

    /** From now on every use is written at once: nobody will flush until uses are collected again. */
    void writeThrough() {
        writeThrough = true;
        flushQuietly();
    }

    /**
     * Writes what waits.
     *
     * @throws DataAccessException if that fails; uses that are not written stay pending
     */
    void flush() {
        firstUsePending = false;
        List<LastUse> uses = pending.entrySet().stream()
                .map(entry ->
                        new LastUse(entry.getKey().namespace(), entry.getKey().id(), entry.getValue()))
                .sorted(BY_ID)
                .toList();
        for (int from = 0; from < uses.size(); from += BATCH) {
            List<LastUse> batch = uses.subList(from, Math.min(from + BATCH, uses.size()));
            database.inTransaction(() -> {
                store.touch(batch);
                return batch.size();
            });
            // A later use that came meanwhile has another value and stays.
            batch.forEach(use -> pending.remove(new Key(use.namespace(), use.id()), use.usedAt()));
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.warn("{} last-used times were dropped since the last flush", lost);
        }
    }

    /** Writes pending uses; a failure is logged, and uses that are not written stay pending. */
    void flushQuietly() {
        try {
            flush();
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("{} last-used times could not be written and are kept for the next flush", pending.size(), e);
        }
    }

    private record Key(String namespace, String id) {}
}
