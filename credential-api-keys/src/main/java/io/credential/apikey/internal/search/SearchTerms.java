package io.credential.apikey.internal.search;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.BlindIndex;
import io.credential.seal.internal.Keyring;

/** Computes the keyed hashes for searching keys. Without the keyring, they only show which keys have equal hashes. */
public final class SearchTerms {

    private final BlindIndex names;
    private final BlindIndex scopes;
    private final boolean searchNames;
    private final boolean searchScopes;

    /**
     * @param searchNames whether keys can be searched by the beginning of their name
     * @param searchScopes whether keys can be searched by a scope
     */
    public SearchTerms(Keyring keyring, boolean searchNames, boolean searchScopes) {
        this.names = new BlindIndex(keyring, "api-key/name-prefix");
        this.scopes = new BlindIndex(keyring, "api-key/scope");
        this.searchNames = searchNames;
        this.searchScopes = searchScopes;
    }

    public boolean searchNames() {
        return searchNames;
    }

    public boolean searchScopes() {
        return searchScopes;
    }

    /** Returns the terms to store for a key, under the active index key. */
    public Set<String> of(String namespace, @Nullable String name, Collection<String> scopesOfKey) {
        Set<String> terms = new LinkedHashSet<>();
        if (searchNames && name != null) {
            NamePrefix.indexed(name).forEach(beginning -> terms.add(names.of(namespace, beginning)));
        }
        if (searchScopes) {
            scopesOfKey.forEach(scope -> terms.add(scopes.of(namespace, scope)));
        }
        return terms;
    }

    /** Returns the terms to look up for a normalized name prefix, one for each index key. */
    public List<String> ofPrefix(String namespace, String normalized) {
        return names.candidates(namespace, NamePrefix.lookedUp(normalized));
    }

    /** Returns the terms to look up for a scope, one for each index key. */
    public List<String> ofScope(String namespace, String scope) {
        return scopes.candidates(namespace, scope);
    }
}
