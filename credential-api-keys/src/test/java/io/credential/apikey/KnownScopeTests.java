package io.credential.apikey;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** If there are known scopes, keys may have only these. */
@BothDatabases
class KnownScopeTests extends RegistryTestBase {

    private static final List<String> KNOWN = List.of("orders:read", "orders:write", "stock:read");
    private static final IssueRequest REQUEST = IssueRequest.forOwner("user-42");

    KnownScopeTests(TestDatabase database) {
        super(database);
    }

    private ApiKeyRegistry registry(List<String> known, boolean wildcards) {
        return fixture.reopened(
                        fixture.keyring,
                        options -> options.withKnownScopes(known).withScopeWildcards(wildcards),
                        builder -> builder)
                .registry;
    }

    @Test
    void issueWhenScopeIsUnknownThenRefused() {
        ApiKeyRegistry strict = registry(KNOWN, false);

        assertThat(strict.issue(REQUEST.scopes("orders:read", "stock:read")).scopes())
                .hasSize(2);
        assertRefused(() -> strict.issue(REQUEST.scopes("orders:read", "orders:raed")), "orders:raed");
        assertRefused(() -> strict.issue(REQUEST.scopes("orders:*")), "orders:*");
    }

    @Test
    void issueWhenCatalogueIsEmptyThenAnyScope() {
        assertThat(registry(List.of(), false).issue(REQUEST.scopes("*", "any")).scopes())
                .containsExactly("*", "any");
    }

    @Test
    void issueWhenWildcardMatchesKnownScopeThenIssued() {
        ApiKeyRegistry wild = registry(KNOWN, true);

        assertThat(wild.issue(REQUEST.scopes("orders:*", "*")).scopes()).containsExactly("orders:*", "*");
        assertRefused(() -> wild.issue(REQUEST.scopes("invoices:*")), "invoices:*");
        assertRefused(() -> wild.issue(REQUEST.scopes("orders*")), "orders*");
    }

    @Test
    void updateWhenScopeIsUnknownThenRefused() {
        ApiKeyRegistry strict = registry(KNOWN, false);
        String id = strict.issue(REQUEST.scopes("orders:read")).id();

        assertRefused(() -> strict.update(id, ApiKeyChanges.none().scopes("orders:delete")), "orders:delete");
        assertThat(strict.getById(id).orElseThrow().scopes()).containsExactly("orders:read");
        assertThat(strict.update(id, ApiKeyChanges.none().scopes("orders:write"))
                        .scopes())
                .containsExactly("orders:write");
    }

    /** A scope that is not known any more does not prevent other changes. */
    @Test
    void updateWhenScopesAreNotChangedThenNotCompared() {
        String id = registry.issue(REQUEST.scopes("old")).id();

        assertThat(registry(KNOWN, false)
                        .update(id, ApiKeyChanges.none().name("laptop"))
                        .scopes())
                .containsExactly("old");
    }

    @Test
    void withKnownScopesWhenMalformedThenRefused() {
        for (List<String> known : List.of(Arrays.asList("a", null), List.of("a b"), List.of(""))) {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> ApiKeyRegistryOptions.forNamespace("live").withKnownScopes(known))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
        }
    }

    @Test
    void withKnownScopesWhenThereAreManyThenAccepted() {
        List<String> many = IntStream.range(0, 1000).mapToObj(n -> "scope-" + n).toList();

        assertThat(ApiKeyRegistryOptions.forNamespace("live")
                        .withKnownScopes(many)
                        .knownScopes())
                .containsExactlyElementsOf(many);
    }

    private static void assertRefused(ThrowingCallable call, String scope) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .withMessageContaining("'" + scope + "'")
                .withMessageContaining("credential.api-keys.scopes.known")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
    }
}
