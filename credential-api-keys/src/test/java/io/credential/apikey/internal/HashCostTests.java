package io.credential.apikey.internal;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.CountingHasher;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.seal.internal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.testing.BothDatabases;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How many hashes a token costs, counted rather than timed. */
@BothDatabases
class HashCostTests {

    private final CountingHasher hasher = new CountingHasher(HashAlgorithm.SHAKE256);
    private final RegistryFixture fixture;
    private final ApiKeyRegistry registry;

    HashCostTests(TestDatabase database) {
        this.fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA),
                Keyring.generate(RegistryFixture.RANDOM),
                builder -> builder.hashers(algorithm -> hasher));
        this.registry = fixture.registry;
    }

    @Test
    void buildThenCostsNoHash() {
        assertThat(hasher.hashes).hasValue(0);
    }

    @Test
    void verifyWhenRejectedThenEveryTokenCostsTheSameHashes() {
        String unknown = "bk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16);
        String revoked = fixture.issue().key();
        registry.revoke(ApiKeyToken.parse(revoked).orElseThrow().idHex());
        String rotated = fixture.issue().key();
        registry.rotate(ApiKeyToken.parse(rotated).orElseThrow().idHex(), Rotation.graceful());

        assertThat(List.of(unknown, wrong(fixture.issue().key()), wrong(revoked), wrong(rotated)))
                .allSatisfy(token -> assertThat(hashesOf(token)).isEqualTo(2));
    }

    @Test
    void verifyWhenNoRegistryIssuesItThenCostsNoHash() {
        String head = "bk_" + fixture.namespace + "_";
        assertThat(List.of(
                        "nonsense",
                        "sk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16),
                        "bk_other_0123456789abcdef_" + "00".repeat(16),
                        head + "0123456789ABCDEF_" + "00".repeat(16),
                        head + "01_" + "00".repeat(16),
                        head + "ab".repeat(33) + "_" + "00".repeat(16),
                        head + "0123456789abcdef_" + "00".repeat(15),
                        head + "0123456789abcdef_" + "00".repeat(65)))
                .allSatisfy(token -> assertThat(hashesOf(token)).isZero());
    }

    @Test
    void verifyWhenTheSecretIsRightThenItCostsOneHash() {
        assertThat(hashesOf(fixture.issue().key())).isEqualTo(1);
    }

    @Test
    void issueWhenNodeDoesNotLeadThenCostsNoHash() {
        RegistryFixture follower = fixture.reopened(
                fixture.keyring,
                options -> options,
                builder -> builder.hashers(algorithm -> hasher).leadership(new OtherLeads()));

        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(follower::issue);

        assertThat(hasher.hashes).hasValue(0);
    }

    @Test
    void verifyThenWhatWasHashedIsWiped() {
        String token = fixture.issue().key();

        registry.verify(token);
        registry.verify(wrong(token));

        assertThat(hasher.inputs)
                .hasSizeGreaterThan(2)
                .allSatisfy(input -> assertThat(input).containsOnly(0));
    }

    private int hashesOf(String token) {
        hasher.reset();
        registry.verify(token);
        return hasher.hashes.get() + hasher.checks.get(); // a check of SHAKE256 computes the hash
    }

    private static String wrong(String token) {
        return token.substring(0, token.lastIndexOf('_') + 1) + "00".repeat(16);
    }
}
