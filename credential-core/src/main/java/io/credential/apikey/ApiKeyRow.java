package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/** One row of the key table as it is stored; times in Unix milliseconds. */
record ApiKeyRow(
        String namespace,
        String id,
        String prefix,
        String ownerIdHash,
        SealedCells cells,
        String secretHash,
        @Nullable String secondarySecretHash,
        @Nullable Long secondaryExpiresAt,
        long createdAt,
        @Nullable Long expiresAt,
        @Nullable Long disabledAt,
        @Nullable Long revokedAt,
        @Nullable Long lastUsedAt,
        @Nullable String rowMac) {

    boolean isRevoked() {
        return revokedAt != null;
    }

    boolean isDisabled() {
        return disabledAt != null;
    }

    boolean isExpiredAt(long now) {
        return expiresAt != null && expiresAt <= now;
    }

    boolean acceptsSecondaryAt(long now) {
        return secondaryExpiresAt != null && now < secondaryExpiresAt;
    }

    ApiKeyRow withSecrets(String secret, @Nullable String secondary, @Nullable Long secondaryUntil) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerIdHash,
                cells,
                secret,
                secondary,
                secondaryUntil,
                createdAt,
                expiresAt,
                disabledAt,
                revokedAt,
                lastUsedAt,
                rowMac);
    }

    ApiKeyRow withSealed(String ownerHash, SealedCells sealed) {
        return with(ownerHash, sealed, expiresAt, disabledAt, revokedAt, rowMac);
    }

    ApiKeyRow withExpiresAt(@Nullable Long expiry) {
        return with(ownerIdHash, cells, expiry, disabledAt, revokedAt, rowMac);
    }

    ApiKeyRow withDisabledAt(@Nullable Long disabled) {
        return with(ownerIdHash, cells, expiresAt, disabled, revokedAt, rowMac);
    }

    ApiKeyRow withRevokedAt(long revoked) {
        return with(ownerIdHash, cells, expiresAt, disabledAt, revoked, rowMac);
    }

    ApiKeyRow withRowMac(String mac) {
        return with(ownerIdHash, cells, expiresAt, disabledAt, revokedAt, mac);
    }

    private ApiKeyRow with(
            String ownerHash,
            SealedCells sealed,
            @Nullable Long expiry,
            @Nullable Long disabled,
            @Nullable Long revoked,
            @Nullable String mac) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerHash,
                sealed,
                secretHash,
                secondarySecretHash,
                secondaryExpiresAt,
                createdAt,
                expiry,
                disabled,
                revoked,
                lastUsedAt,
                mac);
    }

    /** Leaves out hashes and cells. */
    @Override
    public String toString() {
        return "ApiKeyRow[namespace=" + namespace + ", id=" + id + "]";
    }
}
