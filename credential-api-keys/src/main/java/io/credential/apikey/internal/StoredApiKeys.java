package io.credential.apikey.internal;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.search.SearchTerms;
import io.credential.apikey.internal.totals.JdbcKeyTotals;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.Sealer;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;

/** Reads stored keys of all namespaces, whether or not they have a registry. */
public final class StoredApiKeys {

    private static final String NAMESPACES =
            "SELECT DISTINCT namespace FROM " + RowProtection.TABLE + " ORDER BY namespace";

    private StoredApiKeys() {}

    /**
     * Reads every key of every namespace, and writes nothing.
     *
     * @return how many keys were read
     * @throws ApiKeyException {@code api-key/unreadable-row} or {@code api-key/reseal-window-closed} if one is not
     *     authentic or does not open
     */
    public static int requireAllReadable(CredentialDatabase database, Keyring keyring, SecureRandom random) {
        JdbcApiKeyRegistries.Builder builder =
                JdbcApiKeyRegistries.builder(database, keyring).random(random);
        Sealer sealer = new Sealer(keyring, random);
        RowProtection protection = new RowProtection(sealer, keyring);
        Operations operations = new Operations(
                database, builder.leadership, builder.auditTrail(builder.auditSink, builder.actor, false, false));
        KeyRowCache cache = new KeyRowCache(database, null);
        JdbcKeyTotals totals = new JdbcKeyTotals(database, new RandomHex(random));
        SearchTerms terms = new SearchTerms(keyring, false, false);
        return database.jdbc().sql(NAMESPACES).query((row, index) -> row.getString(1)).list().stream()
                .map(namespace -> new JdbcApiKeyStore(
                        database, namespace, cache, new KeyLedger(database, namespace, totals, terms, null)))
                .mapToInt(store -> new KeyResealer(operations, store, protection, sealer, false).requireAllReadable())
                .sum();
    }

    /**
     * Returns a function that reads the versions of keys, of which there is one more after each change.
     *
     * @return given ids, returns the versions of those whose row exists, and 0 for a row that is not authentic; reads and
     *     writes nothing else
     */
    public static Function<Collection<String>, Map<String, Long>> versions(
            CredentialDatabase database, Keyring keyring, SecureRandom random) {
        RowProtection protection = new RowProtection(new Sealer(keyring, random), keyring);
        return ids -> {
            Map<String, Long> versions = new HashMap<>();
            if (ids.isEmpty()) { // there may be no table of keys
                return versions;
            }
            JdbcApiKeyStore.find(database, ids).forEach(row -> {
                boolean authentic = protection.authenticity(row) == RowProtection.Authenticity.AUTHENTIC;
                versions.merge(row.id(), authentic ? row.state().version() : 0, Math::max);
            });
            return versions;
        };
    }
}
