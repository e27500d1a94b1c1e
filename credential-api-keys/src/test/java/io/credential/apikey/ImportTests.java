package io.credential.apikey;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys of other systems are imported as hashes, and their tokens verify. */
@BothDatabases
class ImportTests {

    private static final ForeignTokenForm BY_SHA256 =
            ForeignTokenForm.byHash("sk_[A-Za-z0-9]{32}", ForeignHashAlgorithm.SHA256);
    private static final ForeignTokenForm SANCTUM =
            ForeignTokenForm.withId("(?<id>[0-9]{1,19})\\|(?<secret>[A-Za-z0-9]{40})");
    /** By argon2-cffi 25.1.0. */
    private static final String ARGON2ID_OF_S3CRET =
            "$argon2id$v=19$m=64,t=1,p=1$FezdY6pONacirz5MphWWEA$L48czCfQPc1irXBPSRO9JA";

    /** By bcrypt 5.0.0 for Python. */
    private static final String BCRYPT_OF_S3CRET = "$2b$04$tbUesCJurIdswvJbUjD9HOSCydpzPiP1C8/WacaQpS7NeHbSz/E0q";

    private static final String TOKEN = "sk_0123456789abcdefghijABCDEFGHIJ42";

    private final TestDatabase database;
    private final RegistryFixture fixture;

    ImportTests(TestDatabase database) {
        this.database = database;
        this.fixture = new RegistryFixture(database, options -> options.withImportedTokens(BY_SHA256, SANCTUM));
    }

    @Test
    void verifyWhenImportedBySha256ThenAccepted() {
        ImportResult result = importOne(KeyImport.of(key(), sha256(TOKEN))
                .createdAt(Instant.parse("2020-01-02T03:04:05Z"))
                .lastUsedAt(Instant.parse("2024-01-01T00:00:00Z")));

        assertThat(result).isEqualTo(new ImportResult(1, 1, 0, 0, List.of()));
        ApiKey key = verified(TOKEN);
        assertThat(key.imported()).isTrue();
        assertThat(key.ownerId()).isEqualTo("user-42");
        assertThat(key.scopes()).containsExactly("read:orders");
        assertThat(key.createdAt()).isEqualTo("2020-01-02T03:04:05Z");
        assertThat(key.createdBy()).isEqualTo("tester");
        assertThat(fixture.registry.verify(TOKEN.replace('4', '5'))).isEmpty();
        assertThat(fixture.registry.getById(key.id())).isPresent();
        assertThat(fixture.stored(key.id(), "secret_hash"))
                .isEqualTo(sha256(TOKEN).text());
        assertThat(fixture.trail()).contains("apikey.import success", "apikey.verify failure unknown");
    }

    @Test
    void verifyWhenOnlyASecretPartIsHashedThenAccepted() {
        String secret = "0123456789abcdefghij0123456789abcdefghij";
        importOne(KeyImport.of(key(), sha256(secret), "17"));

        assertThat(verified("17|" + secret).imported()).isTrue();
        assertThat(fixture.registry.verify("18|" + secret)).isEmpty();
        assertThat(fixture.registry.verify("17|" + secret.replace('9', '8'))).isEmpty();
        assertThat(fixture.trail()).contains("apikey.verify failure unknown", "apikey.verify failure bad-secret");
    }

