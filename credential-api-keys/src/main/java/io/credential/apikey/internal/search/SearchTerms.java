package io.credential.apikey.internal.search;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.BlindIndex;
import io.credential.seal.internal.Keyring;

/** Computes the keyed hashes by which keys are searched. Without the keyring they show only which keys have equal ones. */
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

    /** Returns what is stored of a key, under the active index key. */
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

    /** Returns what keys whose normalized name begins with a normalized prefix are looked up by, under each index key. */
    public List<String> ofPrefix(String namespace, String normalized) {
        return names.candidates(namespace, NamePrefix.lookedUp(normalized));
    }

    /** Returns what keys with a scope are looked up by, under each index key. */
    public List<String> ofScope(String namespace, String scope) {
        return scopes.candidates(namespace, scope);
    }
}
