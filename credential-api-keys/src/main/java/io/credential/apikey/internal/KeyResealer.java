package io.credential.apikey.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.Operations.Result;
import io.credential.seal.ResealResult;
import io.credential.seal.internal.RowResealer;
import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;

/** Reseals the keys of a namespace, and updates the hashes for search by owner, name and scope. */
final class KeyResealer extends RowResealer<ApiKeyRow> {

    private static final Logger LOG = LoggerFactory.getLogger(KeyResealer.class);

    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final CellCodec cells;
    private final boolean windowOpen;

    /**
     * @param windowOpen whether cells of the plain form are read, and rows without a MAC whose owner, scopes and
     *     metadata all have that form
     */
    KeyResealer(
            Operations operations, JdbcApiKeyStore store, RowProtection protection, Sealer sealer, boolean windowOpen) {
        this.operations = operations;
        this.store = store;
        this.protection = protection;
        this.cells = windowOpen ? CellCodec.plainOrBound(sealer) : CellCodec.bound(sealer);
        this.windowOpen = windowOpen;
    }

    ResealResult resealSealedColumns(TermReindexer terms) {
        return operations.audited("apikey.reseal", () -> {
            operations.inGuardedTransaction(() -> true);
            ResealResult result = resealAll();
            int corrected = terms.correctAll();
            return new Result<>(
                    result,
                    null,
                    Map.of("examined", result.examined(), "resealed", result.resealed(), "termsCorrected", corrected));
        });
    }

    @Override
    protected List<ApiKeyRow> rowsAfter(String id, int limit) {
        return store.pages().walk(id, limit);
    }

    @Override
    protected Optional<ApiKeyRow> find(String id) {
        return store.find(id);
    }

    @Override
    protected String id(ApiKeyRow row) {
        return row.id();
    }

    @Override
    protected void requireReadable(ApiKeyRow row) {
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
            case FORGED ->
                throw unreadable(row, "row_mac", "does not match the row: restore the row from a backup, or delete it");
            case UNDECIDED ->
                throw unreadable(row, "row_mac", "was made under a key that the keyring lacks: add it to the keyring");
        }
    }

    /**
     * Whether a row may be read without a MAC. Rows without a MAC are older than bound cells: a bound cell in such a
     * row means that its MAC was removed. Name and creator are newer and have no plain form.
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
            throw ApiKeyException.ofKey(
                    row.id(),
                    ApiKeyErrorCode.RESEAL_WINDOW_CLOSED,
                    where(row, column) + " has the plain form; add " + RowProtection.TABLE
                            + " to credential.seal.allow-plain-migration, reseal, and remove it again");
        }
        try {
            open.accept(row);
        } catch (SealException e) {
            throw unreadable(row, column, "does not open: restore the row from a backup, or delete it");
        } catch (UnknownSealKeyException e) {
            throw unreadable(row, column, "is sealed under a key that the keyring lacks: add it to the keyring");
        }
    }

    @Override
    protected boolean isCurrent(ApiKeyRow row) {
        return protection.isCurrent(row, opened(row).ownerId());
    }

    @Override
    protected boolean rewrite(ApiKeyRow row) {
        ApiKeyRow current = protection.resealed(row, opened(row));
        return operations.inGuardedTransaction(() -> store.replace(current, row));
    }

    @Override
    protected RuntimeException conflict(String id) {
        return RowAccess.conflict(id);
    }

    @Override
    protected void report(String pass, int examined, int resealed) {
        LOG.info(
                "{} API keys in the namespace '{}': {} rows examined, {} changed so far",
                pass,
                store.namespace(),
                examined,
                resealed);
    }

    private KeyContents opened(ApiKeyRow row) {
        requireReadable(row);
        return cells.open(row);
    }

    private static ApiKeyException unreadable(ApiKeyRow row, String column, String why) {
        return ApiKeyException.ofKey(row.id(), ApiKeyErrorCode.UNREADABLE_ROW, where(row, column) + " " + why);
    }

    private static String where(ApiKeyRow row, String column) {
        return RowProtection.TABLE + "." + column + " of API key " + row.id();
    }
}
