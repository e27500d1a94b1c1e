package io.credential.apikey;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.credential.apikey.ApiKeyRow.Cells;
import io.credential.apikey.Operations.Result;
import io.credential.seal.ResealResult;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;

/**
 * Brings the rows of a namespace under the active key. A first walk reads everything and writes nothing, so that a row
 * that cannot be read stops the whole call before it could be lost; the second rewrites row by row and can be repeated.
 */
final class KeyResealer {

    private static final int BATCH = 200;
    private static final int MAX_ATTEMPTS = 5;

    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final CellCodec cells;
    private final boolean windowOpen;

    /**
     * @param windowOpen whether cells of the plain form are read, and rows without a MAC whose owner, scopes and metadata all
     *     have that form
     */
    KeyResealer(
            Operations operations, JdbcApiKeyStore store, RowProtection protection, Sealer sealer, boolean windowOpen) {
        this.operations = operations;
        this.store = store;
        this.protection = protection;
        this.cells = windowOpen ? CellCodec.plainOrBound(sealer) : CellCodec.bound(sealer);
        this.windowOpen = windowOpen;
    }

    ResealResult resealSealedColumns() {
        return operations.audited("apikey.reseal", () -> {
            operations.inGuardedTransaction(() -> true);
            walk(this::requireReadable);
            int[] resealed = {0};
            int examined = walk(row -> resealed[0] += reseal(row) ? 1 : 0);
            return new Result<>(
                    new ResealResult(examined, resealed[0]),
                    null,
                    Map.of("examined", examined, "resealed", resealed[0]));
        });
    }

    private int walk(Consumer<ApiKeyRow> visit) {
        int visited = 0;
        String after = "";
        List<ApiKeyRow> batch;
        do {
            batch = store.walk(after, BATCH);
            batch.forEach(visit);
            visited += batch.size();
            after = batch.isEmpty() ? after : batch.get(batch.size() - 1).id();
        } while (batch.size() == BATCH);
        return visited;
    }

    private void requireReadable(ApiKeyRow row) {
        Cells sealed = row.cells();
        requireReadable(row, "owner_id", sealed.ownerId(), cells::openOwner);
        requireReadable(row, "scopes", sealed.scopes(), cells::openScopes);
        requireReadable(row, "metadata", sealed.metadata(), cells::openMetadata);
        if (sealed.details() != null) {
            requireReadable(row, "details", sealed.details(), cells::openDetails);
        }
        if (mayLackMac(row)) {
            return;
        }
        switch (protection.authenticity(row)) {
            case AUTHENTIC -> {}
            case FORGED -> throw unreadable(row, "row_mac", "does not match the row");
            case UNDECIDED -> throw unreadable(row, "row_mac", "was made under a key that the keyring lacks");
        }
    }

    /**
     * Whether a row may be read without a MAC. Rows had no MAC when cells were not bound either: a bound cell beside no
     * MAC means that the MAC was removed. Name and creator came later, and have no plain form.
     */
    private boolean mayLackMac(ApiKeyRow row) {
        Cells sealed = row.cells();
        return windowOpen
                && row.rowMac() == null
                && Sealer.isPlain(sealed.ownerId())
                && Sealer.isPlain(sealed.scopes())
                && Sealer.isPlain(sealed.metadata());
    }

    private void requireReadable(ApiKeyRow row, String column, String cell, Consumer<ApiKeyRow> open) {
        if (!windowOpen && Sealer.isPlain(cell)) {
            throw ApiKeyException.about(
                    row.id(),
                    ApiKeyErrorCode.RESEAL_WINDOW_CLOSED,
                    where(row, column) + " has the plain form; name " + RowProtection.TABLE
                            + " in credential.seal.allow-plain-migration, reseal, and take it out again");
        }
        try {
            open.accept(row);
        } catch (SealException e) {
            throw unreadable(row, column, "does not open");
        } catch (UnknownSealKeyException e) {
            throw unreadable(row, column, "is sealed under a key that the keyring lacks");
        }
    }

    /** Whether the row was rewritten; one that is current is left alone. */
    private boolean reseal(ApiKeyRow seen) {
        ApiKeyRow row = seen;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            requireReadable(row);
            KeyContents contents = cells.open(row);
            if (protection.isCurrent(row, contents.ownerId())) {
                return false;
            }
            ApiKeyRow read = row;
            ApiKeyRow current = protection.resealed(row, contents);
            if (operations.inGuardedTransaction(() -> store.replace(current, read))) {
                return true;
            }
            var again = store.find(row.id());
            if (again.isEmpty()) {
                return false; // purged meanwhile
            }
            row = again.get();
        }
        throw RowAccess.conflict(row.id());
    }

    private static ApiKeyException unreadable(ApiKeyRow row, String column, String why) {
        return ApiKeyException.about(
                row.id(), ApiKeyErrorCode.UNREADABLE_ROW, where(row, column) + " " + why + "; nothing was resealed");
    }

    private static String where(ApiKeyRow row, String column) {
        return RowProtection.TABLE + "." + column + " of API key " + row.id();
    }
}
