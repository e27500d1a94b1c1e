package io.credential.spring.operations.internal;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.ratelimit.RateLimit;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.operations.internal.KeyOperationsConfiguration;
import io.credential.spring.operations.internal.KeyOperations.ExaminedPage;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What operators do with keys, without HTTP. The tests of the Actuator endpoint show what the two have in common. */
class KeyOperationsTests {

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @TempDir
    private Path directory;

    @Test
    void searchWhenOwnerIsGivenThenOnlyTheirKeys() {
        run(operations -> {
            IssuedApiKey mine = issue(operations, "alice");
            issue(operations, "bob");

            ExaminedPage page = operations.search("live", KeySearch.all().withOwnerId("alice"), null);

            assertThat(page.keys()).extracting(key -> key.key().id()).containsExactly(mine.id());
            assertThat(page.nextCursor()).isNull();
        });
    }

    @Test
    void searchWhenFindingIsGivenThenOnlyActiveKeysWithIt() {
        run(operations -> {
            IssuedApiKey lasting = issue(operations, "alice");
            operations.revoke("live", issue(operations, "alice").id());
            operations.issue(
                    "live",
                    IssueRequest.forOwner("alice").expiresAt(Instant.now().plus(Duration.ofDays(3))));

            assertThat(operations
                            .search("live", KeySearch.all(), "never-expiring")
                            .keys())
                    .singleElement()
                    .satisfies(key -> {
                        assertThat(key.key().id()).isEqualTo(lasting.id());
                        assertThat(key.findings()).containsExactly(KeyFinding.NEVER_EXPIRING);
                    });
            assertThat(operations.search("live", KeySearch.all(), "revoked").keys())
                    .singleElement()
                    .satisfies(key -> assertThat(key.findings()).isEmpty());
            assertThat(operations
                            .search("live", KeySearch.all().withStates(ApiKeyState.REVOKED), null)
                            .keys())
                    .extracting(ExaminedKey::state)
                    .containsExactly(ApiKeyState.REVOKED);
        });
    }

    @Test
    void searchWhenShowIsUnknownThenNamesWhatIsKnown() {
        run(operations -> assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> operations.search("live", KeySearch.all(), "lost"))
                .withMessage("show must be one of: active, disabled, expired, revoked, never-expiring, unused,"
                        + " expiring-soon"));
    }

    @Test
    void updateThenReturnsTheKeyWithItsNewLimits() {
        run(operations -> {
            String id = issue(operations, "alice").id();

            ApiKey key = operations
                    .update(
                            "live",
                            id,
                            ApiKeyChanges.none()
                                    .rateLimit(5, Duration.ofMinutes(1))
                                    .allowedNetworks(List.of("192.0.2.0/24")))
                    .key();

            assertThat(key.rateLimit()).isEqualTo(new RateLimit(5, Duration.ofMinutes(1)));
            assertThat(key.allowedNetworks()).containsExactly("192.0.2.0/24");
        });
    }

    @Test
    void rotateThenReturnsTheNewToken() {
        run(operations -> {
            IssuedApiKey issued = issue(operations, "alice");

            RotatedApiKey rotated = operations.rotate("live", issued.id(), Rotation.graceful());

            assertThat(rotated.key()).isNotEqualTo(issued.key());
            assertThat(operations.key("live", issued.id()).key().secondaryExpiresAt())
                    .isNotNull();
        });
    }

    @Test
    void changesWhenRepeatedThenSaySo() {
        run(operations -> {
            String id = issue(operations, "alice").id();

            assertThat(operations.disable("live", id)).isTrue();
            assertThat(operations.disable("live", id)).isFalse();
            assertThat(operations.enable("live", id)).isTrue();
            assertThat(operations.revoke("live", id)).isTrue();
            assertThat(operations.revoke("live", id)).isFalse();
            assertThat(operations.key("live", id).state()).isEqualTo(ApiKeyState.REVOKED);
        });
    }

    @Test
    void operationWhenNothingHasTheNameThenNotFound() {
        run(operations -> {
            assertNotFound(() -> operations.search("test", KeySearch.all(), null));
            assertNotFound(() -> operations.issue("test", IssueRequest.forOwner("alice")));
            assertNotFound(() -> operations.key("live", "0123456789abcdef"));
            assertNotFound(() -> operations.revoke("live", "0123456789abcdef"));
        });
    }

    private static void assertNotFound(ThrowingCallable operation) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(operation)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/not-found"));
    }

    private void run(Consumer<KeyOperations> test) {
        StarterRunner.on(database, directory)
                .withUserConfiguration(KeyOperationsConfiguration.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(ApiKeyRegistry.class);
                    test.accept(context.getBean(KeyOperations.class));
                });
    }

    private static IssuedApiKey issue(KeyOperations operations, String owner) {
        return operations.issue("live", IssueRequest.forOwner(owner));
    }
}
