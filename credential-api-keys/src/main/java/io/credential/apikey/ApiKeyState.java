package io.credential.apikey;

import java.time.Instant;
import java.util.Locale;

/**
 * The state of a key. If several apply, such as disabled and expired, {@link #of} decides which one is shown.
 *
 * @since 0.1.0
 */
public enum ApiKeyState {
    /** Neither disabled, expired nor revoked. */
    ACTIVE,
    /** Disabled, but neither expired nor revoked. */
    DISABLED,
    /** Expired, and not revoked. */
    EXPIRED,
    /** Revoked. */
    REVOKED;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the first state that applies, in this order: revoked, expired, disabled, active. */
    public static ApiKeyState of(ApiKey key, Instant now) {
        if (key.revokedAt() != null) {
            return REVOKED;
        }
        Instant expiresAt = key.expiresAt();
        if (expiresAt != null && !expiresAt.isAfter(now)) {
            return EXPIRED;
        }
        return key.disabledAt() == null ? ACTIVE : DISABLED;
    }

    /** Returns the name in lower case, as in Actuator and in events. */
    public String text() {
        return text;
    }
}
