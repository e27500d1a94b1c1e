package io.credential.apikey;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.seal.BlindIndex;
import io.credential.seal.CellAddress;
import io.credential.seal.RowMac;
import io.credential.seal.RowValues;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;
import io.credential.storage.JsonText;

/**
 * Seals what a row says about its owner, opens it again, and tells whether a row is one that this registry wrote.
 */
final class RowProtection {

    /** The logical name: sealed cells stay readable when the table is called something else. */
    static final String TABLE = "_credential_api_keys";

    /** What the MAC says of a row. */
    enum Authenticity {
        /** Written by a holder of the keyring, and unchanged. */
        AUTHENTIC,
        /** Changed behind the registry's back, or without a MAC outside the migration window. */
        FORGED,
        /** Sealed under a key that the keyring lacks: nothing can be said. */
        UNDECIDED
    }

    private final Sealer sealer;
    private final BlindIndex ownerIndex;
    private final RowMac rowMac;
    private final boolean migrationWindow;

    /**
     * @param migrationWindow whether plain cells are read, and rows of nothing but plain cells without a MAC
     */
    RowProtection(Sealer sealer, BlindIndex ownerIndex, RowMac rowMac, boolean migrationWindow) {
        this.sealer = sealer;
        this.ownerIndex = ownerIndex;
        this.rowMac = rowMac;
        this.migrationWindow = migrationWindow;
    }

    boolean isMigrationWindowOpen() {
        return migrationWindow;
    }

    String ownerIdHash(String namespace, String ownerId) {
        return ownerIndex.of(namespace, ownerId);
    }

    /** What an owner's rows may be found by: until they are resealed, some are under an index key of the past. */
    List<String> ownerIdHashes(String namespace, String ownerId) {
        return ownerIndex.candidates(namespace, ownerId);
    }

    String sealOwner(String namespace, String id, String ownerId) {
        return seal(namespace, id, "owner_id", ownerId);
    }

    String sealScopes(String namespace, String id, List<String> scopes) {
        return seal(namespace, id, "scopes", JsonText.write(scopes));
    }

    String sealMetadata(String namespace, String id, Map<String, Object> metadata) {
        return seal(namespace, id, "metadata", JsonText.write(metadata));
    }

    /**
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    String openOwner(ApiKeyRow row) {
        return open(row, "owner_id", row.ownerIdCell());
    }

    /**
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    List<String> openScopes(ApiKeyRow row) {
        return parsed(row, "scopes", open(row, "scopes", row.scopesCell()), JsonText::readStrings);
    }

    /**
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    Map<String, Object> openMetadata(ApiKeyRow row) {
        return parsed(row, "metadata", open(row, "metadata", row.metadataCell()), JsonText::readObject);
    }

    /** The row with the MAC of its present values. */
    ApiKeyRow authenticated(ApiKeyRow row) {
        return row.withRowMac(rowMac.compute(values(row)));
    }

    Authenticity authenticity(ApiKeyRow row) {
        String mac = row.rowMac();
        if (mac == null) {
            return migrationWindow && isPlain(row) ? Authenticity.AUTHENTIC : Authenticity.FORGED;
        }
        try {
            return rowMac.verify(values(row), mac) ? Authenticity.AUTHENTIC : Authenticity.FORGED;
        } catch (UnknownSealKeyException e) {
            return Authenticity.UNDECIDED;
        }
    }

    /** Rows had no MAC when cells were not bound either: a bound cell beside no MAC means that the MAC was taken away. */
    private static boolean isPlain(ApiKeyRow row) {
        return Sealer.isPlain(row.ownerIdCell())
                && Sealer.isPlain(row.scopesCell())
                && Sealer.isPlain(row.metadataCell());
    }

    /** Whether a row that is readable is wholly under the active key. */
    boolean isCurrent(ApiKeyRow row, String ownerId) {
        return row.rowMac() != null
                && rowMac.isCurrent(row.rowMac())
                && sealer.isCurrent(row.ownerIdCell())
                && sealer.isCurrent(row.scopesCell())
                && sealer.isCurrent(row.metadataCell())
                && row.ownerIdHash().equals(ownerIdHash(row.namespace(), ownerId));
    }

    /**
     * @throws SealException if a cell does not open
     * @throws UnknownSealKeyException if the keyring lacks a cell's key
     */
    ApiKey open(ApiKeyRow row, @Nullable Instant lastUsedAt, boolean usedSecondary) {
        return new ApiKey(
                row.id(),
                row.namespace(),
                row.prefix(),
                openOwner(row),
                openScopes(row),
                openMetadata(row),
                Instant.ofEpochMilli(row.createdAt()),
                instant(row.expiresAt()),
                instant(row.revokedAt()),
                lastUsedAt,
                instant(row.secondaryExpiresAt()),
                usedSecondary);
    }

    static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    private String seal(String namespace, String id, String column, String text) {
        return sealer.seal(new CellAddress(TABLE, column, namespace, id), text.getBytes(StandardCharsets.UTF_8));
    }

    private String open(ApiKeyRow row, String column, String cell) {
        CellAddress address = new CellAddress(TABLE, column, row.namespace(), row.id());
        byte[] text = migrationWindow ? sealer.openPlainOrBound(address, cell) : sealer.open(address, cell);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static <T> T parsed(ApiKeyRow row, String column, String json, Function<String, T> parser) {
        try {
            return parser.apply(json);
        } catch (IllegalArgumentException e) {
            throw new SealException("The cell " + TABLE + "." + column + " of " + row.id() + " does not hold its JSON");
        }
    }

    /** All columns but lastUsedAt, which is written without a guard; order and names are part of the stored format. */
    private static RowValues values(ApiKeyRow row) {
        return new RowValues(TABLE)
                .text("namespace", row.namespace())
                .text("id", row.id())
                .text("prefix", row.prefix())
                .text("owner_id_hash", row.ownerIdHash())
                .text("owner_id", row.ownerIdCell())
                .text("scopes", row.scopesCell())
                .text("metadata", row.metadataCell())
                .text("secret_hash", row.secretHash())
                .text("secondary_secret_hash", row.secondarySecretHash())
                .number("secondary_expires_at", row.secondaryExpiresAt())
                .number("created_at", row.createdAt())
                .number("expires_at", row.expiresAt())
                .number("revoked_at", row.revokedAt());
    }
}
