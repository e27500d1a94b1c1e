package io.credential.apikey.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.transaction.TransactionException;

import io.credential.storage.DatabaseFault;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Collects when keys were used, so that verifying writes nothing: the latest use of each key waits here until
 * {@link #flush()}. A use stays until it is written. Bounded: at capacity, uses of further keys are dropped and counted.
 */
final class LastUses {

    private static final Logger LOG = LoggerFactory.getLogger(LastUses.class);
    private static final int BATCH = 500;
    private static final Comparator<Use> BY_ID = Comparator.comparing(
                    (Use use) -> use.key().namespace())
            .thenComparing(use -> use.key().id());

    /** Instead of a time in {@link #pending}: the time was written, and another must not be put in its place. */
    private static final long WRITTEN = Long.MIN_VALUE;

    private static final String TOUCH = """
            UPDATE _credential_api_keys SET last_used_at = :usedAt
            WHERE namespace = :namespace AND id = :id AND (last_used_at IS NULL OR last_used_at < :usedAt)""";

    private final CredentialDatabase database;
    private final int capacity;
    /** The times are changed in place: the map would lock for each verification. */
    private final Map<Key, AtomicLong> pending = new ConcurrentHashMap<>();

    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean firstUsePending;
    private volatile boolean writeThrough;

    LastUses(CredentialDatabase database, int capacity) {
        this.database = database;
        this.capacity = capacity;
    }

    /** Notes a use; the first use of a key requests an early flush. */
    void used(String namespace, String id, long usedAt, boolean first) {
        Key key = new Key(namespace, id);
        AtomicLong latest = pending.get(key);
        if (latest == null && pending.size() >= capacity) {
            if (dropped.getAndIncrement() == 0) {
                LOG.warn(
                        "More than {} keys were used since the last flush; further last-used times are dropped",
                        capacity);
            }
            return;
        }
        if (latest == null || !moveForward(latest, usedAt)) {
            pending.merge(
                    key, new AtomicLong(usedAt), (present, added) -> moveForward(present, usedAt) ? present : added);
        }
        if (first) {
            firstUsePending = true;
        }
        if (writeThrough) {
            flushQuietly();
        }
    }

    /** Returns false if the time was written meanwhile. */
    private static boolean moveForward(AtomicLong latest, long usedAt) {
        long before = latest.get();
        while (before != WRITTEN) {
            if (before >= usedAt || latest.compareAndSet(before, usedAt)) {
                return true;
            }
            before = latest.get();
        }
        return false;
    }

    /** Returns when a key was last used, stored or still pending; null for never. */
    @Nullable Long latest(ApiKeyRow row) {
        AtomicLong waiting = pending.get(new Key(row.namespace(), row.id()));
        Long stored = row.lastUsedAt();
        long latest = waiting == null ? WRITTEN : waiting.get();
        if (latest == WRITTEN) {
            return stored;
        }
        return stored == null ? latest : Math.max(latest, stored);
    }

    boolean isFirstUsePending() {
        return firstUsePending;
    }

    /** From now on, uses wait for the next flush, as they do initially. */
    void collect() {
        writeThrough = false;
    }

    /** From now on, every use is written immediately: nothing flushes until uses are collected again. */
    void writeThrough() {
        writeThrough = true;
        flushQuietly();
    }

    /**
     * Writes pending uses.
     *
     * @throws DataAccessException if that fails; uses that are not written stay pending
     */
    void flush() {
        firstUsePending = false;
        List<Use> uses = pending.entrySet().stream()
                .map(entry -> new Use(
                        entry.getKey(), entry.getValue(), entry.getValue().get()))
                .filter(use -> use.usedAt() != WRITTEN) // by a flush at the same time
                .sorted(BY_ID)
                .toList();
        for (int from = 0; from < uses.size(); from += BATCH) {
            List<Use> batch = uses.subList(from, Math.min(from + BATCH, uses.size()));
            database.inTransaction(() -> touch(batch));
            batch.forEach(this::removeWritten);
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.warn("{} last-used times were dropped since the last flush", lost);
        }
    }

    /** A later use that came meanwhile stays. */
    private void removeWritten(Use use) {
        if (use.latest().compareAndSet(use.usedAt(), WRITTEN)) {
            pending.remove(use.key(), use.latest());
        }
    }

    /** Writes pending uses; a failure is logged, and uses that are not written stay pending. */
    void flushQuietly() {
        try {
            flush();
        } catch (DataAccessException | TransactionException e) {
            LOG.warn(
                    "{} last-used times could not be written and are kept for the next flush: {}",
                    pending.size(),
                    DatabaseFault.explain(e),
                    e);
        }
    }

    /** Moves last uses forward, never back; in the order of ids, so that two nodes never deadlock. */
    private int[] touch(List<Use> uses) {
        return database.batchUpdate(
                TOUCH,
                uses.stream()
                        .<SqlParameterSource>map(use -> new MapSqlParameterSource()
                                .addValue("namespace", use.key().namespace())
                                .addValue("id", use.key().id())
                                .addValue("usedAt", use.usedAt()))
                        .toList());
    }

    /** @param usedAt what {@code latest} was when it was read to be written */
    private record Use(Key key, AtomicLong latest, long usedAt) {}

    private record Key(String namespace, String id) {

        /** Written out like {@link ApiKeyRow.Identity#equals}. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && id.equals(that.id) && namespace.equals(that.namespace);
        }

        /** Ids are random, so their hash is enough, and {@code String} caches it. */
        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }
}
