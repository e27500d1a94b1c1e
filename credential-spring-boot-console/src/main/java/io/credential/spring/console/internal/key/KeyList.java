package io.credential.spring.console.internal.key;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.spring.operations.internal.ExaminedKey;
import io.credential.spring.operations.internal.KeyOperations.RegistrySummary;

/**
 * A page of the keys of a registry.
 *
 * @param namespaces all registries
 * @param registry the one whose keys are shown
 * @param show a state or a finding; empty for all
 * @param search what was searched for; null if that may be in the URL
 * @param keys the newest first
 * @param next the cursor of the next page; null on the last one
 * @param leader where keys can be changed
 */
public record KeyList(
        List<String> namespaces,
        RegistrySummary registry,
        String show,
        @Nullable Search search,
        List<ExaminedKey> keys,
        @Nullable String next,
        Leader.Place leader) {

    public KeyList {
        namespaces = List.copyOf(namespaces);
        keys = List.copyOf(keys);
    }

    /**
     * Criteria that are sealed in the database, and must not be in URLs, which are logged. Does not print them.
     *
     * @param owner exact; empty for any
     * @param name how it begins; empty for any
     * @param scope exact; empty for any
     */
    public record Search(String owner, String name, String scope) {

        @Override
        public String toString() {
            return "Search";
        }
    }

    /** Returns whether the page ended before it was full, although more keys may match. */
    public boolean isCutShort() {
        return next != null && keys.size() < KeysSection.ROWS;
    }
}
