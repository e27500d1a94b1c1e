package io.credential.apikey.internal.hygiene;

import java.time.Instant;

import io.credential.apikey.ApiKey;

/** The state of a key as operators see it, in Actuator and in events. */
public final class KeyState {

    public static final String ACTIVE = "active";
    public static final String DISABLED = "disabled";
    public static final String EXPIRED = "expired";
    public static final String REVOKED = "revoked";

    private KeyState() {}

    /** Returns the first that applies of revoked, expired, disabled and active. */
    public static String of(ApiKey key, Instant now) {
        if (key.revokedAt() != null) {
            return REVOKED;
        }
        Instant expiresAt = key.expiresAt();
        if (expiresAt != null && !expiresAt.isAfter(now)) {
            return EXPIRED;
        }
        return key.disabledAt() == null ? ACTIVE : DISABLED;
    }
}
