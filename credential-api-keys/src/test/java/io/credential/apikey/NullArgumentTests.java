package io.credential.apikey;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A missing argument is refused by its code and never a failure of this library. */
@BothDatabases
@SuppressWarnings("NullAway") // what is refused is null
class NullArgumentTests extends RegistryTestBase {

    private static final IssueRequest REQUEST = IssueRequest.forOwner("user-42");
    private static final ApiKeyChanges CHANGES = ApiKeyChanges.none();
    private static final KeySearch SEARCH = KeySearch.all();
    private static final ApiKeyRegistryOptions OPTIONS = ApiKeyRegistryOptions.forNamespace("live");

    NullArgumentTests(TestDatabase database) {
        super(database);
    }

    @Test
    void requestsAndChangesWhenNullThenRefusedByTheirCode() {
        assertCode("api-key/missing-owner", () -> IssueRequest.forOwner(null));
        assertCode("api-key/missing-owner", () -> IssueRequest.forOwner(""));
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> REQUEST.scopes((String[]) null),
                () -> REQUEST.scopes((String) null),
                () -> REQUEST.scopes("a", null),
                () -> REQUEST.scopes((Collection<String>) null),
                () -> REQUEST.scopes(Collections.singletonList(null)),
                () -> REQUEST.scopes(""),
                () -> new IssueRequest("user-42", null, null, Map.of(), null, null, null, List.of()),
                () -> CHANGES.scopes((String[]) null),
                () -> CHANGES.scopes((Collection<String>) null),
                () -> CHANGES.scopes("a", null))) {
            assertCode("api-key/bad-scopes", call);
        }
        assertCode("api-key/bad-metadata", () -> REQUEST.metadata(null));
        assertCode("api-key/bad-metadata", () -> REQUEST.metadata(Collections.singletonMap(null, "x")));
        assertCode(
                "api-key/bad-metadata",
                () -> new IssueRequest("user-42", null, List.of(), null, null, null, null, List.of()));
        assertCode("api-key/bad-metadata", () -> CHANGES.metadata(null));
        assertCode("api-key/bad-opt", () -> CHANGES.expiresAt(null));
        assertCode("api-key/bad-opt", () -> CHANGES.name(null));
        assertCode("api-key/bad-opt", () -> Rotation.graceful(null));
        assertCode("api-key/bad-opt", () -> ListOptions.defaults().after(null));
        assertCode("api-key/missing-owner", () -> SEARCH.withOwnerId(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withNamePrefix(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withStates((ApiKeyState[]) null));
        assertCode("api-key/bad-opt", () -> SEARCH.withStates((ApiKeyState) null));
        assertCode("api-key/bad-opt", () -> SEARCH.withScope(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withCreatedFrom(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withCreatedBefore(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withLastUsedFrom(null));
        assertCode("api-key/bad-opt", () -> SEARCH.withLastUsedBefore(null));
        assertCode("api-key/bad-opt", () -> SEARCH.after(null));
    }

    @Test
    void operationsWhenNullThenRefusedByTheirCode() {
        assertCode("api-key/bad-opt", () -> registry.issue(null));
        assertCode("api-key/bad-opt", () -> registry.rotate("0123456789abcdef", null));
        assertCode("api-key/bad-opt", () -> registry.update("0123456789abcdef", null));
        assertCode("api-key/bad-opt", () -> registry.list(null));
        assertCode("api-key/bad-opt", () -> registry.search(null));
        assertCode("api-key/bad-opt", () -> registry.listForOwner("user-42", null));
        assertCode("api-key/missing-owner", () -> registry.listForOwner(null));
        assertCode("api-key/missing-owner", () -> registry.listForOwner("", ListOptions.defaults()));
        assertCode("api-key/missing-owner", () -> registry.revokeAllForOwner(null));
        assertCode("api-key/missing-owner", () -> registry.eraseAllForOwner(" "));
        assertCode("api-key/not-found", () -> registry.rotate(null, Rotation.immediate()));
        assertCode("api-key/not-found", () -> registry.update(null, CHANGES));
        assertCode("api-key/not-found", () -> registry.disable(null));
        assertCode("api-key/not-found", () -> registry.enable(null));
        assertThat(registry.getById(null)).isEmpty();
        assertThat(registry.revoke(null)).isFalse();
        assertThat(registry.verify(null)).isEmpty();
        assertThat(registry.redeem(null)).isEmpty();
        assertCode("api-key/bad-opt", () -> registry.ticket(null, Duration.ofSeconds(30)));
        assertCode("api-key/bad-opt", () -> fixture.registries.get(null));
        assertCode("api-key/bad-opt", () -> fixture.registries.forEachExpiring(null, page -> {}));
        assertCode("api-key/bad-opt", () -> fixture.registries.forEachExpiring(Duration.ZERO, null));
        assertCode("api-key/bad-opt", () -> fixture.registries.disableIdle(null));
    }

    @Test
    void optionsWhenNullThenRefusedAsBadOptions() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> ApiKeyRegistryOptions.forNamespace(null),
                () -> ApiKeyRegistryOptions.forNamespace(""),
                () -> OPTIONS.withPrefix(null),
                () -> OPTIONS.withPrefix(""),
                () -> OPTIONS.withHashAlgorithm(null),
                () -> OPTIONS.withPurgeAfter(null),
                () -> OPTIONS.withRotationGrace(null),
                () -> JdbcApiKeyRegistries.builder(null, fixture.keyring),
                () -> JdbcApiKeyRegistries.builder(fixture.database, null),
                () -> builder().registry(null),
                () -> builder().leadership(null),
                () -> builder().clock(null),
                () -> builder().random(null),
                () -> builder().auditSink(null),
                () -> builder().actor(null),
                () -> builder().oldSecretUses(null),
                () -> builder().argon2(null))) {
            assertCode("api-key/bad-opt", call);
        }
    }

    private JdbcApiKeyRegistries.Builder builder() {
        return JdbcApiKeyRegistries.builder(fixture.database, fixture.keyring);
    }

    private static void assertCode(String code, ThrowingCallable call) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
