package io.credential.webhook.delivery.internal;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.CellAddress;
import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;

/**
 * Seals the ids at which the pages of one kind end for one audience. The id can be that of another audience, which must neither
 * see nor choose it. Thread-safe.
 */
final class PageCursors {

    /** Longer than any sealed id. */
    private static final int MAX_LENGTH = 1024;

    private final Sealer sealer;
    private final CellAddress address;

    /** @param kind of what the pages are, as a stable word */
    PageCursors(Sealer sealer, String kind, String audience) {
        this.sealer = sealer;
        this.address = new CellAddress("webhook_cursors", kind, audience, "");
    }

    @Nullable String seal(@Nullable String id) {
        return id == null ? null : sealer.seal(address, id.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the id that was sealed; null for null. */
    @Nullable String open(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        DispatcherRules.requireThat(cursor.length() <= MAX_LENGTH, problem());
        try {
            return new String(sealer.open(address, cursor), StandardCharsets.US_ASCII);
        } catch (SealException | UnknownSealKeyException e) {
            throw DispatcherRules.bad(problem());
        }
    }

    private String problem() {
        return "cursor must be the nextCursor of a page of " + address.column()
                + " of this audience; omit it for the first page";
    }
}
