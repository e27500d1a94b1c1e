package io.credential.apikey.internal;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.seal.internal.SealException;

/** Returns only rows that may be shown or changed; for others, throws an exception with the reason. */
final class RowAccess {

    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final LastUses lastUses;

    RowAccess(JdbcApiKeyStore store, RowProtection protection, LastUses lastUses) {
        this.store = store;
        this.protection = protection;
        this.lastUses = lastUses;
    }

    /** Returns the row with this id, whatever its state. */
    Optional<ApiKeyRow> find(@Nullable String id) {
        return Optional.ofNullable(id).filter(KeyRules::isId).flatMap(store::find);
    }

    /** Returns the row with this id, whatever its state; nobody else can change it before the transaction ends. */
    Optional<ApiKeyRow> findLocked(@Nullable String id) {
        return Optional.ofNullable(id).filter(KeyRules::isId).flatMap(store::findLocked);
    }

    /**
     * Returns a row that is authentic, not revoked and not expired.
     *
     * @throws ApiKeyException {@code api-key/not-found}, {@code api-key/unreadable-row}, {@code api-key/unavailable},
     *     {@code api-key/revoked} or {@code api-key/expired}
     */
    ApiKeyRow active(@Nullable String id, long now) {
        ApiKeyRow row = notRevoked(find(id));
        if (row.isExpiredAt(now)) {
            throw ApiKeyException.ofKey(
                    row.id(), ApiKeyErrorCode.EXPIRED, "API key " + row.id() + " has expired; issue a new one");
        }
        return row;
    }

    /**
     * Writes a changed row that was read under a lock, as its next version.
     *
     * @return the version
     * @throws ApiKeyException {@code api-key/rotation-conflict} if it changed nevertheless
     */
    long writeLocked(ApiKeyRow changed, ApiKeyRow read) {
        ApiKeyRow next = changed.withNextVersion();
        if (!store.replace(protection.authenticated(next), read)) {
            throw conflict(read.id());
        }
        return next.state().version();
    }

    /**
     * Writes a changed row that was read without a lock, as its next version.
     *
     * @return the version
     * @throws ApiKeyException {@code api-key/revoked} or {@code api-key/expired} if it was read before that, {@code
     *     api-key/rotation-conflict} if it changed otherwise
     */
    long writeUnlocked(ApiKeyRow changed, ApiKeyRow read, long now) {
        ApiKeyRow next = changed.withNextVersion();
        if (!store.replace(protection.authenticated(next), read)) {
            active(read.id(), now);
            throw conflict(read.id());
        }
        return next.state().version();
    }

    /**
     * @throws ApiKeyException {@code api-key/unreadable-row} or {@code api-key/unavailable} when it cannot be trusted
     */
    void requireAuthentic(ApiKeyRow row) {
        Authenticity authenticity = protection.authenticity(row);
        if (authenticity == Authenticity.FORGED) {
            throw unreadable(row.id());
        }
        if (authenticity == Authenticity.UNDECIDED) {
            throw keyMissing(row.id());
        }
    }

    /**
     * Returns a row that is authentic and not revoked, and that nobody else can change before the transaction ends.
     *
     * @throws ApiKeyException {@code api-key/not-found}, {@code api-key/unreadable-row}, {@code api-key/unavailable} or
     *     {@code api-key/revoked}
     */
    ApiKeyRow notRevokedLocked(@Nullable String id) {
        return notRevoked(findLocked(id));
    }

    private ApiKeyRow notRevoked(Optional<ApiKeyRow> found) {
        ApiKeyRow row = found.orElseThrow(RowAccess::notFound);
        requireAuthentic(row);
        if (row.isRevoked()) {
            throw ApiKeyException.ofKey(
                    row.id(), ApiKeyErrorCode.REVOKED, "API key " + row.id() + " is revoked; issue a new one");
        }
        return row;
    }

    /**
     * Returns the contents of an authentic row.
     *
     * @throws ApiKeyException {@code api-key/unreadable-row} when a cell does not open
     */
    KeyContents contents(ApiKeyRow row) {
        try {
            return protection.contents(row);
        } catch (SealException e) {
            throw unreadable(row.id());
        }
    }

    /**
     * Returns the key of an authentic row, including a last use that has not been written yet.
     *
     * @throws ApiKeyException {@code api-key/unreadable-row} when a cell does not open
     */
    ApiKey opened(ApiKeyRow row) {
        return contents(row).key(row, KeyContents.instant(lastUses.latest(row)), false);
    }

    /**
     * Returns the time since which the key of an authentic row has been idle, in Unix milliseconds: the latest of its
     * issue, import, enabling, rotation and last use, including a use that has not been written yet.
     *
     * @throws ApiKeyException {@code api-key/unreadable-row} when a cell does not open
     */
    long idleSince(ApiKeyRow row) {
        Long activeSince = contents(row).details().activeSince();
        Long used = lastUsedAt(row);
        return Math.max(
                row.identity().createdAt(),
                Math.max(activeSince == null ? Long.MIN_VALUE : activeSince, used == null ? Long.MIN_VALUE : used));
    }

    /** Returns when a key was last used in Unix milliseconds, including a use that has not been written yet; null for never. */
    @Nullable Long lastUsedAt(ApiKeyRow row) {
        return lastUses.latest(row);
    }

    static ApiKeyException notFound() {
        return new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No API key has this id");
    }

    static ApiKeyException conflict(String id) {
        return ApiKeyException.ofKey(
                id,
                ApiKeyErrorCode.ROTATION_CONFLICT,
                "API key " + id + " was changed concurrently; read it again, then retry");
    }

    static ApiKeyException keyMissing(String id) {
        return ApiKeyException.ofKey(
                id,
                ApiKeyErrorCode.UNAVAILABLE,
                "The keyring lacks the key under which API key " + id + " is sealed; add that key to the keyring");
    }

    static ApiKeyException unreadable(String id) {
        return ApiKeyException.ofKey(
                id,
                ApiKeyErrorCode.UNREADABLE_ROW,
                "The row of API key " + id + " in " + RowProtection.TABLE
                        + " was damaged or changed by something other than this registry; revoke the key and issue a new one");
    }
}
