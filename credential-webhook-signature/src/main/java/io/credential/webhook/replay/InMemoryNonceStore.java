package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

/**
 * Remembers nonces in memory, for a single node. They are lost on a restart, so signatures from before it are refused.
 * The capacity is limited; while the store is full of nonces that have not expired, inserts fail. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryNonceStore implements NonceStore {

    /** The default number of nonces, about 200 bytes each. */
    public static final int DEFAULT_CAPACITY = 1_000_000;

    private final InstantSource clock;
    private final int capacity;
    private final Instant birth;
    private final Semaphore room;
    private final Cache<String, Long> expiries;

    /** Creates a store with the default capacity. */
    public InMemoryNonceStore(InstantSource clock) {
        this(clock, DEFAULT_CAPACITY);
    }

    /**
     * @param capacity the maximum number of nonces that have not expired
     * @throws IllegalArgumentException if the capacity is not positive
     */
    public InMemoryNonceStore(InstantSource clock, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("A nonce store must have room for at least 1 nonce, not " + capacity);
        }
        this.clock = clock;
        this.capacity = capacity;
        // Signatures have whole seconds.
        this.birth = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        this.room = new Semaphore(capacity);
        this.expiries = Caffeine.newBuilder()
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .expireAfter(new AtExpiry())
                // Called only when a nonce expires.
                .evictionListener((nonce, expireAt, cause) -> room.release())
                .executor(Runnable::run)
                .build();
    }

    /**
     * {@inheritDoc}
     *
     * @throws NonceStoreFullException if the store is full of nonces that have not expired
     */
    @Override
    public boolean checkAndInsert(String nonce, Instant expireAt) {
        long expiry = expireAt.toEpochMilli();
        if (expiry <= clock.millis() || expiries.getIfPresent(nonce) != null) {
            return false;
        }
        takeRoom();
        boolean inserted = false;
        try {
            inserted = expiries.asMap().putIfAbsent(nonce, expiry) == null;
        } finally {
            if (!inserted) {
                room.release();
            }
        }
        return inserted;
    }

    /** {@inheritDoc} This is the second in which this store was created. */
    @Override
    public Instant rememberedSince(String verifier, Duration window) {
        return birth;
    }

    @Override
    public void forget(String nonce, Instant expireAt) {
        if (expiries.asMap().remove(nonce, expireAt.toEpochMilli())) {
            room.release();
        }
    }

    private void takeRoom() {
        if (room.tryAcquire()) {
            return;
        }
        expiries.cleanUp();
        if (!room.tryAcquire()) {
            throw new NonceStoreFullException(capacity);
        }
    }

    /** Both times are Unix times: {@code expireAt} in milliseconds, {@code now} in nanoseconds. */
    private static final class AtExpiry implements Expiry<String, Long> {

        @Override
        public long expireAfterCreate(String nonce, Long expireAt, long now) {
            return TimeUnit.MILLISECONDS.toNanos(expireAt) - now;
        }

        @Override
        public long expireAfterUpdate(String nonce, Long expireAt, long now, long remaining) {
            return remaining;
        }

        @Override
        public long expireAfterRead(String nonce, Long expireAt, long now, long remaining) {
            return remaining;
        }
    }
}
