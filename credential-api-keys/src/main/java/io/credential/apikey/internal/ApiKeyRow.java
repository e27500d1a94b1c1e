package io.credential.apikey.internal;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyState;

/** One row of the key table as it is stored; times in Unix milliseconds. */
record ApiKeyRow(
        Identity identity,
        Cells cells,
        Secrets secrets,
        State state,
        @Nullable Long lastUsedAt,
        @Nullable String rowMac) {

    /** The columns that never change, except that a rotation writes the prefix of the registry. */
    record Identity(String namespace, String id, String prefix, long createdAt) {

        /** Written out, since every verify looks up a row, and the methods that records inherit are slower. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Identity that
                    && id.equals(that.id)
                    && namespace.equals(that.namespace)
                    && prefix.equals(that.prefix)
                    && createdAt == that.createdAt;
        }

        /** Ids are random, so their hash is enough, and {@code String} caches it. */
        @Override
        public int hashCode() {
            return id.hashCode();
        }
    }

    /**
     * The sealed columns, and the keyed hash of the owner.
     *
     * @param details name, creator and rate limit in one cell; null for a key that has none of them
     */
    record Cells(
            String ownerIdHash,
            String ownerId,
            String scopes,
            String metadata,
            @Nullable String details) {

        /** Leaves out hash and cells. */
        @Override
        public String toString() {
            return "Cells[]";
        }
    }

    /** The hash of the secret, and the hash of the old secret, which is accepted until it expires. */
    record Secrets(
            String primary,
            @Nullable String secondary,
            @Nullable Long secondaryExpiresAt) {

        /** Leaves out the hashes. */
        @Override
        public String toString() {
            return "Secrets[]";
        }
    }

    /**
     * The times from which the key is rejected; null if it is not.
     *
     * @param version 1 for a new key, and one more after each change
     */
    record State(
            @Nullable Long expiresAt,
            @Nullable Long disabledAt,
            @Nullable Long revokedAt,
            long version) {}

    String namespace() {
        return identity.namespace;
    }

    String id() {
        return identity.id;
    }

    boolean hasPrefix(String prefix) {
        return identity.prefix.equals(prefix);
    }

    boolean isRevoked() {
        return state.revokedAt != null;
    }

    boolean isDisabled() {
        return state.disabledAt != null;
    }

    boolean isExpiredAt(long now) {
        return state.expiresAt != null && state.expiresAt <= now;
    }

    /** As {@link ApiKeyState#of}. */
    ApiKeyState stateAt(long now) {
        if (isRevoked()) {
            return ApiKeyState.REVOKED;
        }
        if (isExpiredAt(now)) {
            return ApiKeyState.EXPIRED;
        }
        return isDisabled() ? ApiKeyState.DISABLED : ApiKeyState.ACTIVE;
    }

    boolean acceptsSecondaryAt(long now) {
        return secrets.secondaryExpiresAt != null && now < secrets.secondaryExpiresAt;
    }

    /**
     * Whether every column that the MAC covers has the same value, and the MAC too. Not in constant time. Compares field by
     * field, since every verify calls it, and the methods that records inherit are slower.
     */
    boolean equalsButLastUse(ApiKeyRow other) {
        return Objects.equals(rowMac, other.rowMac)
                && identity.equals(other.identity)
                && cells.ownerIdHash.equals(other.cells.ownerIdHash)
                && cells.ownerId.equals(other.cells.ownerId)
                && cells.scopes.equals(other.cells.scopes)
                && cells.metadata.equals(other.cells.metadata)
                && Objects.equals(cells.details, other.cells.details)
                && secrets.primary.equals(other.secrets.primary)
                && Objects.equals(secrets.secondary, other.secrets.secondary)
                && Objects.equals(secrets.secondaryExpiresAt, other.secrets.secondaryExpiresAt)
                && Objects.equals(state.expiresAt, other.state.expiresAt)
                && Objects.equals(state.disabledAt, other.state.disabledAt)
                && Objects.equals(state.revokedAt, other.state.revokedAt)
                && state.version == other.state.version;
    }

    ApiKeyRow withPrefix(String prefix) {
        Identity changed = new Identity(identity.namespace, identity.id, prefix, identity.createdAt);
        return new ApiKeyRow(changed, cells, secrets, state, lastUsedAt, rowMac);
    }

    ApiKeyRow withCells(Cells sealed) {
        return new ApiKeyRow(identity, sealed, secrets, state, lastUsedAt, rowMac);
    }

    ApiKeyRow withSecrets(Secrets changed) {
        return new ApiKeyRow(identity, cells, changed, state, lastUsedAt, rowMac);
    }

    ApiKeyRow withExpiresAt(@Nullable Long expiry) {
        return with(new State(expiry, state.disabledAt, state.revokedAt, state.version));
    }

    ApiKeyRow withDisabledAt(@Nullable Long disabled) {
        return with(new State(state.expiresAt, disabled, state.revokedAt, state.version));
    }

    ApiKeyRow withRevokedAt(long revoked) {
        return with(new State(state.expiresAt, state.disabledAt, revoked, state.version));
    }

    ApiKeyRow withNextVersion() {
        return with(new State(state.expiresAt, state.disabledAt, state.revokedAt, state.version + 1));
    }

    private ApiKeyRow with(State changed) {
        return new ApiKeyRow(identity, cells, secrets, changed, lastUsedAt, rowMac);
    }

    ApiKeyRow withLastUsedAt(long used) {
        return new ApiKeyRow(identity, cells, secrets, state, used, rowMac);
    }

    ApiKeyRow withRowMac(String mac) {
        return new ApiKeyRow(identity, cells, secrets, state, lastUsedAt, mac);
    }

    /** Leaves out hashes and cells. */
    @Override
    public String toString() {
        return "ApiKeyRow[namespace=" + namespace() + ", id=" + id() + "]";
    }
}
