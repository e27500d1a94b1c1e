package io.credential.apikey.internal;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeyImport;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.internal.cluster.Leadership;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.Argon2Settings;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.OtherLeads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class RehashTests {

    private static final Argon2Settings CHEAP = new Argon2Settings(64, 1, 1, 4, Duration.ofSeconds(2));

    private final TestDatabase database;
    private final RegistryFixture shake;
    private final RegistryFixture argon;

    RehashTests(TestDatabase database) {
        this.database = database;
        this.shake = new RegistryFixture(database);
        this.argon = argon(Leadership.singleNode());
    }

    @Test
    void verifyWhenAlgorithmChangedThenKeyKeepsVerifying() {
        IssuedApiKey issued = shake.issue();

        assertThat(argon.registry.verify(issued.key())).isPresent();
        assertThat(shake.stored(issued.id(), "secret_hash")).startsWith("shake256$");
    }

    @Test
    void verifyWhenAlgorithmChangedThenRehashedInBackground() {
        IssuedApiKey issued = shake.issue();
        rehashing(argon);
        argon.registry.verify(issued.key());

        argon.registries.runBackgroundWorkOnce();

        assertThat(shake.stored(issued.id(), "secret_hash")).startsWith("$argon2id$v=19$m=64,t=1,p=1$");
        assertThat(argon.registry.verify(issued.key())).isPresent();
        assertThat(argon.trail()).contains("apikey.secret-rehash success");
    }

    @Test
    void verifyWhenImportedThenRehashedInBackground() {
        ForeignHash bcrypt = ForeignHash.of(
                ForeignHashAlgorithm.BCRYPT, "$2b$04$tbUesCJurIdswvJbUjD9HOSCydpzPiP1C8/WacaQpS7NeHbSz/E0q");
        RegistryFixture imported = new RegistryFixture(
                database,
                options -> options.withImportedTokens(ForeignTokenForm.withId("(?<id>[0-9]+)\\.(?<secret>.+)")));
        imported.registry.importKeys(
                List.of(KeyImport.of(IssueRequest.forOwner("user-42"), bcrypt, "17"))
                        .iterator(),
                ImportOptions.defaults());
        rehashing(imported);
        String id = imported.registry.verify("17.s3cret").orElseThrow().id();

        imported.registries.runBackgroundWorkOnce();

        assertThat(imported.stored(id, "secret_hash")).startsWith("shake256$");
        assertThat(imported.registry.verify("17.s3cret")).isPresent();
        assertThat(imported.registry.verify("17.s3creT")).isEmpty();
        assertThat(imported.trail()).contains("apikey.secret-rehash success");
    }

    @Test
    void rehashWhenTwoSlotsThenOnlyTheMatchingIsRewritten() {
        IssuedApiKey issued = shake.issue();
        RotatedApiKey rotated = shake.registry.rotate(issued.id(), Rotation.graceful());
        rehashing(argon);
        argon.registry.verify(issued.key());

        argon.registries.runBackgroundWorkOnce();

        assertThat(shake.stored(issued.id(), "secret_hash")).startsWith("shake256$");
        assertThat(shake.stored(issued.id(), "secondary_secret_hash")).startsWith("$argon2id$");
        assertThat(argon.registry.verify(issued.key()).orElseThrow().usedSecondary())
                .isTrue();
        assertThat(argon.registry.verify(rotated.key()).orElseThrow().usedSecondary())
                .isFalse();
    }

    @Test
    void rehashWhenRotatedBetweenThenRotationIsNotUndone() {
        IssuedApiKey issued = shake.issue();
        rehashing(argon);
        argon.registry.verify(issued.key());
        RotatedApiKey rotated = shake.registry.rotate(issued.id(), Rotation.immediate());

        argon.registries.runBackgroundWorkOnce();

        assertThat(argon.registry.verify(issued.key())).isEmpty();
        assertThat(argon.registry.verify(rotated.key())).isPresent();
    }

    @Test
    void rehashWhenNotLeaderThenHashIsLeftAlone() {
        IssuedApiKey issued = shake.issue();
        RegistryFixture follower = argon(new OtherLeads());
        rehashing(follower);
        follower.registry.verify(issued.key());

        follower.registries.runBackgroundWorkOnce();

        assertThat(shake.stored(issued.id(), "secret_hash")).startsWith("shake256$");
    }

    @Test
    void rehashWhenRowIsEditedBetweenThenNotLaundered() {
        IssuedApiKey issued = shake.issue();
        String scopes = shake.stored(issued.id(), "scopes");
        IssuedApiKey admin = shake.registry.issue(IssueRequest.forOwner("admin").scopes("admin"));
        rehashing(argon);
        argon.registry.verify(issued.key());
        shake.tamper(issued.id(), "scopes = '" + shake.stored(admin.id(), "scopes") + "', row_mac = null");

        argon.registries.runBackgroundWorkOnce();

        assertThat(shake.stored(issued.id(), "scopes")).isNotEqualTo(scopes);
        assertThat(argon.registry.verify(issued.key())).isEmpty();
    }

    @Test
    void rehashWhenEditedRowIsRevokedThenItStaysRevoked() {
        IssuedApiKey issued = shake.issue();
        rehashing(argon);
        argon.registry.verify(issued.key());
        shake.tamper(issued.id(), "scopes = metadata");
        assertThat(shake.registry.revoke(issued.id())).isTrue();

        argon.registries.runBackgroundWorkOnce();

        assertThat(argon.registry.verify(issued.key())).isEmpty();
        assertThat(shake.stored(issued.id(), "revoked_at")).isNotNull();
    }

    @Test
    void rehashWhenVerifiedManyTimesThenDoneOnce() {
        IssuedApiKey issued = shake.issue();
        rehashing(argon);
        for (int i = 0; i < 300; i++) {
            argon.registry.verify(issued.key());
        }
        argon.audit.clear();

        argon.registries.runBackgroundWorkOnce();
        argon.registries.runBackgroundWorkOnce();

        assertThat(argon.trail()).containsExactly("apikey.secret-rehash success");
    }

    @Test
    void verifyWhenTooManyHashesAtOnceThenUnavailable() {
        Argon2Settings slow = new Argon2Settings(65_536, 6, 1, 1, Duration.ZERO);
        String token = argon(slow).issue().key();
        Set<String> answers = new HashSet<>();

        Patience.until(
                () -> { // which of them overlap is up to the machine
                    ApiKeyRegistry restarted = argon(slow).registry;
                    answers.addAll(InParallel.run(4, () -> {
                        try {
                            return restarted.verify(token).isPresent() ? "accepted" : "rejected";
                        } catch (ApiKeyException e) {
                            return e.code();
                        }
                    }));
                    return answers.size() > 1;
                });

        assertThat(answers).containsExactlyInAnyOrder("accepted", "api-key/unavailable");
    }

    @Test
    void verifyWhenHashExceedsLoweredCeilingThenAccepted() {
        String token = costly().issue().key();

        assertThat(defaults().registry.verify(token)).isPresent();
    }

    @Test
    void verifyWhenKeyOfCostlyRowIsMissingThenUnavailable() {
        RegistryFixture costly = costly();
        IssuedApiKey issued = costly.issue();
        costly.tamper(issued.id(), "row_mac = 'm1.x." + "0".repeat(64) + "'");
        ApiKeyRegistry lowered = defaults().registry;

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> lowered.verify(issued.key()))
                .returns("api-key/unavailable", ApiKeyException::code);
    }

    /** Hashes at a cost above the ceiling of the default settings. */
    private RegistryFixture costly() {
        return argon(new Argon2Settings(65_600, 1, 1, 4, Duration.ofSeconds(2)));
    }

    private RegistryFixture defaults() {
        return argon(Argon2Settings.defaults());
    }

    private RegistryFixture argon(Argon2Settings settings) {
        return shake.reopened(
                shake.keyring,
                options -> options.withHashAlgorithm(HashAlgorithm.ARGON2ID),
                builder -> builder.argon2(settings));
    }

    /** Lets the rehasher take work, without the thread that would do it at any time. */
    private static void rehashing(RegistryFixture fixture) {
        fixture.registries.parts.rehashers.forEach(SecretRehasher::start);
    }

    private RegistryFixture argon(Leadership leadership) {
        return shake.reopened(
                shake.keyring,
                options -> options.withHashAlgorithm(HashAlgorithm.ARGON2ID),
                builder -> builder.argon2(CHEAP).leadership(leadership));
    }
}
