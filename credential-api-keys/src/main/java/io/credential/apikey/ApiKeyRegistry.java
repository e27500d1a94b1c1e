package io.credential.apikey;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.seal.ResealResult;

/**
 * Manages and verifies the API keys of one namespace. Thread-safe; every method may block on the database.
 *
 * <p>Changes ({@code issue}, {@code importKeys}, {@code revoke}, {@code revokeAllForOwner}, {@code disable},
 * {@code enable}, {@code rotate}, {@code update}, {@code eraseAllForOwner}, {@code purgeExpired},
 * {@code resealSealedColumns}) join a transaction of the caller on the same DataSource, take effect with its commit,
 * and throw {@link NotLeaderException} on a node that is not the leader of its cluster. Every method throws
 * {@link ApiKeyException} with {@link ApiKeyErrorCode#UNAVAILABLE} when the database does not answer, and with
 * {@link ApiKeyErrorCode#BAD_OPT} when an argument other than an id or an owner is null. A
 * {@code TransactionSynchronization} must make changes of its {@code afterCommit} in a new transaction
 * ({@code REQUIRES_NEW}), because the old one has ended.
 *
 * @since 0.1.0
 */
public interface ApiKeyRegistry {

    /** Returns the namespace of this registry, the second part of its tokens. */
    String namespace();

    /** Returns the prefix of this registry, the first part of its tokens. */
    String prefix();

    /** Returns the rate limit of keys without their own, or empty if they are not limited. */
    Optional<RateLimit> rateLimit();

    /** Returns the quota of keys without their own, or empty if they have none. */
    Optional<Quota> quota();

    /**
     * Issues a key. The result is the only place where its token appears.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when {@code expiresAt} is not in the future, later than {@code
     *     maxLifetime} permits, or missing although the registry requires it
     */
    IssuedApiKey issue(IssueRequest request);

    /**
     * Verifies a token. Runs one statement and writes nothing on the calling thread. Does not count against a rate limit
     * or quota, nor compare the networks of the key: the caller does that.
     *
     * @param token the presented text, of any form and length
     * @return the key, or empty for a token that is malformed, unknown, wrong, revoked, disabled, expired, of another
     *     namespace, or whose row was tampered with; only the audit trail says which
     * @throws ApiKeyException {@code api-key/unavailable} when the token cannot be verified at the moment
     */
    Optional<ApiKey> verify(@Nullable String token);

    /**
     * Issues a ticket that stands for a key once, for clients that cannot send a header, such as WebSockets in a browser.
     * Works on every node, and joins a transaction of the caller on the same DataSource. The key is not read: whether it is
     * still valid counts when the ticket is redeemed.
     *
     * @param key of this namespace, usually the one that authenticated the current request
     * @param lifetime 1 second to 5 minutes
     * @return the ticket, which appears nowhere else
     * @throws ApiKeyException {@code api-key/bad-opt} when the key is of another namespace or the lifetime is out of range
     */
    ApiKeyTicket ticket(ApiKey key, Duration lifetime);

    /**
     * Redeems a ticket, on any node: of all calls with the same ticket, one returns the key. Joins a transaction of the
     * caller on the same DataSource; if it rolls back, the ticket can be redeemed again. Does not count against a rate limit
     * or quota, nor compare the networks of the key: the caller does that.
     *
     * @param ticket the presented text, of any form and length
     * @return the key, or empty for a ticket that is malformed, unknown, redeemed before, expired, of another namespace, or
     *     whose key {@link #verify} would reject now; only the audit trail says which
     * @throws ApiKeyException {@code api-key/unavailable} when the ticket cannot be redeemed at the moment
     */
    Optional<ApiKey> redeem(@Nullable String ticket);

    /**
     * Revokes a key with both its secrets, effective immediately.
     *
     * @return whether this call revoked it: false when the id is unknown or the key was already revoked
     */
    boolean revoke(String id);

    /**
     * Revokes all keys of an owner, including keys that are disabled or expired, or whose row fails its integrity
     * check. Rows of the last kind are revoked and counted again by every call. Runs in batches, each in its own
     * transaction unless the caller has one. If a call fails, repeat it. A key that is issued concurrently may stay
     * valid, so prevent that first.
     *
     * @return how many keys this call revoked
     * @throws ApiKeyException {@code api-key/missing-owner} when the owner is missing or malformed
     */
    int revokeAllForOwner(String ownerId);

    /**
     * Disables a key until it is enabled again: {@code verify} rejects both its secrets.
     *
     * @return whether this call disabled it; false when it was already disabled
     * @throws ApiKeyException {@code api-key/not-found}, {@code api-key/revoked} or {@code api-key/unreadable-row}
     */
    boolean disable(String id);

    /**
     * Enables a disabled key.
     *
     * @return whether this call enabled it; false when it was not disabled
     * @throws ApiKeyException {@code api-key/not-found}, {@code api-key/revoked} or {@code api-key/unreadable-row}
     */
    boolean enable(String id);

