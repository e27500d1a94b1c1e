package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;

import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;

/** Shared by the limiters: converts limits to buckets, and limits how many buckets are kept in memory. */
final class Buckets {

    /** Of some 500 bytes each. */
    static final int CAPACITY = 100_000;

    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private Buckets() {}

    /**
     * How many requests a bucket permits in each window. In contrast to a {@link RateLimit}, the window of a quota is as long as
     * its period.
     */
    record Bounds(int limit, Duration window) {

        static Bounds of(RateLimit limit) {
            return new Bounds(limit.limit(), limit.window());
        }
    }

    /** Identifies a bucket: with other bounds, it is another one. */
    record Key(String name, Bounds limit) {

        static Key of(String name, RateLimit limit) {
            requireName(name);
            return new Key(name, Bounds.of(limit));
        }

        String text() {
            return name + "/" + limit.limit() + "/" + limit.window().toSeconds();
        }
    }

    /** What a bucket has decided. */
    record Outcome(boolean allowed, long remaining, Duration resetAfter) {

        RateLimitDecision decision(RateLimit limit) {
            return new RateLimitDecision(allowed, limit, remaining, resetAfter);
        }
    }

    /** @throws IllegalArgumentException if the name of a bucket is empty or too long */
    static void requireName(String name) {
        if (name.isEmpty() || name.length() > RateLimiter.MAX_BUCKET_LENGTH) {
            throw new IllegalArgumentException("The name of a bucket must have 1 to " + RateLimiter.MAX_BUCKET_LENGTH
                    + " characters, but has " + name.length());
        }
    }

    /** Keeps each bucket for a window after its last use: it is full then. */
    static <V> Caffeine<Key, V> builder(InstantSource clock, int capacity) {
        return Caffeine.newBuilder()
                .maximumSize(capacity)
                .ticker(() -> nanos(clock))
                .expireAfter(
                        Expiry.<Key, V>accessing((key, bucket) -> key.limit().window()))
                .executor(Runnable::run);
    }

    /** Refills at the end of each window and not continuously, which would permit twice the limit in the first one. */
    static Bandwidth bandwidth(Bounds limit) {
        return Bandwidth.builder()
                .capacity(limit.limit())
                .refillIntervally(limit.limit(), limit.window())
                .build();
    }

    static BucketConfiguration configuration(Bounds limit) {
        return BucketConfiguration.builder().addLimit(bandwidth(limit)).build();
    }

    static Outcome outcome(ConsumptionProbe probe) {
        return new Outcome(
                probe.isConsumed(), probe.getRemainingTokens(), Duration.ofNanos(probe.getNanosToWaitForReset()));
    }

    /**
     * Whether a wait tells that the clock was set back: the bucket would be empty until the clock catches up. A thread
     * that read the clock just before another one started the next window waits for a little more than a window.
     */
    static boolean isSetBack(Duration wait, Bounds limit) {
        return wait.compareTo(limit.window().plus(TOLERANCE)) > 0;
    }

    static TimeMeter timeMeter(InstantSource clock) {
        return new TimeMeter() {

            @Override
            public long currentTimeNanos() {
                return nanos(clock);
            }

            @Override
            public boolean isWallClockBased() {
                return true;
            }
        };
    }

    static long nanos(InstantSource clock) {
        Instant now = clock.instant();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
