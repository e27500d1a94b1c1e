package io.credential.apikey;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.cache.CacheSettings;
import io.credential.seal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verification for callers who were rejected too often. One node is enough: hashes are remembered by each node, and
 * rows are read from the database.
 */
@BothDatabases
class SuspectTests {

    private final TestDatabase database;

    SuspectTests(TestDatabase database) {
        this.database = database;
    }

    /** The ways to hash and to read. */
    enum Mode {
        SHAKE256(HashAlgorithm.SHAKE256, false),
        SHAKE256_CACHED(HashAlgorithm.SHAKE256, true),
        ARGON2ID(HashAlgorithm.ARGON2ID, false),
        ARGON2ID_CACHED(HashAlgorithm.ARGON2ID, true);

        private final HashAlgorithm algorithm;
        private final boolean cached;

        Mode(HashAlgorithm algorithm, boolean cached) {
            this.algorithm = algorithm;
            this.cached = cached;
        }
    }

    /** A node with a registry. */
    private final class Node implements AutoCloseable {

        private final CountingHasher hasher;
        private final RegistryFixture fixture;
        private final ApiKeyRegistry registry;

        Node(Mode mode) {
            this(mode, null);
        }

        Node(Mode mode, @Nullable RegistryFixture other) {
            this.hasher = new CountingHasher(mode.algorithm);
            this.fixture = other == null
                    ? RegistryFixture.with(
                            database.database(),
                            Keyring.generate(RegistryFixture.RANDOM),
                            builder -> with(builder, mode))
                    : other.reopened(other.keyring, options -> options, builder -> with(builder, mode));
            fixture.registries.start();
            this.registry = fixture.registry;
        }

        private JdbcApiKeyRegistries.Builder with(JdbcApiKeyRegistries.Builder builder, Mode mode) {
            builder.hashers(algorithm -> hasher);
            return mode.cached ? builder.cache(new CacheSettings(100, Duration.ofSeconds(30))) : builder;
        }

        int hashesOfRejected(String token) {
            hasher.hashes.set(0);
            assertThat(registry.verifySuspect(token)).isEmpty();
            return hasher.hashes.get();
        }

        int hashesOfAccepted(String token) {
            hasher.hashes.set(0);
            assertThat(registry.verifySuspect(token)).isPresent();
            return hasher.hashes.get();
        }

        @Override
        public void close() {
            fixture.registries.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenValidThenAccepted(Mode mode) {
        try (Node node = new Node(mode)) {
            String token = node.fixture.issue().key();

            assertThat(node.hashesOfAccepted(token)).isLessThanOrEqualTo(1);
            assertThat(node.hashesOfAccepted(token)).isLessThanOrEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenNewToThisNodeThenAccepted(Mode mode) {
        try (Node node = new Node(mode);
                Node restarted = new Node(mode, node.fixture)) {
            assertThat(restarted.hashesOfAccepted(node.fixture.issue().key())).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenStateRejectsThenCostsNoHash(Mode mode) {
        try (Node node = new Node(mode)) {
            IssuedApiKey revoked = node.fixture.issue();
            node.registry.verify(revoked.key());
            node.registry.revoke(revoked.id());
            IssuedApiKey disabled = node.fixture.issue();
            node.registry.disable(disabled.id());
            IssuedApiKey expired = node.registry.issue(IssueRequest.forOwner("user-42")
                    .expiresAt(node.fixture.clock.instant().plusSeconds(1)));
            node.fixture.clock.advance(Duration.ofSeconds(1));
            IssuedApiKey forged = node.fixture.issue();
            node.fixture.tamper(forged.id(), "version = 7");
            String unknown = "bk_" + node.fixture.namespace + "_0123456789abcdef_" + "00".repeat(16);

            assertThat(List.of(
                            unknown,
                            "nonsense",
                            revoked.key(),
                            wrong(revoked.key()),
                            disabled.key(),
                            expired.key(),
                            forged.key()))
                    .allSatisfy(
                            token -> assertThat(node.hashesOfRejected(token)).isZero());
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenRejectedBeforeThenCostsNoHash(Mode mode) {
        try (Node node = new Node(mode)) {
            String token = node.fixture.issue().key();
            node.registry.verify(token);
            node.registry.verify(wrong(token));

            assertThat(node.hashesOfRejected(wrong(token))).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenGuessIsNewThenCostsOneHash(Mode mode) {
        try (Node node = new Node(mode)) {
            String token = node.fixture.issue().key();

            assertThat(node.hashesOfRejected(wrong(token))).isEqualTo(1);
            assertThat(node.hashesOfRejected(wrong(token))).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenEnabledAgainThenAccepted(Mode mode) {
        try (Node node = new Node(mode)) {
            IssuedApiKey issued = node.fixture.issue();
            node.registry.disable(issued.id());
            node.hashesOfRejected(issued.key());

            node.registry.enable(issued.id());

            assertThat(node.registry.verifySuspect(issued.key())).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifySuspectWhenRotatedThenOnlyNewIsAccepted(Mode mode) {
        try (Node node = new Node(mode)) {
            IssuedApiKey issued = node.fixture.issue();
            node.registry.verify(wrong(issued.key()));
            node.registry.verifySuspect(issued.key());

            String rotated =
                    node.registry.rotate(issued.id(), Rotation.immediate()).key();

            assertThat(node.registry.verifySuspect(rotated)).isPresent();
            assertThat(node.registry.verifySuspect(issued.key())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ARGON2ID", "ARGON2ID_CACHED"})
    void verifyWhenArgon2idMatchedBeforeThenCostsNoHash(Mode mode) {
        try (Node node = new Node(mode)) {
            IssuedApiKey issued = node.fixture.issue();
            node.hasher.hashes.set(0);

            assertThat(node.registry.verify(issued.key())).isPresent();
            assertThat(node.hasher.hashes).hasValue(0);
            node.registry.revoke(issued.id());
            assertThat(node.registry.verify(issued.key())).isEmpty();
        }
    }

    private static String wrong(String token) {
        return token.substring(0, token.lastIndexOf('_') + 1) + "00".repeat(16);
    }
}
