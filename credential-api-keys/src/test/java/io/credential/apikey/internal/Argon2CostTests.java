package io.credential.apikey.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.CountingHasher;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.seal.internal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which tokens cost a hash of Argon2id, of which each node computes one at a time. Two nodes: the second has issued and
 * accepted no key.
 */
@BothDatabases
class Argon2CostTests {

    private final CountingHasher issuerHasher = new CountingHasher(HashAlgorithm.ARGON2ID);
    private final CountingHasher hasher = new CountingHasher(HashAlgorithm.ARGON2ID);
    private final RegistryFixture issuer;
    private final RegistryFixture node;

    Argon2CostTests(TestDatabase database) {
        this.issuer = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.hashers(algorithm -> issuerHasher));
        this.node = newNode(hasher);
    }

    private RegistryFixture newNode(CountingHasher hasher) {
        return issuer.reopened(issuer.keyring, options -> options, builder -> builder.hashers(algorithm -> hasher));
    }

    @Test
    void verifyWhenOthersGuessItsSecretThenKeyIsAccepted() {
        String token = issuer.issue().key();
        for (int restart = 0; restart < 20; restart++) {
            CountingHasher restarted = new CountingHasher(HashAlgorithm.ARGON2ID);
            ApiKeyRegistry registry = newNode(restarted).registry;
            String guess = guess(token, restarted);
            List<Callable<Boolean>> callers = new ArrayList<>(
                    Collections.nCopies(7, () -> registry.verify(guess).isPresent()));
            callers.add(() -> registry.verify(token).isPresent());

            assertThat(InParallel.run(callers)).containsExactly(false, false, false, false, false, false, false, true);
            assertThat(restarted.hashes).hasValue(1);
        }
    }

    @Test
    void verifyWhenGuessedThenEveryTokenCostsTwoChecks() {
        IssuedApiKey rotated = issuer.issue();
        issuer.registry.rotate(rotated.id(), Rotation.graceful());
        IssuedApiKey forged = issuer.issue();
        issuer.tamper(forged.id(), "version = 7");
        String unknown = "bk_" + issuer.namespace + "_0123456789abcdef_" + "00".repeat(16);

        assertThat(List.of(
                        unknown, issuer.issue().key(), revoked(), disabled(), expired(), rotated.key(), forged.key()))
                .allSatisfy(token -> {
                    hasher.reset();
                    assertThat(node.registry.verify(guess(token, hasher))).isEmpty();
                    assertThat(hasher.checks).hasValue(2);
                    assertThat(hasher.hashes).hasValue(0);
                });
    }

    @Test
    void verifyWhenKeyIsRefusedThenCostsNoHash() {
        for (String token : List.of(revoked(), disabled(), expired())) {
            assertThat(node.registry.verify(token)).isEmpty();
        }

        assertThat(hasher.hashes).hasValue(0);
        assertThat(node.trail())
                .containsExactly(
                        "apikey.verify failure revoked",
                        "apikey.verify failure disabled",
                        "apikey.verify failure expired");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void verifyWhenAcceptedBeforeThenCostsNoHash(boolean cached) {
        RegistryFixture fixture = issuer.reopened(issuer.keyring, options -> options, builder -> {
            builder.hashers(algorithm -> hasher);
            return cached ? builder.cache(new CacheSettings(100, Duration.ofSeconds(30))) : builder;
        });
        fixture.registries.start();
        try (fixture.registries) {
            String token = issuer.issue().key();
            for (int i = 0; i < 3; i++) {
                assertThat(fixture.registry.verify(token)).isPresent();
            }

            assertThat(hasher.hashes).hasValue(1);
            assertThat(fixture.registry.verify(fixture.issue().key())).isPresent();
            assertThat(hasher.hashes).as("of an issued key").hasValue(2);
        }
    }

    private String revoked() {
        IssuedApiKey issued = issuer.issue();
        issuer.registry.revoke(issued.id());
        return issued.key();
    }

    private String disabled() {
        IssuedApiKey issued = issuer.issue();
        issuer.registry.disable(issued.id());
        return issued.key();
    }

    private String expired() {
        IssuedApiKey issued = issuer.registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(issuer.clock.instant().plusSeconds(1)));
        node.clock.set(issuer.clock.instant().plusSeconds(1));
        return issued.key();
    }

    /** Returns the token with a wrong secret that passes no check. */
    private String guess(String token, CountingHasher hasher) {
        ApiKeyToken key = ApiKeyToken.parse(token).orElseThrow();
        for (int i = 0; i < 100; i++) {
            ApiKeyToken guess = new ApiKeyToken(key.prefix(), key.namespace(), key.idHex(), "%032x".formatted(i));
            byte[] input = TokenForm.hashInput(guess).toByteArray();
            if (!issuerHasher.passesCheck(input) && !hasher.passesCheck(input)) {
                return TokenForm.text(guess);
            }
        }
        throw new AssertionError("Every guess passes the check");
    }
}
