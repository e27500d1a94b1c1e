package io.credential.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class RotationTests extends RegistryTestBase {

    private static final int THREADS = 8;

    RotationTests(TestDatabase database) {
        super(database);
    }

    @Test
    void rotateWhenImmediateThenIdStaysAndOldSecretStops() {
        IssuedApiKey issued = fixture.issue();

        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.immediate());

        assertThat(rotated.id()).isEqualTo(issued.id());
        assertThat(rotated.key()).isNotEqualTo(issued.key());
        assertThat(rotated.gracePeriod()).isZero();
        assertThat(rotated.secondaryExpiresAt()).isNull();
        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(registry.verify(rotated.key()))
                .hasValueSatisfying(key -> assertThat(key.usedSecondary()).isFalse());
    }

    @Test
    void rotateWhenGracefulThenBothWorkAndAreToldApart() {
        IssuedApiKey issued = fixture.issue();

        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful());

        assertThat(rotated.gracePeriod()).isEqualTo(Duration.ofDays(7));
        assertThat(rotated.secondaryExpiresAt())
                .isEqualTo(fixture.clock.instant().plus(Duration.ofDays(7)));
        assertThat(registry.verify(issued.key())).hasValueSatisfying(key -> {
            assertThat(key.usedSecondary()).isTrue();
            assertThat(key.secondaryExpiresAt()).isEqualTo(rotated.secondaryExpiresAt());
        });
        assertThat(registry.verify(rotated.key()))
                .hasValueSatisfying(key -> assertThat(key.usedSecondary()).isFalse());
    }

    @Test
    void verifyWhenGraceIsOverThenOldSecretIsRejected() {
        IssuedApiKey issued = fixture.issue();
        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful(Duration.ofMinutes(1)));

        fixture.clock.advance(Duration.ofMinutes(1).minusMillis(1));
        assertThat(registry.verify(issued.key())).isPresent();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(fixture.trail()).endsWith("apikey.verify failure secondary-expired");
        assertThat(registry.verify(rotated.key())).isPresent();
    }

    @Test
    void rotateWhenGraceIsNotGivenThenRegistryDefaultHolds() {
        RegistryFixture short_ =
                new RegistryFixture(database, options -> options.withRotationGrace(Duration.ofHours(2)));

        RotatedApiKey rotated = short_.registry.rotate(short_.issue().id(), Rotation.graceful());

        assertThat(rotated.gracePeriod()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void rotateWhenGracefulTwiceThenSlotIsReplaced() {
        IssuedApiKey first = fixture.issue();
        RotatedApiKey second = registry.rotate(first.id(), Rotation.graceful());
        RotatedApiKey third = registry.rotate(first.id(), Rotation.graceful());

        assertThat(registry.verify(first.key())).isEmpty();
        assertThat(registry.verify(second.key())).isPresent();
        assertThat(registry.verify(third.key())).isPresent();
    }

    @Test
    void rotateWhenImmediateAfterGracefulThenSlotIsEmptied() {
        IssuedApiKey first = fixture.issue();
        RotatedApiKey second = registry.rotate(first.id(), Rotation.graceful());
        RotatedApiKey third = registry.rotate(first.id(), Rotation.immediate());

        assertThat(registry.verify(first.key())).isEmpty();
        assertThat(registry.verify(second.key())).isEmpty();
        assertThat(registry.verify(third.key()))
                .hasValueSatisfying(key -> assertThat(key.secondaryExpiresAt()).isNull());
    }

    @Test
    void revokeWhenRotatedGracefullyThenBothSecretsStop() {
        IssuedApiKey issued = fixture.issue();
        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful());

        assertThat(registry.revoke(issued.id())).isTrue();

        assertThat(registry.verify(issued.key())).isEmpty();
        assertThat(registry.verify(rotated.key())).isEmpty();
    }

    @Test
    void rotateWhenConcurrentThenOnlyOneNewSecretWorks() {
        IssuedApiKey issued = fixture.issue();
        CyclicBarrier allHaveRead = new CyclicBarrier(THREADS);
        ApiKeyRegistry concurrent = interrupted(() -> Patience.await(allHaveRead));

        List<String> outcomes = InParallel.run(THREADS, () -> {
            try {
                return concurrent.rotate(issued.id(), Rotation.immediate()).key();
            } catch (ApiKeyException e) {
                return e.code();
            }
        });

        assertThat(outcomes)
                .filteredOn(outcome -> registry.verify(outcome).isPresent())
                .hasSize(1);
        assertThat(outcomes).filteredOn("api-key/rotation-conflict"::equals).hasSize(THREADS - 1);
        assertThat(registry.verify(issued.key())).isEmpty();
    }

    @Test
    void rotateWhenOvertakenThenConflictsAndChangesNothing() {
        IssuedApiKey issued = fixture.issue();
        RotatedApiKey[] overtaking = {null};
        ApiKeyRegistry overtaken =
                interrupted(() -> overtaking[0] = registry.rotate(issued.id(), Rotation.immediate()));

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> overtaken.rotate(issued.id(), Rotation.graceful()))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/rotation-conflict"));
        assertThat(registry.verify(overtaking[0].key())).isPresent();
        assertThat(registry.verify(issued.key())).isEmpty();
    }

    /** A registry over the same rows whose rotations run an action after they have read the row and before they write it. */
    private ApiKeyRegistry interrupted(Runnable action) {
        AtomicBoolean built = new AtomicBoolean();
        SecureRandom random = new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                super.nextBytes(bytes);
                if (bytes.length == ApiKeyRegistryOptions.DEFAULT_SECRET_BYTES && built.get()) {
                    action.run();
                }
            }
        };
        ApiKeyRegistry registry =
                fixture.reopened(fixture.keyring, options -> options, builder -> builder.random(random)).registry;
        built.set(true);
        return registry;
    }

    @Test
    void rotateWhenUnknownRevokedOrExpiredThenRefusedByCode() {
        IssuedApiKey revoked = fixture.issue();
        registry.revoke(revoked.id());
        IssuedApiKey expired = registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(fixture.clock.instant().plusMillis(1)));
        fixture.clock.advance(Duration.ofMillis(1));

        assertRefused("0123456789abcdef", "api-key/not-found");
        assertRefused("no id at all", "api-key/not-found");
        assertRefused(revoked.id(), "api-key/revoked");
        assertRefused(expired.id(), "api-key/expired");
        assertThat(fixture.trail())
                .endsWith(
                        "apikey.rotate failure not-found",
                        "apikey.rotate failure not-found",
                        "apikey.rotate failure revoked",
                        "apikey.rotate failure expired");
    }

    private void assertRefused(String id, String code) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.rotate(id, Rotation.graceful()))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }
}
