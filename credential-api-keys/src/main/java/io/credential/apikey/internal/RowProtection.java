package io.credential.apikey.internal;

import java.util.List;

import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.seal.internal.BlindIndex;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.RowValues;
import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;

/**
 * Seals and opens the contents of rows, and tells whether this registry wrote a row. It ignores the migration window: a
 * row without a MAC is never authentic, and a cell of the plain form never opens. Thread-safe.
 */
final class RowProtection {

    /** The logical name: sealed cells stay readable if the table is renamed. */
    static final String TABLE = "_credential_api_keys";

    /** What the MAC says about a row. */
    enum Authenticity {
        /** Written by a holder of the keyring, and unchanged. */
        AUTHENTIC,
        /** Changed by something other than this registry, or without a MAC. */
        FORGED,
        /** Authenticated under a key that the keyring lacks: nothing can be said. */
        UNDECIDED
    }

    private final CellCodec cells;
    private final BlindIndex ownerIndex;
    private final RowMac rowMac;

    RowProtection(Sealer sealer, Keyring keyring) {
        this.cells = CellCodec.bound(sealer);
        this.ownerIndex = new BlindIndex(keyring, "api-key/owner-id");
        this.rowMac = new RowMac(keyring);
    }

    String ownerIdHash(String namespace, String ownerId) {
        return ownerIndex.of(namespace, ownerId);
    }

    /**
     * Returns all hashes that an owner's rows may have: until they are resealed, some have that of an earlier index
     * key.
     */
    List<String> ownerIdHashes(String namespace, String ownerId) {
        return ownerIndex.candidates(namespace, ownerId);
    }

    Cells seal(Identity key, String ownerIdHash, KeyContents contents) {
        return cells.seal(key, ownerIdHash, contents);
    }

    /** Returns the row with these contents, owner index and MAC included, under the active keys. */
    ApiKeyRow resealed(ApiKeyRow row, KeyContents contents) {
        String ownerIdHash = ownerIdHash(row.namespace(), contents.ownerId());
        return authenticated(row.withCells(seal(row.identity(), ownerIdHash, contents)));
    }

    /** Returns the row with the MAC of its present values. */
    ApiKeyRow authenticated(ApiKeyRow row) {
        return row.withRowMac(rowMac.compute(values(row)));
    }

    Authenticity authenticity(ApiKeyRow row) {
        String mac = row.rowMac();
        if (mac == null) {
            return Authenticity.FORGED;
        }
        try {
            return rowMac.verify(values(row), mac) ? Authenticity.AUTHENTIC : Authenticity.FORGED;
        } catch (UnknownSealKeyException e) {
            return Authenticity.UNDECIDED;
        }
    }

    /** Whether a row that is readable is entirely under the active keys. */
    boolean isCurrent(ApiKeyRow row, String ownerId) {
        return row.rowMac() != null
                && rowMac.isCurrent(row.rowMac())
                && cells.isCurrent(row.cells())
                && row.cells().ownerIdHash().equals(ownerIdHash(row.namespace(), ownerId));
    }

    /**
     * @throws SealException if a cell does not open
     * @throws UnknownSealKeyException if the keyring lacks the key of a cell
     */
    KeyContents contents(ApiKeyRow row) {
        return cells.open(row);
    }

    /** All columns but lastUsedAt, which is written without a guard; order and names are part of the stored format. */
    private static RowValues values(ApiKeyRow row) {
        return new RowValues(TABLE)
                .text("namespace", row.namespace())
                .text("id", row.id())
                .text("prefix", row.identity().prefix())
                .text("owner_id_hash", row.cells().ownerIdHash())
                .text("owner_id", row.cells().ownerId())
                .text("scopes", row.cells().scopes())
                .text("metadata", row.cells().metadata())
                .text("details", row.cells().details())
                .text("secret_hash", row.secrets().primary())
                .text("secondary_secret_hash", row.secrets().secondary())
                .number("secondary_expires_at", row.secrets().secondaryExpiresAt())
                .number("created_at", row.identity().createdAt())
                .number("expires_at", row.state().expiresAt())
                .number("disabled_at", row.state().disabledAt())
                .number("revoked_at", row.state().revokedAt())
                .number("version", row.state().version());
    }
}