    @Test
    void verifyWhenHashedByAnyAlgorithmThenAccepted() throws Exception {
        SecretBytes pepper = SecretBytes.copyOf("pepper".getBytes(StandardCharsets.UTF_8));
        RegistryFixture others = new RegistryFixture(
                database,
                options -> options.withImportedTokens(
                        new ForeignTokenForm("(?<id>[a-z0-9]+)\\.(?<secret>.+)", null, pepper)));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("pepper".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        byte[] secret = "s3cret".getBytes(StandardCharsets.UTF_8);
        byte[] sha512 = MessageDigest.getInstance("SHA-512").digest(secret);

        ImportResult result = others.registry.importKeys(
                Stream.of(
                                KeyImport.of(
                                        key(),
                                        ForeignHash.of(
                                                ForeignHashAlgorithm.SHA512,
                                                Base64.getEncoder().encodeToString(sha512)),
                                        "a"),
                                KeyImport.of(
                                        key(),
                                        ForeignHash.of(
                                                ForeignHashAlgorithm.HMAC_SHA256,
                                                HexFormat.of().formatHex(mac.doFinal(secret))),
                                        "b"),
                                KeyImport.of(key(), ForeignHash.of(ForeignHashAlgorithm.BCRYPT, BCRYPT_OF_S3CRET), "c"),
                                KeyImport.of(
                                        key(), ForeignHash.of(ForeignHashAlgorithm.ARGON2ID, ARGON2ID_OF_S3CRET), "d"))
                        .iterator(),
                ImportOptions.defaults());

        assertThat(result.imported()).isEqualTo(4);
        assertThat(Stream.of("a", "b", "c", "d")
                        .filter(id -> others.registry.verify(id + ".s3cret").isPresent()))
                .containsExactly("a", "b", "c", "d");
        assertThat(Stream.of("a", "b", "c", "d")
                        .filter(id -> others.registry.verify(id + ".s3creT").isPresent()))
                .isEmpty();
    }

    @Test
    void rotateWhenImportedThenOldTokenHasAGracePeriod() {
        importOne(KeyImport.of(key(), sha256(TOKEN)));

        RotatedApiKey rotated = fixture.registry.rotate(verified(TOKEN).id(), Rotation.graceful());

        assertThat(verified(rotated.key()).usedSecondary()).isFalse();
        assertThat(verified(TOKEN).usedSecondary()).isTrue();
        fixture.clock.advance(Duration.ofDays(8));
        assertThat(fixture.registry.verify(TOKEN)).isEmpty();
        assertThat(verified(rotated.key()).imported()).isTrue();
    }

    @Test
    void verifyWhenRevokedDisabledOrExpiredThenRejected() {
        importAll(
                KeyImport.of(key(), sha256(token(1))),
                KeyImport.of(key(), sha256(token(2))).disabledAt(Instant.parse("2021-01-01T00:00:00Z")),
                KeyImport.of(key().expiresAt(Instant.parse("2021-01-01T00:00:00Z")), sha256(token(3))));
        fixture.registry.revoke(verified(token(1)).id());

        assertThat(fixture.registry.verify(token(1))).isEmpty();
        assertThat(fixture.registry.verify(token(2))).isEmpty();
        assertThat(fixture.registry.verify(token(3))).isEmpty();
        assertThat(fixture.trail())
                .contains(
                        "apikey.verify failure revoked",
                        "apikey.verify failure disabled",
                        "apikey.verify failure expired");
    }

    @Test
    void importKeysWhenRepeatedThenEachKeyOnce() {
        KeyImport[] keys = keys(1200);

        assertThat(importAll(keys).imported()).isEqualTo(1200);
        fixture.registry.revoke(verified(token(7)).id());
        ImportResult repeated = importAll(keys);

        assertThat(repeated).isEqualTo(new ImportResult(1200, 0, 1200, 0, List.of()));
        assertThat(fixture.registry.verify(token(7))).isEmpty();
        assertThat(verified(token(1199)).ownerId()).isEqualTo("user-42");
        assertThat(fixture.audit.stream().filter(event -> event.name().equals("apikey.import")))
                .hasSize(12);
    }

    /** With {@code reWriteBatchedInserts}, PostgreSQL's driver does not tell which rows it has added. */
    @Test
    void importKeysWhenDriverTellsNoCountsThenCountedAnyway() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.jdbcUrl());
            pool.addDataSourceProperty("reWriteBatchedInserts", "true");
            RegistryFixture rewriting = new RegistryFixture(
                    CredentialDatabase.of(pool),
                    fixture.keyring,
                    fixture.namespace,
                    options -> options.withImportedTokens(BY_SHA256),
                    builder -> builder);
            importAll(keys(150));

            ImportResult result =
                    rewriting.registry.importKeys(Stream.of(keys(400)).iterator(), ImportOptions.defaults());

