package io.credential.apikey;

import io.credential.seal.Sealer;

/**
 * Reads rows for a reseal. While the window is open, cells of the plain form are read, and rows without a MAC whose owner,
 * scopes and metadata all have that form. Nothing but {@link KeyResealer} is given one.
 */
final class MigrationWindow {

    private final boolean open;
    private final CellCodec cells;

    MigrationWindow(Sealer sealer, boolean open) {
        this.open = open;
        this.cells = open ? CellCodec.plainOrBound(sealer) : CellCodec.bound(sealer);
    }

    boolean isOpen() {
        return open;
    }

    CellCodec cells() {
        return cells;
    }

    /**
     * Whether a row may be read without a MAC. Rows had no MAC when cells were not bound either: a bound cell beside no
     * MAC means that the MAC was removed. Name and creator came later, and have no plain form.
     */
    boolean admits(ApiKeyRow row) {
        ApiKeyRow.Cells sealed = row.cells();
        return open
                && row.rowMac() == null
                && Sealer.isPlain(sealed.ownerId())
                && Sealer.isPlain(sealed.scopes())
                && Sealer.isPlain(sealed.metadata());
    }
}
