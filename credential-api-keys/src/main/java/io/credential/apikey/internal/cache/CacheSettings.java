package io.credential.apikey.internal.cache;

import java.time.Duration;

/**
 * The bounds of a cache.
 *
 * @param maxSize how many values of the usual size it holds at most; a larger one counts as several
 * @param ttl how long a value is used at most after it began to be loaded, whether or not its invalidation arrives
 */
public record CacheSettings(int maxSize, Duration ttl) {

    private static final Duration MAX_TTL = Duration.ofMinutes(5);

    /** @throws IllegalArgumentException if the size is not positive, or the ttl not between 1 ms and 5 minutes */
    public CacheSettings {
        if (maxSize < 1) {
            throw new IllegalArgumentException("The size of a cache must be at least 1, not " + maxSize);
        }
        if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(MAX_TTL) > 0) {
            throw new IllegalArgumentException(
                    "The ttl of a cache must be between 1 ms and " + MAX_TTL + ", not " + ttl);
        }
    }
}
