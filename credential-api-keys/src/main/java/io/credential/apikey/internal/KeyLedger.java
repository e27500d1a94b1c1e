package io.credential.apikey.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyTotals;
import io.credential.apikey.internal.ApiKeyRow.State;
import io.credential.apikey.internal.search.JdbcTermStore;
import io.credential.apikey.internal.search.JdbcTermStore.StoredTerm;
import io.credential.apikey.internal.search.JdbcTermStore.TermsOfKey;
import io.credential.apikey.internal.search.SearchTerms;
import io.credential.apikey.internal.totals.JdbcKeyTotals;
import io.credential.apikey.internal.totals.KeyBucket;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Keeps what is stored beside the keys of one namespace: totals, search terms and usage. Call it in the transaction that
 * changes the rows of the keys.
 */
final class KeyLedger {

    private final String namespace;
    private final JdbcKeyTotals totals;
    private final SearchTerms terms;
    private final JdbcTermStore termStore;
    private final @Nullable JdbcUsageStore usage;

    /** @param usage null if usage is not counted */
    KeyLedger(
            CredentialDatabase database,
            String namespace,
            JdbcKeyTotals totals,
            SearchTerms terms,
            @Nullable JdbcUsageStore usage) {
        this.namespace = namespace;
        this.totals = totals;
        this.terms = terms;
        this.termStore = new JdbcTermStore(database, namespace);
        this.usage = usage;
    }

    /** A row to add, and what is sealed in it. */
    record NewKey(ApiKeyRow row, KeyContents contents) {}

    void added(List<NewKey> keys) {
        Map<KeyBucket, Long> changes = new HashMap<>();
        keys.forEach(key -> changes.merge(bucket(key.row().state()), 1L, Long::sum));
        totals.add(namespace, changes);
        termStore.insert(
                keys.stream().map(key -> terms(key.row(), key.contents())).toList());
    }

    /** Notes a change of the state; nothing if the key is counted as before. */
    void moved(State before, State after) {
        KeyBucket from = bucket(before);
        KeyBucket to = bucket(after);
        if (!from.equals(to)) {
            totals.add(namespace, Map.of(from, -1L, to, 1L));
        }
    }

    /** @param removed the states of the removed rows by id */
    void removed(Map<String, State> removed) {
        Map<KeyBucket, Long> changes = new HashMap<>();
        removed.values().forEach(state -> changes.merge(bucket(state), -1L, Long::sum));
        totals.add(namespace, changes);
        termStore.delete(removed.keySet());
        if (usage != null) {
            usage.deleteForKeys(namespace, removed.keySet());
        }
    }

    /** Notes the new terms of a key, if they have changed. */
    void described(ApiKeyRow row, KeyContents before, KeyContents after) {
        TermsOfKey changed = terms(row, after);
        if (!changed.equals(terms(row, before))) {
            termStore.replace(changed);
        }
    }

    /** Returns whether the stored terms of a key differ from those that it should have. */
    boolean hasOtherTerms(ApiKeyRow row, KeyContents contents, Set<StoredTerm> stored) {
        return !terms(row, contents).areStored(stored);
    }

    void correctTerms(ApiKeyRow row, KeyContents contents) {
        termStore.replace(terms(row, contents));
    }

    SearchTerms terms() {
        return terms;
    }

    JdbcTermStore termStore() {
        return termStore;
    }

    /** @param now decides which keys have expired, in Unix milliseconds */
    ApiKeyTotals totals(long now) {
        return totals.read(namespace, now);
    }

    private TermsOfKey terms(ApiKeyRow row, KeyContents contents) {
        Set<String> found = terms.of(namespace, contents.details().name(), contents.scopes());
        return new TermsOfKey(row.id(), row.identity().createdAt(), found);
    }

    private static KeyBucket bucket(State state) {
        return KeyBucket.of(state.expiresAt(), state.disabledAt(), state.revokedAt());
    }
}
