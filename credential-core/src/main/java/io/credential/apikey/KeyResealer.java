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
    private final MigrationWindow window;

    KeyResealer(Operations operations, JdbcApiKeyStore store, RowProtection protection, MigrationWindow window) {
        this.operations = operations;
        this.store = store;
        this.protection = protection;
        this.window = window;
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
        requireReadable(row, "owner_id", sealed.ownerId(), window.cells()::openOwner);
        requireReadable(row, "scopes", sealed.scopes(), window.cells()::openScopes);
        requireReadable(row, "metadata", sealed.metadata(), window.cells()::openMetadata);
        if (sealed.details() != null) {
            requireReadable(row, "details", sealed.details(), window.cells()::openDetails);
        }
        if (window.admits(row)) {
            return;
        }
        switch (protection.authenticity(row)) {
            case AUTHENTIC -> {}
            case FORGED -> throw unreadable(row, "row_mac", "does not match the row");
            case UNDECIDED -> throw unreadable(row, "row_mac", "was made under a key that the keyring lacks");
        }
    }

    private void requireReadable(ApiKeyRow row, String column, String cell, Consumer<ApiKeyRow> open) {
        if (!window.isOpen() && Sealer.isPlain(cell)) {
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
            KeyContents contents = window.cells().open(row);
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
