package io.credential.apikey.internal;

import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.search.SearchTerms;
import io.credential.apikey.internal.totals.JdbcKeyTotals;
import io.credential.seal.internal.Keyring;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;

/** Stores of keys without a cache and without search. */
final class TestStores {

    private TestStores() {}

    static JdbcApiKeyStore of(CredentialDatabase database, String namespace) {
        return new JdbcApiKeyStore(
                database,
                namespace,
                new KeyRowCache(database, null),
                new KeyLedger(
                        database,
                        namespace,
                        new JdbcKeyTotals(database, new RandomHex(RegistryFixture.RANDOM)),
                        new SearchTerms(Keyring.generate(RegistryFixture.RANDOM), false, false),
                        null));
    }
}
