package io.credential.apikey.internal.totals;

import org.jspecify.annotations.Nullable;

/**
 * A group of keys that are counted together: their stored state and the hour of their expiry.
 *
 * @param state {@code active}, {@code disabled} or {@code revoked}
 * @param expiresHour hours since 1970 in UTC; {@link #NEVER} without expiry and for revoked keys
 */
public record KeyBucket(String state, long expiresHour) {

    static final String ACTIVE = "active";
    static final String DISABLED = "disabled";
    static final String REVOKED = "revoked";

    static final long HOUR_MILLIS = 3_600_000;
    static final long NEVER = Long.MAX_VALUE;

    /** Returns the bucket of a key with these times in Unix milliseconds. */
    public static KeyBucket of(@Nullable Long expiresAt, @Nullable Long disabledAt, @Nullable Long revokedAt) {
        if (revokedAt != null) {
            return new KeyBucket(REVOKED, NEVER);
        }
        return new KeyBucket(
                disabledAt == null ? ACTIVE : DISABLED, expiresAt == null ? NEVER : expiresAt / HOUR_MILLIS);
    }
}
