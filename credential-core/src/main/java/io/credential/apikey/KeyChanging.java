package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.credential.apikey.Operations.Result;
import io.credential.apikey.RowProtection.Authenticity;

/** Rotates, updates and revokes keys. */
final class KeyChanging {

    private static final int MAX_ATTEMPTS = 5;

    private final RegistryParts parts;
    private final Operations operations;
    private final RowAccess rows;
    private final KeyIssuing issuing;

    KeyChanging(RegistryParts parts, Operations operations, RowAccess rows, KeyIssuing issuing) {
        this.parts = parts;
        this.operations = operations;
        this.rows = rows;
        this.issuing = issuing;
    }

    RotatedApiKey rotate(String id, Rotation rotation) {
        return operations.audited("apikey.rotate", id, () -> {
            long now = parts.clock().millis();
            ApiKeyRow row = rows.active(id, now);
            ApiKeyToken token = issuing.newToken(row.id());
            RotatedApiKey rotated = rotated(row, token, rotation, now);
            replace(
                    rotated.secondaryExpiresAt() == null
                            ? row.withSecrets(issuing.hash(token), null, null)
                            : row.withSecrets(
                                    issuing.hash(token),
                                    row.secretHash(),
                                    rotated.secondaryExpiresAt().toEpochMilli()),
                    row,
                    now);
            return new Result<>(
                    rotated,
                    row.id(),
                    Map.of("graceMillis", rotated.gracePeriod().toMillis()));
        });
    }

    ApiKey update(String id, ApiKeyChanges changes) {
        return operations.audited("apikey.update", id, () -> {
            Instant now = Instant.ofEpochMilli(parts.clock().millis());
            ApiKeyRow row = rows.active(id, now.toEpochMilli());
            ApiKeyRow changed = changed(row, changes, now);
            replace(changed, row, now.toEpochMilli());
            return new Result<>(rows.opened(changed), row.id(), Map.of());
        });
    }

    /** A revocation wins over whatever comes at the same time, and over a row that cannot be trusted. */
    boolean revoke(String id) {
        return operations.audited("apikey.revoke", id, () -> {
            boolean revoked = operations.inGuardedTransaction(() -> ApiKeyId.isWellFormed(id) && revokeOnce(id));
            return new Result<>(revoked, id, Map.of("effective", revoked));
        });
    }

    private boolean revokeOnce(String id) {
        long now = parts.clock().millis();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            ApiKeyRow row = parts.store().find(parts.namespace(), id).orElse(null);
            if (row == null || row.isRevoked()) {
                return false;
            }
            if (row.rowMac() == null || parts.protection().authenticity(row) != Authenticity.AUTHENTIC) {
                break;
            }
            if (parts.store().replace(parts.protection().authenticated(row.withRevokedAt(now)), row.rowMac())) {
                return true;
            }
        }
        return parts.store().revokeUnauthenticated(parts.namespace(), id, now);
    }

    /** The row was read and the secret hashed before the transaction, which is kept as short as the write itself. */
    private void replace(ApiKeyRow changed, ApiKeyRow read, long now) {
        operations.inGuardedTransaction(() -> {
            rows.replace(changed, read, now);
            return true;
        });
    }

    private RotatedApiKey rotated(ApiKeyRow row, ApiKeyToken token, Rotation rotation, long now) {
        if (rotation instanceof Rotation.Graceful graceful) {
            Duration grace = graceful.grace() == null ? parts.options().rotationGrace() : graceful.grace();
            return new RotatedApiKey(row.id(), token.text(), grace, Instant.ofEpochMilli(now + grace.toMillis()));
        }
        return new RotatedApiKey(row.id(), token.text(), Duration.ZERO, null);
    }

    private ApiKeyRow changed(ApiKeyRow row, ApiKeyChanges changes, Instant now) {
        RowProtection protection = parts.protection();
        ApiKeyRow changed = row.withSealed(
                row.ownerIdHash(),
                row.ownerIdCell(),
                changes.scopes() == null
                        ? row.scopesCell()
                        : protection.sealScopes(row.namespace(), row.id(), changes.scopes()),
                changes.metadata() == null
                        ? row.metadataCell()
                        : protection.sealMetadata(row.namespace(), row.id(), changes.metadata()));
        if (changes.expiry() == null) {
            return changed;
        }
        Instant expiresAt = KeyIssuing.futureMillis(changes.expiry().at(), now);
        return changed.withExpiresAt(expiresAt == null ? null : expiresAt.toEpochMilli());
    }
}
