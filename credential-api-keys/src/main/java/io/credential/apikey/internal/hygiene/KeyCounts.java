package io.credential.apikey.internal.hygiene;

/**
 * The keys of a namespace. Each key has one state; the last three numbers are of active keys. If {@code counted} is {@link
 * #MOST}, there may be older keys: every number is then a lower bound.
 *
 * @param counted how many keys were counted, the newest first
 * @param active how many are neither disabled, expired nor revoked
 * @param disabled how many are disabled, but neither expired nor revoked
 * @param expired how many have expired, but were not revoked
 * @param revoked how many were revoked
 * @param neverExpiring how many active keys have no expiry
 * @param unused how many active keys were neither used nor issued since the given time
 * @param expiringSoon how many active keys expire before the given time
 */
public record KeyCounts(
        int counted,
        int active,
        int disabled,
        int expired,
        int revoked,
        int neverExpiring,
        int unused,
        int expiringSoon) {

    /** Where counting stops. */
    public static final int MOST = 100_000;

    /** Returns whether all keys were counted. */
    public boolean complete() {
        return counted < MOST;
    }
}
