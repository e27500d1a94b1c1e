package io.credential.apikey.internal.hygiene;

/**
 * The active keys of a namespace that deserve attention. If {@code counted} is {@link #MOST}, there may be older keys: every
 * number is then a lower bound.
 *
 * @param counted how many keys were examined, the newest first
 * @param neverExpiring how many have no expiry
 * @param unused how many were neither used nor issued since the given time
 * @param expiringSoon how many expire before the given time
 */
public record KeyCounts(int counted, int neverExpiring, int unused, int expiringSoon) {

    /** Where counting stops. */
    public static final int MOST = 100_000;

    /** Returns whether all keys were counted. */
    public boolean complete() {
        return counted < MOST;
    }
}
