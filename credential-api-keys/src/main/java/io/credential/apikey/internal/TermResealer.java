package io.credential.apikey.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.apikey.internal.search.JdbcTermStore;
import io.credential.apikey.internal.search.SearchTerms;

/**
 * Brings the search terms of a namespace up to date: adds terms of keys from before search was enabled, replaces those
 * under an earlier index key, and removes those of a disabled search. Can be repeated after an interruption.
 */
final class TermResealer {

    private static final int BATCH = 200;

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final KeyLedger ledger;

    TermResealer(Operations operations, RowAccess rows, JdbcApiKeyStore store) {
        this.operations = operations;
        this.rows = rows;
        this.store = store;
        this.ledger = store.ledger();
    }

    /**
     * Corrects the terms of all keys.
     *
     * @return the number of keys whose terms were corrected
     */
    int correctAll() {
        SearchTerms terms = ledger.terms();
        return terms.searchNames() || terms.searchScopes() ? correct() : removeAll();
    }

    private int removeAll() {
        JdbcTermStore stored = ledger.termStore();
        int removed = 0;
        List<String> ids = stored.ids(BATCH);
        while (!ids.isEmpty()) {
            List<String> batch = ids;
            removed += operations.inGuardedTransaction(() -> {
                stored.delete(batch);
                return batch.size();
            });
            ids = stored.ids(BATCH);
        }
        return removed;
    }

    private int correct() {
        int corrected = 0;
        String after = "";
        List<ApiKeyRow> batch;
        do {
            batch = store.pages().walk(after, BATCH);
            Map<String, Set<String>> stored =
                    ledger.termStore().find(batch.stream().map(ApiKeyRow::id).toList());
            for (ApiKeyRow row : batch) {
                if (hasOtherTerms(row, stored.getOrDefault(row.id(), Set.of())) && correct(row.id())) {
                    corrected++;
                }
                after = row.id();
            }
        } while (batch.size() == BATCH);
        return corrected;
    }

    private boolean hasOtherTerms(ApiKeyRow row, Set<String> stored) {
        rows.requireAuthentic(row);
        return ledger.hasOtherTerms(row, rows.contents(row), stored);
    }

    /** Reads the key again, because it may have changed. */
    private boolean correct(String id) {
        return operations.inGuardedTransaction(() -> rows.findLocked(id)
                .map(row -> {
                    rows.requireAuthentic(row);
                    ledger.correctTerms(row, rows.contents(row));
                    return true;
                })
                .orElse(false));
    }
}
