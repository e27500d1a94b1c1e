package io.credential.apikey.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.credential.apikey.internal.search.JdbcTermStore;
import io.credential.apikey.internal.search.JdbcTermStore.StoredTerm;
import io.credential.apikey.internal.search.SearchTerms;

/**
 * Brings the search terms of a namespace up to date: adds terms of keys from before search was enabled, replaces those
 * under an earlier index key, and removes those of a disabled search. Can be repeated after an interruption.
 */
final class TermReindexer {

    private static final int BATCH = 200;

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final KeyLedger ledger;

    TermReindexer(Operations operations, RowAccess rows, JdbcApiKeyStore store) {
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
        boolean searchable = terms.searchNames() || terms.searchScopes();
        return searchable ? correct() + remove(this::withoutKey) : remove(ids -> ids);
    }

    /** Removes the terms of those keys that a function selects of all that have terms. */
    private int remove(UnaryOperator<List<String>> selection) {
        JdbcTermStore stored = ledger.termStore();
        int removed = 0;
        List<String> ids = stored.ids("", BATCH);
        while (!ids.isEmpty()) {
            List<String> selected = selection.apply(ids);
            if (!selected.isEmpty()) {
                removed += operations.inGuardedTransaction(() -> {
                    stored.delete(selected);
                    return selected.size();
                });
            }
            ids = stored.ids(ids.get(ids.size() - 1), BATCH);
        }
        return removed;
    }

    /** A node of an earlier version, and SQL, can delete a key without its terms. */
    private List<String> withoutKey(List<String> ids) {
        Set<String> existing = store.findAll(ids).stream().map(ApiKeyRow::id).collect(Collectors.toSet());
        return ids.stream().filter(id -> !existing.contains(id)).toList();
    }

    private int correct() {
        int corrected = 0;
        String after = "";
        List<ApiKeyRow> batch;
        do {
            batch = store.pages().walk(after, BATCH);
            Map<String, Set<StoredTerm>> stored =
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

    private boolean hasOtherTerms(ApiKeyRow row, Set<StoredTerm> stored) {
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
