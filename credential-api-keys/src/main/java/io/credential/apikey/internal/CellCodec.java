package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.seal.internal.CellAddress;
import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.storage.internal.JsonText;

/**
 * Writes and reads the sealed columns of a row. The caller that creates the codec decides which forms of a cell are
 * read. Only a reseal inside the migration window reads the plain form.
 */
final class CellCodec {

    private final Sealer sealer;
    private final BiFunction<CellAddress, String, byte[]> opener;

    private CellCodec(Sealer sealer, BiFunction<CellAddress, String, byte[]> opener) {
        this.sealer = sealer;
        this.opener = opener;
    }

    /** Reads only cells that are bound to their row. */
    static CellCodec bound(Sealer sealer) {
        return new CellCodec(sealer, sealer::open);
    }

    /** Also reads cells in the plain form. */
    static CellCodec plainOrBound(Sealer sealer) {
        return new CellCodec(sealer, sealer::openPlainOrBound);
    }

    Cells seal(Identity key, String ownerIdHash, KeyContents contents) {
        return new Cells(
                ownerIdHash,
                seal(key, "owner_id", contents.ownerId()),
                seal(key, "scopes", JsonText.write(contents.scopes())),
                seal(key, "metadata", JsonText.write(contents.metadata())),
                sealDetails(key, contents.details()));
    }

    /**
     * @throws SealException if a cell does not open
     * @throws UnknownSealKeyException if the keyring lacks the key of a cell
     */
    KeyContents open(ApiKeyRow row) {
        return new KeyContents(openOwner(row), openScopes(row), openMetadata(row), openDetails(row));
    }

    String openOwner(ApiKeyRow row) {
        return open(row, "owner_id", row.cells().ownerId());
    }

    List<String> openScopes(ApiKeyRow row) {
        return parsed(row, "scopes", open(row, "scopes", row.cells().scopes()), JsonText::readStrings);
    }

    Map<String, Object> openMetadata(ApiKeyRow row) {
        return parsed(row, "metadata", open(row, "metadata", row.cells().metadata()), JsonText::readObject);
    }

    KeyDetails openDetails(ApiKeyRow row) {
        String cell = row.cells().details();
        return cell == null ? KeyDetails.NONE : parsed(row, "details", open(row, "details", cell), KeyDetails::parse);
    }

    /** Whether every cell is sealed under the active key and bound to its row. */
    boolean isCurrent(Cells cells) {
        return sealer.isCurrent(cells.ownerId())
                && sealer.isCurrent(cells.scopes())
                && sealer.isCurrent(cells.metadata())
                && (cells.details() == null || sealer.isCurrent(cells.details()));
    }

    private @Nullable String sealDetails(Identity key, KeyDetails details) {
        String json = details.json();
        return json == null ? null : seal(key, "details", json);
    }

    private String seal(Identity key, String column, String text) {
        return sealer.seal(address(key, column), text.getBytes(StandardCharsets.UTF_8));
    }

    private String open(ApiKeyRow row, String column, String cell) {
        return new String(opener.apply(address(row.identity(), column), cell), StandardCharsets.UTF_8);
    }

    private static CellAddress address(Identity key, String column) {
        return new CellAddress(RowProtection.TABLE, column, key.namespace(), key.id());
    }

    private static <T> T parsed(ApiKeyRow row, String column, String json, Function<String, T> parser) {
        try {
            return parser.apply(json);
        } catch (IllegalArgumentException e) {
            throw new SealException("The cell " + RowProtection.TABLE + "." + column + " of " + row.id()
                    + " does not contain the expected JSON");
        }
    }
}