    /**
     * Replaces the secret of a key; its id stays the same. The new token has the prefix of this registry. If the key was
     * issued with another prefix, its old secret gets no grace period.
     *
     * @throws ApiKeyException {@code api-key/not-found}, {@code api-key/revoked}, {@code api-key/expired}, {@code
     *     api-key/unreadable-row}, or {@code api-key/rotation-conflict} when it was changed concurrently
     */
    RotatedApiKey rotate(String id, Rotation rotation);

    /**
     * Changes name, scopes, metadata, expiry, rate limit, quota or networks without a new secret.
     *
     * @return the key after the change
     * @throws ApiKeyException as {@link #rotate}, or {@code api-key/bad-opt} when the new expiry is not in the future,
     *     or when it extends the life of the key beyond {@code maxLifetime} after its {@code createdAt}, or removes an
     *     expiry that the registry requires
     */
    ApiKey update(String id, ApiKeyChanges changes);

    /** Returns all keys of an owner that are neither revoked nor expired, newest first. */
    List<ApiKey> listForOwner(String ownerId);

    /**
     * Returns one page of an owner's keys, newest first. Rows that fail their integrity check are left out and audited.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when the cursor was not returned by this registry
     */
    ApiKeyPage listForOwner(String ownerId, ListOptions options);

    /**
     * Returns one page of the keys of all owners, newest first, for operators. Rows that fail their integrity check are
     * left out and audited.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when the cursor was not returned by this registry
     */
    ApiKeyPage list(ListOptions options);

    /**
     * Returns one page of the keys that meet all criteria of a search, newest first, for operators. Rows that fail their
     * integrity check are left out and audited. A page examines at most 2,000 keys: it can be short or even empty
     * although more keys follow. Continue until {@code nextCursor} is null.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when the cursor was not returned by this registry, or names or scopes
     *     are searched although {@code credential.api-keys.search.names} or {@code credential.api-keys.search.scopes} is
     *     false
     */
    ApiKeyPage search(KeySearch search);

    /**
     * Returns how many keys are in each state. Reads sums that are updated with each change of a key. Until the leader
     * has counted the keys for the first time, all keys are read. Not audited.
     */
    ApiKeyTotals totals();

    /**
     * Returns one key, whatever its state.
     *
     * @throws ApiKeyException {@code api-key/unreadable-row} when the row fails its integrity check
     */
    Optional<ApiKey> getById(String id);

    /**
     * Erases all keys of an owner, in any state, with their usage and tickets. Their tokens are unknown afterwards. The
     * audit trail and backups are not changed. Runs in batches, each in its own transaction unless the caller has one.
     * If a call fails, repeat it. A key that is issued concurrently may remain, so prevent that first.
     *
     * @return how many keys were erased
     * @throws ApiKeyException {@code api-key/missing-owner} when the owner is missing or malformed
     */
    int eraseAllForOwner(String ownerId);

    /**
     * Imports keys that another system has issued; their tokens verify as they are. Writes in batches, each in its own
     * transaction unless the caller has one. If it ends early, repeat it: keys that are present are left as they are.
     *
     * @param keys read once, as they are needed
     * @return what was imported and refused; a key is refused if another one has its look-up id or hash
     * @throws ApiKeyException {@code api-key/bad-opt} when the registry has no form for the tokens of a key, or does not
     *     permit its expiry, counted from now; earlier batches stay imported
     */
    ImportResult importKeys(Iterator<KeyImport> keys, ImportOptions options);

    /**
     * Returns how often a key was used on each day, on all nodes. Only counted if {@code
     * credential.api-keys.usage.enabled} is true. Counts appear a few seconds after the requests; those of a node that
     * crashes are lost for these seconds. {@link ApiKeyUsage#DAYS_KEPT} days are kept.
     *
     * @param from the first day, in UTC
     * @param to the last day, in UTC
     * @return the days with requests, in their order; empty if no key has this id
     * @throws ApiKeyException {@code api-key/bad-opt} if usage is not counted, or the range is reversed or has more than
     *     {@link ApiKeyUsage#DAYS_KEPT} days
     */
    List<ApiKeyUsage> usage(String id, LocalDate from, LocalDate to);

    /**
     * Removes keys that were revoked or expired longer ago than {@code purgeAfter}, with their usage, and usage and tickets
     * that have expired.
     *
     * @return how many keys were removed
     */
    int purgeExpired();

    /**
     * Reseals every row of the namespace with the active keys of the keyring: sealed columns, owner index and row MAC. Then
     * updates the index of names and scopes; call it after {@code credential.api-keys.search.*} has changed. Can be
     * repeated after an interruption; rows that are current are not written.
     *
     * @throws ApiKeyException {@code api-key/reseal-window-closed} when a cell has the plain form and the migration
     *     window is closed, {@code api-key/unreadable-row} when a cell or row cannot be read; nothing is written then
     */
    ResealResult resealSealedColumns();
}
