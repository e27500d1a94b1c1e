package io.credential.apikey.internal;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ListOptions;
import io.credential.apikey.internal.KeyReader.Position;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.ticket.JdbcTicketStore;

/** Revokes or erases all keys of an owner, in short transactions. */
final class OwnerKeys {

    /** Small enough for the audit trail to name every key of a batch. */
    private static final int BATCH = 100;

    private static final ListOptions ALL = ListOptions.defaults().withRevoked().withExpired();

    private final Operations operations;
    private final KeyUpdater updater;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final JdbcTicketStore tickets;

    OwnerKeys(
            Operations operations,
            KeyUpdater updater,
            JdbcApiKeyStore store,
            RowProtection protection,
            JdbcTicketStore tickets) {
        this.operations = operations;
        this.updater = updater;
        this.store = store;
        this.protection = protection;
        this.tickets = tickets;
    }

    int revokeAll(String ownerId) {
        int revoked = 0;
        @Nullable Position after = Position.of(null);
        do {
            Batch batch = revokeBatch(ownerId, after);
            revoked += batch.ids.size();
            after = batch.next;
        } while (after != null);
        return revoked;
    }

    /** Each key gets an event with its version, too, by which an audit log notices a row that is put back. */
    private Batch revokeBatch(String ownerId, Position after) {
        return operations.change("apikey.revoke-all", () -> {
            List<ApiKeyRow> page = page(ownerId, after);
            // In the order of ids, as other nodes lock rows.
            List<String> ids = page.stream()
                    .map(ApiKeyRow::id)
                    .sorted()
                    .filter(updater::revoke)
                    .toList();
            return new Result<>(new Batch(ids, next(page)), null, facts(ids));
        });
    }

    int erase(String ownerId) {
        int erased = 0;
        Batch batch;
        do {
            batch = eraseBatch(ownerId);
            erased += batch.ids.size();
        } while (batch.next != null);
        return erased;
    }

    private Batch eraseBatch(String ownerId) {
        return operations.change("apikey.erase", () -> {
            List<ApiKeyRow> page = page(ownerId, Position.of(null));
            List<String> found = page.stream().map(ApiKeyRow::id).toList();
            List<String> ids = found.isEmpty() ? found : store.remove(found);
            if (!found.isEmpty()) {
                tickets.deleteForKeys(store.namespace(), found);
            }
            return new Result<>(new Batch(ids, next(page)), null, facts(ids));
        });
    }

    private Map<String, Object> facts(List<String> ids) {
        return Map.of("namespace", store.namespace(), "count", ids.size(), "ids", ids);
    }

    private List<ApiKeyRow> page(String ownerId, Position after) {
        List<String> hashes = protection.ownerIdHashes(store.namespace(), KeyRules.ownerId(ownerId));
        return store.pages().list(hashes, after, ALL, Long.MAX_VALUE, BATCH);
    }

    private static @Nullable Position next(List<ApiKeyRow> page) {
        if (page.size() < BATCH) {
            return null;
        }
        ApiKeyRow last = page.get(BATCH - 1);
        return new Position(last.identity().createdAt(), last.id());
    }

    /**
     * What a transaction changed.
     *
     * @param next where the next batch begins; null if none follows
     */
    private record Batch(List<String> ids, @Nullable Position next) {}
}
