package io.credential.apikey.internal.usage;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.apikey.internal.usage.OpenCounts.Counted;
import io.credential.storage.DatabaseFault;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Counts the use of keys in memory, so that verifying writes nothing, until {@link #flush()} writes the counts. Each
 * count is written at most once: it stays until its statement has succeeded, and is lost if the database then does not
 * confirm the commit. Bounded: at capacity, the counts of further keys and days are dropped. Thread-safe.
 */
public final class UsageCounts implements UsageRecorder {

    private static final Logger LOG = LoggerFactory.getLogger(UsageCounts.class);
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    /** A power of two; with eight parameters each, within the limits of both databases. */
    static final int MAX_ROWS = 1024;

    private final CredentialDatabase database;
    private final JdbcUsageStore store;
    private final InstantSource clock;
    private final int capacity;
    private final Map<KeyDay, OpenCounts> open = new ConcurrentHashMap<>();

    /** The same counts, so that those that wait longest are written first. */
    private final Queue<OpenCounts> waiting = new ConcurrentLinkedQueue<>();

    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean failed;
    private volatile boolean writeThrough;

    /** @param capacity how many keys and days are counted at once */
    public UsageCounts(CredentialDatabase database, JdbcUsageStore store, InstantSource clock, int capacity) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.capacity = capacity;
    }

    /** Counts a request whose key was verified at a time in Unix milliseconds. */
    public void requested(String namespace, String id, long at) {
        count(namespace, id, at, OpenCounts.REQUESTS);
    }

    @Override
    public void rejected(String namespace, String id, RejectionCause cause) {
        count(namespace, id, clock.millis(), OpenCounts.counter(cause));
    }

    private void count(String namespace, String id, long at, int counter) {
        KeyDay key = new KeyDay(namespace, id, Math.floorDiv(at, DAY_MILLIS));
        OpenCounts counts = open.get(key);
        if (counts == null && open.size() >= capacity) {
            if (dropped.getAndIncrement() == 0) {
                LOG.warn(
                        "The usage of {} keys has not been written yet; requests of further keys are not counted",
                        capacity);
            }
            return;
        }
        if (counts == null || !counts.add(counter, 1)) {
            add(key, counter, 1);
        }
        if (writeThrough) {
            flushQuietly();
        }
    }

    private void add(KeyDay key, int counter, long count) {
        boolean added = false;
        while (!added) { // counts that were closed meanwhile have left the map
            OpenCounts counts = open.get(key);
            added = counts == null ? addFirst(key, counter, count) : counts.add(counter, count);
        }
    }

    private boolean addFirst(KeyDay key, int counter, long count) {
        OpenCounts first = OpenCounts.of(key, counter, count);
        if (open.putIfAbsent(key, first) != null) {
            return false;
        }
        waiting.add(first);
        return true;
    }

    /** Returns whether the last attempt to write failed. */
    public boolean hasFailed() {
        return failed;
    }

    /** From now on, counts wait for the next flush, as they do initially. */
    public void collect() {
        writeThrough = false;
    }

    /** Writes all counts; from now on, every count is written immediately: nothing flushes until they are collected again. */
    public void writeThrough() {
        writeThrough = true;
        int left = open.size();
        int written = 1;
        while (left > 0 && written > 0) {
            written = flushQuietly();
            left -= written;
        }
    }

    /** Writes counts as {@link #flush()} does; a failure is logged. */
    public int flushQuietly() {
        try {
            return flush();
        } catch (DataAccessException | TransactionException e) {
            LOG.warn(
                    "Could not write the usage of API keys; {} keys are retried: {}",
                    open.size(),
                    DatabaseFault.explain(e),
                    e);
            return 0;
        }
    }

    /**
     * Writes counts in one statement, if there are some: those that wait longest, up to {@link #MAX_ROWS}. The number of
     * rows is a power of two, so that there are few different statements to prepare; the next flush writes the others.
     *
     * @return of how many keys and days
     * @throws DataAccessException if that fails; the counts wait for the next flush, unless the statement succeeded
     * @throws TransactionException likewise
     */
    public int flush() {
        List<Counted> batch = take(Integer.highestOneBit(Math.min(open.size(), MAX_ROWS)));
        if (!batch.isEmpty()) {
            write(batch);
        }
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.warn(
                    "{} requests were not counted in the usage of their API keys since the last attempt to write",
                    lost);
        }
        return batch.size();
    }

    private List<Counted> take(int rows) {
        List<Counted> taken = new ArrayList<>(rows);
        while (taken.size() < rows) {
            OpenCounts next = waiting.poll();
            if (next == null) {
                break;
            }
            open.remove(next.key(), next);
            taken.add(next.close());
        }
        taken.sort(Comparator.comparing(Counted::key));
        return taken;
    }

    private void write(List<Counted> batch) {
        AtomicBoolean executed = new AtomicBoolean();
        boolean written = false;
        try {
            database.inTransaction(() -> {
                store.add(batch);
                executed.set(true);
                return true;
            });
            written = true;
        } finally {
            failed = !written;
            if (!written && executed.get()) {
                LOG.warn(
                        "The database did not confirm the usage of {} API keys; it may be missing, because counting it"
                                + " again could count it twice",
                        batch.size());
            } else if (!written) {
                batch.forEach(this::putBack);
            }
        }
    }

    /** Not limited by the capacity, which is exceeded by at most one batch. */
    private void putBack(Counted counted) {
        for (int counter = 0; counter < counted.counts().length; counter++) {
            long count = counted.counts()[counter];
            if (count > 0) {
                add(counted.key(), counter, count);
            }
        }
    }
}
