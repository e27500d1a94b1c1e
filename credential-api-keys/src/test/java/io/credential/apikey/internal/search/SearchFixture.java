package io.credential.apikey.internal.search;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Registries over the same keys, with and without search. */
final class SearchFixture {

    final Map<String, SecretBytes> sealKeys = Map.of("k1", SecretBytes.random(32, RegistryFixture.RANDOM));
    final SecretBytes index = SecretBytes.random(32, RegistryFixture.RANDOM);
    final RegistryFixture off;
    final RegistryFixture on;
    final ApiKeyRegistry registry;

    SearchFixture(TestDatabase test) {
        Keyring keyring = Keyring.of("k1", sealKeys, "i1", Map.of("i1", index));
        this.off = RegistryFixture.with(test.migrate(JdbcApiKeyRegistries.SCHEMA), keyring);
        this.on = reopened(keyring);
        this.registry = on.registry;
    }

    /** With search, under another keyring. */
    RegistryFixture reopened(Keyring keyring) {
        return off.reopened(
                keyring,
                options -> options.withImportedTokens(
                        ForeignTokenForm.byHash("sk_[0-9a-f]{32}", ForeignHashAlgorithm.SHA256)),
                builder -> builder.search(true, true));
    }

    String issue(UnaryOperator<IssueRequest> request) {
        return registry.issue(request.apply(IssueRequest.forOwner("user-42"))).id();
    }

    /** The ids of all matches, which are on one page. */
    List<String> search(UnaryOperator<KeySearch> criteria) {
        ApiKeyPage page = registry.search(criteria.apply(KeySearch.all()));
        assertThat(page.nextCursor()).isNull();
        return page.keys().stream().map(ApiKey::id).toList();
    }
}
