package io.credential.apikey.internal;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.apikey.internal.cache.InvalidatedCache;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Keeps the rows of accepted keys in memory, for all registries, in two ways:
 *
 * <ul>
 *   <li>A <em>cached</em> row need not be read, because no node has changed it. There are none in transactions, nor while
 *       notifications do not arrive.
 *   <li>An <em>opened</em> row need not be authenticated and opened again, once it is read. It holds for exactly that row, so
 *       nothing invalidates it.
 * </ul>
 *
 * Thread-safe.
 */
final class KeyRowCache implements AutoCloseable {

    /** Enough for about 8,000 rows with little metadata; roughly the bytes that they take. */
    private static final int MAX_WEIGHT = 20_000_000;

    private final CredentialDatabase database;
    private final @Nullable InvalidatedCache<Opened> cached;

    private final Cache<Identity, Opened> opened = Caffeine.newBuilder()
            .maximumWeight(MAX_WEIGHT)
            .weigher((Identity key, Opened value) -> value.weight())
            .executor(Runnable::run)
            .build();

    /** @param cached by namespace and id; null to read every row, and to notify no node of changes */
    KeyRowCache(CredentialDatabase database, @Nullable InvalidatedCache<Opened> cached) {
        this.database = database;
        this.cached = cached;
    }

    /** Caches rows from now on. */
    void start() {
        if (cached != null) {
            cached.start();
        }
    }

    /** Caches no rows until it is started again. Opened rows stay. */
    @Override
    public void close() {
        if (cached != null) {
            cached.close();
        }
    }

    /** Returns a row as it was read before, if no node has changed it since; null if it must be read. */
    @Nullable Opened cached(String namespace, String id) {
        return cached == null || database.isInTransaction() ? null : cached.get(key(namespace, id));
    }

    /**
     * Call it before a row is read that {@link #keepCached} is to keep.
     *
     * @return null if it cannot be cached: a transaction may see what is never committed
     */
    InvalidatedCache.@Nullable Load beginRead(String namespace, String id) {
        return cached == null || database.isInTransaction() ? null : cached.begin(key(namespace, id));
    }

    /**
     * Caches a row, unless it was changed since the load began.
     *
     * @param row as it was read, perhaps with a later last use
     */
    void keepCached(InvalidatedCache.@Nullable Load load, ApiKeyRow row, KeyContents contents) {
        if (cached != null && load != null) {
            cached.put(load, new Opened(row, contents));
        }
    }

    /**
     * Removes a key from the caches of all nodes, even if the commit fails or nothing changes: an earlier notification may have
     * been lost, or sent before its commit took effect.
     */
    void invalidate(String namespace, String id) {
        InvalidatedCache<Opened> shared = cached;
        if (shared != null) {
            database.afterCompletion(() -> shared.invalidate(key(namespace, id)));
        }
    }

    /**
     * Returns the contents of a row that was authentic and opened before, if every column has the value that it had then; null
     * otherwise. Neither MAC nor ciphers are computed, so the time taken tells whether the row was read before.
     */
    @Nullable KeyContents opened(ApiKeyRow row) {
        Opened before = opened.getIfPresent(row.identity());
        return before != null && before.row().equalsButLastUse(row) ? before.contents() : null;
    }

    /** Keeps the contents of an authentic row. */
    void keepOpened(ApiKeyRow row, KeyContents contents) {
        opened.put(row.identity(), new Opened(row, contents));
    }

    private static String key(String namespace, String id) {
        return namespace + '/' + id;
    }

    /** An authentic row and what it contained. */
    record Opened(ApiKeyRow row, KeyContents contents) {

        private static final int USUAL_WEIGHT = 4000;

        /** Returns roughly its bytes: JSON of many small values takes up to ten times its characters when it is parsed. */
        int weight() {
            Cells cells = row.cells();
            return 2000 + 10 * (cells.scopes().length() + cells.metadata().length());
        }

        /** As how many rows with little metadata it counts. */
        int size() {
            return 1 + weight() / USUAL_WEIGHT;
        }
    }
}
