package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.ApiKeyRow.Cells;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.ratelimit.RateLimit;
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

    private static final String NAME = "name";
    private static final String CREATED_BY = "createdBy";
    private static final String RATE_LIMIT = "rateLimit";
    private static final Pattern RATE_LIMIT_FORM = Pattern.compile("(\\d{1,7})/(\\d{1,5})");

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
                sealDetails(key, contents));
    }

    /**
     * @throws SealException if a cell does not open
     * @throws UnknownSealKeyException if the keyring lacks the key of a cell
     */
    KeyContents open(ApiKeyRow row) {
        Map<String, String> details = openDetails(row);
        return new KeyContents(
                openOwner(row),
                openScopes(row),
                openMetadata(row),
                details.get(NAME),
                details.get(CREATED_BY),
                rateLimit(row, details.get(RATE_LIMIT)));
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

    Map<String, String> openDetails(ApiKeyRow row) {
        String cell = row.cells().details();
        return cell == null ? Map.of() : parsed(row, "details", open(row, "details", cell), CellCodec::readTexts);
    }

    /** Whether every cell is sealed under the active key and bound to its row. */
    boolean isCurrent(Cells cells) {
        return sealer.isCurrent(cells.ownerId())
                && sealer.isCurrent(cells.scopes())
                && sealer.isCurrent(cells.metadata())
                && (cells.details() == null || sealer.isCurrent(cells.details()));
    }

    private @Nullable String sealDetails(Identity key, KeyContents contents) {
        Map<String, Object> details = new LinkedHashMap<>();
        if (contents.name() != null) {
            details.put(NAME, contents.name());
        }
        if (contents.createdBy() != null) {
            details.put(CREATED_BY, contents.createdBy());
        }
        if (contents.rateLimit() != null) {
            RateLimit limit = contents.rateLimit();
            details.put(RATE_LIMIT, limit.limit() + "/" + limit.windowSeconds());
        }
        return details.isEmpty() ? null : seal(key, "details", JsonText.write(details));
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

    private static Map<String, String> readTexts(String json) {
        Map<String, String> texts = new HashMap<>();
        JsonText.readObject(json).forEach((member, value) -> {
            if (!(value instanceof String text)) {
                throw new IllegalArgumentException("not a text");
            }
            texts.put(member, text);
        });
        return texts;
    }

    private static @Nullable RateLimit rateLimit(ApiKeyRow row, @Nullable String text) {
        return text == null ? null : parsed(row, "details", text, CellCodec::readRateLimit);
    }

    private static RateLimit readRateLimit(String text) {
        Matcher form = RATE_LIMIT_FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a rate limit");
        }
        return new RateLimit(Integer.parseInt(form.group(1)), Duration.ofSeconds(Integer.parseInt(form.group(2))));
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
