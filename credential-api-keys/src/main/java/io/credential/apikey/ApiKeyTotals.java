package io.credential.apikey;

/**
 * The number of keys of a registry in each state.
 *
 * @param active keys that are neither disabled, expired nor revoked
 * @param disabled keys that are disabled, but neither expired nor revoked
 * @param expired keys that have expired and were not revoked
 * @param revoked keys that were revoked
 * @since 0.1.0
 */
public record ApiKeyTotals(long active, long disabled, long expired, long revoked) {}
