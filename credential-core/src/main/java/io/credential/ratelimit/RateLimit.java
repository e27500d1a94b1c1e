package io.credential.ratelimit;

import java.io.Serializable;
import java.time.Duration;

/**
 * Permits a number of requests in each window. For API keys, the first window starts with the first request, the next one
 * when it ends. For endpoints of webhooks, the limit applies to every window, whenever it starts.
 *
 * @param limit how many requests each window permits; 1 to 1,000,000
 * @param window how long a window lasts; 1 second to 1 day, in whole seconds
 * @since 0.1.0
 */
public record RateLimit(int limit, Duration window) implements Serializable {

    public static final int MAX_LIMIT = 1_000_000;
    public static final Duration MAX_WINDOW = Duration.ofDays(1);

    /** @throws IllegalArgumentException naming what is out of range */
    public RateLimit {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("The limit must be 1 to " + MAX_LIMIT + " requests, but is " + limit);
        }
        if (window.getNano() != 0 || window.getSeconds() < 1 || window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException(
                    "The window must be 1 second to 1 day, in whole seconds, but is " + window);
        }
    }

    /** Returns the length of the window in seconds. */
    public long windowSeconds() {
        return window.toSeconds();
    }
}
