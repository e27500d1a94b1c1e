package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/** One row of the key table as it is stored; times in Unix milliseconds. */
record ApiKeyRow(
        String namespace,
        String id,
        String prefix,
        String ownerIdHash,
        String ownerIdCell,
        String scopesCell,
        String metadataCell,
        String secretHash,
        @Nullable String secondarySecretHash,
        @Nullable Long secondaryExpiresAt,
        long createdAt,
        @Nullable Long expiresAt,
        @Nullable Long revokedAt,
        @Nullable Long lastUsedAt,
        @Nullable String rowMac) {

    boolean isRevoked() {
        return revokedAt != null;
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
                ownerIdCell,
                scopesCell,
                metadataCell,
                secret,
                secondary,
                secondaryUntil,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                rowMac);
    }

    ApiKeyRow withSealed(String ownerHash, String owner, String scopes, String metadata) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerHash,
                owner,
                scopes,
                metadata,
                secretHash,
                secondarySecretHash,
                secondaryExpiresAt,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                rowMac);
    }

    ApiKeyRow withExpiresAt(@Nullable Long expiry) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerIdHash,
                ownerIdCell,
                scopesCell,
                metadataCell,
                secretHash,
                secondarySecretHash,
                secondaryExpiresAt,
                createdAt,
                expiry,
                revokedAt,
                lastUsedAt,
                rowMac);
    }

    ApiKeyRow withRevokedAt(long revoked) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerIdHash,
                ownerIdCell,
                scopesCell,
                metadataCell,
                secretHash,
                secondarySecretHash,
                secondaryExpiresAt,
                createdAt,
                expiresAt,
                revoked,
                lastUsedAt,
                rowMac);
    }

    ApiKeyRow withRowMac(String mac) {
        return new ApiKeyRow(
                namespace,
                id,
                prefix,
                ownerIdHash,
                ownerIdCell,
                scopesCell,
                metadataCell,
                secretHash,
                secondarySecretHash,
                secondaryExpiresAt,
                createdAt,
                expiresAt,
                revokedAt,
                lastUsedAt,
                mac);
    }

    /** Leaves out hashes and cells. */
    @Override
    public String toString() {
        return "ApiKeyRow[namespace=" + namespace + ", id=" + id + "]";
    }
}
