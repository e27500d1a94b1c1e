package io.credential.apikey.internal.cache;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;

/**
 * Holds what was read from the database until any node changes it. A node that changes a value invalidates it after the
 * commit, and the others are notified. While notifications do not arrive, nothing is cached. A value whose invalidation
 * is lost nevertheless is used until its time to live ends. Thread-safe.
 *
 * <p>What is read while a value is invalidated is not cached: a late {@link #put} cannot bring an old value back.
 *
 * @param <V> immutable values
 */
public final class InvalidatedCache<V> implements AutoCloseable {

    /** Keys that share a generation only prevent each other from being cached. */
    private static final int GENERATIONS = 4096;

    private static final long LONGEST_DELAY_MILLIS = Duration.ofHours(1).toMillis();

    private final String topic;
    private final int maxSize;
    private final Duration ttl;
    private final @Nullable NodeNotifications notifications;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Consumer<Duration> delays;
    private final Cache<String, Entry<V>> entries;
    private final AtomicLongArray generations = new AtomicLongArray(GENERATIONS);
    private final AtomicLong epoch = new AtomicLong();
    private volatile NodeNotifications.@Nullable Subscription subscription;
    private volatile boolean open;

    /**
     * @param topic under which nodes notify each other: that of no other cache
     * @param settings null to cache nothing, and only to notify the nodes that do
     * @param sizes as how many values of the usual size one counts, 1 or more
     * @param notifications of the nodes that change the values; null if only this one does
     * @param clock stamps what is sent, and compares what is received
     * @param nanoTime a monotonic clock, {@code System::nanoTime}
     * @param delays gets, for each invalidation from another node, the time since it was sent, by the clocks of both;
     *     must return at once
     */
    public InvalidatedCache(
            String topic,
            @Nullable CacheSettings settings,
            ToIntFunction<V> sizes,
            @Nullable NodeNotifications notifications,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Duration> delays) {
        this.topic = topic;
        this.maxSize = settings == null ? 0 : settings.maxSize();
        this.ttl = settings == null ? Duration.ZERO : settings.ttl();
        this.notifications = notifications;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.delays = delays;
        this.entries = Caffeine.newBuilder()
                .maximumWeight(maxSize)
                .weigher((String key, Entry<V> entry) -> sizes.applyAsInt(entry.value()))
                .expireAfterWrite(ttl)
                .executor(Runnable::run)
                .build();
    }

    /** Caches from now on, unless it has no settings. Does nothing if it does so already. */
    public synchronized void start() {
        if (open || maxSize == 0) {
            return;
        }
        if (notifications != null) {
            subscription = notifications.subscribe(topic, new Invalidations());
        }
        epoch.incrementAndGet(); // what began to be read before may have been changed unnoticed
        open = true;
    }

    /** Drops everything and caches nothing until it is started again; other nodes are still notified. */
    @Override
    public synchronized void close() {
        open = false;
        NodeNotifications.Subscription ended = subscription;
        subscription = null;
        if (ended != null) {
            ended.close();
        }
        dropAll();
    }

    /** Returns a cached value; null if there is none, or nothing may be cached now. */
    public @Nullable V get(String key) {
        if (!isUsable()) {
            return null;
        }
        Entry<V> entry = entries.getIfPresent(key);
        // The epoch is compared again, because an entry that was being added is not dropped with all others.
        return entry == null
                        || entry.load().epoch() != epoch.get()
                        || isPast(entry.load().begunAt())
                ? null
                : entry.value();
    }

    /** Call it before the value is read, outside a transaction: what a transaction reads may never be committed. */
    public Load begin(String key) {
        return new Load(key, generation(key), epoch.get(), nanoTime.getAsLong());
    }

    /** Caches what was read, unless it was invalidated since the load began. */
    public void put(Load load, V value) {
        if (!isUsable() || isPast(load.begunAt())) {
            return;
        }
        entries.asMap().compute(load.key(), (key, before) -> isCurrent(load) ? new Entry<>(value, load) : null);
    }

    /** Drops a value here and on the other nodes. Call it after the commit of the change, whatever its outcome. */
    public void invalidate(String key) {
        drop(key);
        if (notifications != null) {
            notifications.publish(topic, key + "@" + clock.millis());
        }
    }

    private boolean isUsable() {
        return open && (notifications == null || notifications.isListening());
    }

    private boolean isPast(long begunAt) {
        return nanoTime.getAsLong() - begunAt >= ttl.toNanos();
    }

    private boolean isCurrent(Load load) {
        return generation(load.key()) == load.generation() && epoch.get() == load.epoch();
    }

    private long generation(String key) {
        return generations.get(index(key));
    }

    private static int index(String key) {
        return Math.floorMod(key.hashCode(), GENERATIONS);
    }

    /** The generation first: a load that ends in between is not cached, one that has ended is removed. */
    private void drop(String key) {
        generations.incrementAndGet(index(key));
        entries.invalidate(key);
    }

    private void dropAll() {
        epoch.incrementAndGet();
        entries.invalidateAll();
    }

    /**
     * A value that is being read.
     *
     * @param key of the value
     * @param generation of the key when the load began
     * @param epoch of the cache then
     * @param begunAt when it began, in nanoseconds of the monotonic clock
     */
    public record Load(String key, long generation, long epoch, long begunAt) {}

    private record Entry<V>(V value, Load load) {}

    private final class Invalidations implements NotificationListener {

        @Override
        public void received(String text) {
            int end = text.lastIndexOf('@');
            drop(end < 0 ? text : text.substring(0, end));
            delayOf(text.substring(end + 1));
        }

        /** Anybody who can connect to the database can send such a text: a wrong one only drops a value. */
        private void delayOf(String sentAt) {
            try {
                long millis = clock.millis() - Long.parseLong(sentAt);
                if (millis <= LONGEST_DELAY_MILLIS) {
                    delays.accept(Duration.ofMillis(Math.max(0, millis)));
                }
            } catch (NumberFormatException e) {
                // not from one of our nodes: nothing to measure
            }
        }

        @Override
        public void missed() {
            dropAll();
        }
    }
}
