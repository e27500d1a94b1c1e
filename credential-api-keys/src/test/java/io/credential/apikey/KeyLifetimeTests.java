package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A registry can limit how long its keys live. */
@BothDatabases
class KeyLifetimeTests extends RegistryTestBase {

    private static final Duration MAX = Duration.ofDays(90);
    private static final IssueRequest REQUEST = IssueRequest.forOwner("user-42");
    private static final ForeignTokenForm FORM = ForeignTokenForm.byHash("sk_.+", ForeignHashAlgorithm.SHA256);

    private final Instant now = fixture.clock.instant();
    private final ApiKeyRegistry limited = reopened(options -> options.withMaxLifetime(MAX));
    private final ApiKeyRegistry expiring = reopened(options -> options.withRequireExpiry(true));

    KeyLifetimeTests(TestDatabase database) {
        super(database);
    }

    private ApiKeyRegistry reopened(UnaryOperator<ApiKeyRegistryOptions> options) {
        return fixture.reopened(
                        fixture.keyring,
                        with -> options.apply(with.withImportedTokens(FORM)),
                        builder -> builder.clock(fixture.clock))
                .registry;
    }

    @Test
    void issueWhenLaterThanMaxLifetimeThenRefused() {
        assertThat(limited.issue(REQUEST.expiresAt(now.plus(MAX))).expiresAt()).isEqualTo(now.plus(MAX));
        assertRefused(() -> limited.issue(REQUEST.expiresAt(now.plus(MAX).plusMillis(1))), "max-lifetime");
    }

    @Test
    void issueWhenExpiryIsMissingThenRefused() {
        assertRefused(() -> limited.issue(REQUEST), "max-lifetime");
        assertRefused(() -> expiring.issue(REQUEST), "require-expiry");
        assertThat(expiring.issue(REQUEST.expiresAt(now.plus(MAX).plus(MAX))).expiresAt())
                .isNotNull();
        assertThat(registry.listForOwner("user-42")).hasSize(1);
    }

    /** An extension is counted from the creation of the key, not from the update. */
    @Test
    void updateWhenExtendedBeyondLifetimeThenRefused() {
        String id =
                limited.issue(REQUEST.expiresAt(now.plus(Duration.ofDays(30)))).id();
        fixture.clock.advance(Duration.ofDays(20));

        assertThat(update(limited, id, now.plus(MAX)).expiresAt()).isEqualTo(now.plus(MAX));
        assertRefused(() -> update(limited, id, now.plus(MAX).plusMillis(1)), "max-lifetime");
        assertRefused(() -> limited.update(id, ApiKeyChanges.none().neverExpires()), "max-lifetime");
        assertRefused(() -> expiring.update(id, ApiKeyChanges.none().neverExpires()), "require-expiry");
    }

    @Test
    void updateWhenKeyIsOlderThanPolicyThenCanBeShortened() {
        String never = registry.issue(REQUEST).id();
        String late = registry.issue(REQUEST.expiresAt(now.plus(Duration.ofDays(3650))))
                .id();
        fixture.clock.advance(MAX.multipliedBy(2));
        Instant end = fixture.clock.instant().plusSeconds(60);

        assertThat(update(limited, never, end).expiresAt()).isEqualTo(end);
        assertThat(update(limited, late, end).expiresAt()).isEqualTo(end);
        assertRefused(() -> update(limited, late, end.plusMillis(1)), "max-lifetime");
    }

    @Test
    void verifyWhenKeyIsOlderThanPolicyThenAccepted() {
        IssuedApiKey issued = registry.issue(REQUEST);
        fixture.clock.advance(MAX.multipliedBy(2));

        assertThat(limited.verify(issued.key())).isPresent();
        assertThat(limited.rotate(issued.id(), Rotation.graceful()).key()).isNotEmpty();
        assertThat(limited.update(issued.id(), ApiKeyChanges.none().name("laptop"))
                        .expiresAt())
                .isNull();
    }

    /** A key that another system issued long ago lives from now on. */
    @Test
    void importKeysWhenLaterThanMaxLifetimeThenRefused() {
        Instant longAgo = now.minus(Duration.ofDays(1000));
        KeyImport valid = key("0", REQUEST.expiresAt(now.plus(MAX))).createdAt(longAgo);
        KeyImport late = key("1", REQUEST.expiresAt(now.plus(MAX).plusMillis(1)));

        for (ImportOptions how : List.of(ImportOptions.defaults().asDryRun(), ImportOptions.defaults())) {
            assertRefused(() -> limited.importKeys(List.of(valid, late).iterator(), how), "max-lifetime");
        }
        assertThat(registry.listForOwner("user-42")).isEmpty();
        assertThat(limited.importKeys(List.of(valid).iterator(), ImportOptions.defaults())
                        .imported())
                .isEqualTo(1);
    }

    @Test
    void importKeysWhenExpiryIsMissingThenRefused() {
        assertRefused(
                () -> expiring.importKeys(List.of(key("0", REQUEST)).iterator(), ImportOptions.defaults()),
                "require-expiry");
    }

    private static KeyImport key(String digit, IssueRequest request) {
        return KeyImport.of(request, ForeignHash.of(ForeignHashAlgorithm.SHA256, digit.repeat(64)));
    }

    private static ApiKey update(ApiKeyRegistry registry, String id, Instant expiresAt) {
        return registry.update(id, ApiKeyChanges.none().expiresAt(expiresAt));
    }

    private void assertRefused(ThrowingCallable call, String property) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .withMessageContaining("credential.api-keys.registries." + fixture.namespace + "." + property)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }
}
