package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The new token of a rotated key.
 *
 * @param id the key's id, unchanged
 * @param key the full new token; appears here and nowhere else
 * @param gracePeriod how long the old secret keeps working; zero if it has stopped
 * @param secondaryExpiresAt when the old secret stops; null if it has stopped
 * @since 0.1.0
 */
public record RotatedApiKey(
        String id,
        String key,
        Duration gracePeriod,
        @Nullable Instant secondaryExpiresAt) {

    /** Leaves the token out. */
    @Override
    public String toString() {
        return "RotatedApiKey[id=" + id + ", key=<redacted>, gracePeriod=" + gracePeriod + "]";
    }
}
