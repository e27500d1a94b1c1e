package io.credential.apikey.internal;

import java.util.List;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.apikey.RegistryFixture;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.Argon2Settings;
import io.credential.secret.internal.SecretHasher;
import io.credential.secret.internal.SecretHashers;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The fast check lets one of 65,536 guesses pass, so it never decides that a secret is right. */
@BothDatabases
class ImportedSecretTests {

    private final RegistryFixture fixture;

    ImportedSecretTests(TestDatabase database) {
        RegistryFixture first = new RegistryFixture(database);
        this.fixture = first.reopened(
                first.keyring,
                options -> options.withImportedTokens(ForeignTokenForm.withId("(?<id>[0-9]+)\\.(?<secret>.+)")),
                builder -> builder.hashers(algorithm -> new PassingHasher()));
    }

    @Test
    void verifyWhenIssuedFormForImportedKeyThenRejected() {
        String hash = "0f".repeat(32);
        fixture.registry.importKeys(
                List.of(KeyImport.of(
                                IssueRequest.forOwner("user-42"),
                                ForeignHash.of(ForeignHashAlgorithm.SHA256, hash),
                                "17"))
                        .iterator(),
                ImportOptions.defaults());
        String id = fixture.registry.listForOwner("user-42").get(0).id();

        assertThat(fixture.registry.verify("bk_" + fixture.namespace + "_" + id + "_" + "00".repeat(16)))
                .isEmpty();
        assertThat(fixture.trail()).contains("apikey.verify failure bad-secret");
    }

    /** Every input passes its fast check. */
    private static final class PassingHasher implements SecretHasher {

        private final SecretHasher hasher =
                new SecretHashers(Argon2Settings.defaults(), RegistryFixture.RANDOM).using(HashAlgorithm.SHAKE256);

        @Override
        public String hash(byte[] input) {
            return hasher.hash(input);
        }

        @Override
        public String decoy(byte[] unknown) {
            return hasher.decoy(unknown);
        }

        @Override
        public boolean mayMatch(byte[] input, String storedHash) {
            return true;
        }

        @Override
        public boolean matches(byte[] input, String storedHash, BooleanSupplier isAuthentic) {
            return hasher.matches(input, storedHash, isAuthentic);
        }

        @Override
        public boolean isCostly(String storedHash) {
            return hasher.isCostly(storedHash);
        }

        @Override
        public boolean needsRehash(String storedHash) {
            return hasher.needsRehash(storedHash);
        }
    }
}
