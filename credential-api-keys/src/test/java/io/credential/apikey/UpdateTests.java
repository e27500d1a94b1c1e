package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class UpdateTests extends RegistryTestBase {

    private final IssuedApiKey issued;

    UpdateTests(TestDatabase database) {
        super(database);
        this.issued = registry.issue(IssueRequest.forOwner("user-42")
                .scopes("read:orders")
                .metadata(Map.of("plan", "free"))
                .expiresAt(fixture.clock.instant().plus(Duration.ofDays(1))));
    }

    @Test
    void updateWhenScopesAreGivenThenOnlyTheyChange() {
        ApiKey changed = registry.update(issued.id(), ApiKeyChanges.none().scopes("write:orders"));

        assertThat(changed.scopes()).containsExactly("write:orders");
        assertThat(registry.verify(issued.key())).hasValueSatisfying(key -> {
            assertThat(key.scopes()).containsExactly("write:orders");
            assertThat(key.metadata()).isEqualTo(Map.of("plan", "free"));
            assertThat(key.expiresAt()).isEqualTo(fixture.clock.instant().plus(Duration.ofDays(1)));
        });
    }

    @Test
    void updateWhenMetadataIsGivenThenItChanges() {
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().metadata(Map.of("plan", "pro")))
                        .metadata())
                .isEqualTo(Map.of("plan", "pro"));
    }

    @Test
    void updateWhenExpiryIsGivenThenMovedOrRemoved() {
        Instant later = fixture.clock.instant().plus(Duration.ofDays(9));
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().expiresAt(later))
                        .expiresAt())
                .isEqualTo(later);
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().neverExpires())
                        .expiresAt())
                .isNull();
    }

    @Test
    void updateWhenExpiryIsNotInTheFutureThenRefused() {
        assertRefused(issued.id(), ApiKeyChanges.none().expiresAt(fixture.clock.instant()), "api-key/bad-opt");
    }

    @Test
    void updateWhenRotatedGracefullyThenOldSecretStillWorks() {
        registry.rotate(issued.id(), Rotation.graceful());
        registry.update(issued.id(), ApiKeyChanges.none().scopes("write:orders"));

        assertThat(registry.verify(issued.key()))
                .hasValueSatisfying(key -> assertThat(key.usedSecondary()).isTrue());
    }

    @Test
    void updateWhenUnknownRevokedOrExpiredThenRefusedByCode() {
        assertRefused("0123456789abcdef", ApiKeyChanges.none().scopes("a"), "api-key/not-found");
        fixture.clock.advance(Duration.ofDays(1));
        assertRefused(issued.id(), ApiKeyChanges.none().neverExpires(), "api-key/expired");
        registry.revoke(issued.id());
        assertRefused(issued.id(), ApiKeyChanges.none().scopes("a"), "api-key/revoked");
    }

    @Test
    void changesWhenBadThenRefusedAtOnce() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> ApiKeyChanges.none().scopes("a b"))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> ApiKeyChanges.none().metadata(Map.of("k", "x".repeat(5000))))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
    }

    @Test
    void constructorWhenArgumentIsBadThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> new ApiKeyChanges(null, List.of("a b"), null, null, null, null, null))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> new ApiKeyChanges(null, null, Map.of("k", "x".repeat(5000)), null, null, null, null))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-metadata"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> new Rotation.Graceful(Duration.ofDays(9999)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    private void assertRefused(String id, ApiKeyChanges changes, String code) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.update(id, changes))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