            assertThat(result).isEqualTo(new ImportResult(400, 250, 150, 0, List.of()));
        }
    }

    @Test
    void importKeysWhenAlreadyRotatedThenLeftAsItIs() {
        importOne(KeyImport.of(key(), sha256(TOKEN)));
        String rotated = fixture.registry
                .rotate(verified(TOKEN).id(), Rotation.immediate())
                .key();

        assertThat(importOne(KeyImport.of(key(), sha256(TOKEN))).present()).isEqualTo(1);
        assertThat(fixture.registry.verify(TOKEN)).isEmpty();
        verified(rotated);
    }

    @Test
    void importKeysWhenLookupIdIsTakenThenRefused() {
        importOne(KeyImport.of(key(), sha256("a".repeat(40)), "17"));

        ImportResult result = importAll(
                KeyImport.of(key(), sha256("b".repeat(40)), "17"),
                KeyImport.of(IssueRequest.forOwner("user-43"), sha256("a".repeat(40)), "17"),
                KeyImport.of(key(), sha256("c".repeat(40)), "18"),
                KeyImport.of(IssueRequest.forOwner("user-43"), sha256("c".repeat(40)), "18"));

        assertThat(result.imported()).isEqualTo(1);
        assertThat(result.refused()).isEqualTo(3);
        assertThat(result.refusals()).extracting(ImportResult.Refusal::position).containsExactlyInAnyOrder(1L, 2L, 4L);
        verified("17|" + "a".repeat(40));
        assertThat(verified("18|" + "c".repeat(40)).ownerId()).isEqualTo("user-42");
    }

    @Test
    void importKeysWhenStoredRowIsForgedThenRefused() {
        importOne(KeyImport.of(key(), sha256(TOKEN)));
        fixture.tamper(verified(TOKEN).id(), "expires_at = 1");

        assertThat(importOne(KeyImport.of(key(), sha256(TOKEN))).refused()).isEqualTo(1);
        assertThat(fixture.registry.verify(TOKEN)).isEmpty();
    }

    @Test
    void importKeysWhenDryRunThenWritesNothing() {
        importOne(KeyImport.of(key(), sha256(token(1))));
        List<ImportResult> progress = new ArrayList<>();

        ImportResult result = fixture.registry.importKeys(
                Stream.of(keys(600)).iterator(),
                ImportOptions.defaults().asDryRun().onProgress(progress::add));

        assertThat(result).isEqualTo(new ImportResult(600, 599, 1, 0, List.of()));
        assertThat(progress).extracting(ImportResult::examined).containsExactly(200L, 400L, 600L);
        assertThat(fixture.registry.verify(token(2))).isEmpty();
    }

    @Test
    void importKeysWhenNoFormThenRefused() {
        RegistryFixture hashOnly = new RegistryFixture(database, options -> options.withImportedTokens(BY_SHA256));

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> hashOnly.registry.importKeys(
                        List.of(KeyImport.of(
                                        key(), ForeignHash.of(ForeignHashAlgorithm.BCRYPT, BCRYPT_OF_S3CRET), "17"))
                                .iterator(),
                        ImportOptions.defaults()))
                .withMessageContaining("credential.api-keys.registries." + hashOnly.namespace + ".imported-tokens")
                .withMessageContaining("'id'");
    }

    @Test
    void ofWhenHashIsMalformedThenRefusedWithoutShowingIt() {
        for (ForeignHashAlgorithm algorithm : ForeignHashAlgorithm.values()) {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> ForeignHash.of(algorithm, "c0ffee"))
                    .withMessageContaining("hash: ")
                    .withMessageNotContaining("c0ffee");
        }
    }

    @Test
    void forTokenWhenFormOfImportedKeysThenItsRegistry() {
        assertThat(fixture.registries.forToken(TOKEN)).contains(fixture.registry);
        assertThat(fixture.registries.forToken("17|" + "a".repeat(40))).contains(fixture.registry);
        assertThat(fixture.registries.forToken("17|" + "a".repeat(41))).isEmpty();
        assertThat(fixture.registries.forToken("sk_" + "a".repeat(600))).isEmpty();
    }

    @Test
    void verifyWhenPatternBacktracksThenRejected() {
        RegistryFixture slow = new RegistryFixture(
                database,
                options -> options.withImportedTokens(ForeignTokenForm.byHash("(a|aa)+", ForeignHashAlgorithm.SHA256)));

        assertThat(slow.registry.verify("a".repeat(200) + "!")).isEmpty();
        assertThat(slow.trail()).containsExactly("apikey.verify failure malformed");
    }

    @Test
    void verifyWhenPrefixChangesThenImportedStillVerifies() {
        importOne(KeyImport.of(key(), sha256(TOKEN)));
        RegistryFixture renamed = fixture.reopened(
                fixture.keyring,
                options -> options.withPrefix("other").withImportedTokens(BY_SHA256),
                builder -> builder);

        assertThat(renamed.registry.verify(TOKEN)).isPresent();
    }

    @Test
    void resealWhenImportedThenStillVerifies() {
        importOne(KeyImport.of(key(), sha256(TOKEN)));

        fixture.registry.resealSealedColumns();

        assertThat(verified(TOKEN).imported()).isTrue();
    }

    private ApiKey verified(String token) {
        return fixture.registry.verify(token).orElseThrow();
    }

    private ImportResult importOne(KeyImport key) {
        return importAll(key);
    }

    private ImportResult importAll(KeyImport... keys) {
        return fixture.registry.importKeys(List.of(keys).iterator(), ImportOptions.defaults());
    }

    private static KeyImport[] keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> KeyImport.of(key(), sha256(token(index))))
                .toArray(KeyImport[]::new);
    }

    private static String token(int index) {
        return "sk_%032d".formatted(index);
    }

    private static IssueRequest key() {
        return IssueRequest.forOwner("user-42").scopes("read:orders");
    }

    private static ForeignHash sha256(String secret) {
        try {
            return ForeignHash.of(
                    ForeignHashAlgorithm.SHA256,
                    HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256")
                                    .digest(secret.getBytes(StandardCharsets.UTF_8))));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
