package io.credential.apikey.internal.foreign;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import ch.qos.logback.classic.Level;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.KeyImport;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.ImportedHashes;
import io.credential.testing.CapturedLog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ForeignTokensTests {

    private static final SecretBytes PEPPER = SecretBytes.copyOf("pepper".getBytes(UTF_8));
    private static final ForeignTokenForm WITH_ID = ForeignTokenForm.withId("(?<id>[0-9]+)\\|(?<secret>[a-z]+)");

    /** By openssl, of "sk_abc". */
    private static final String SHA256 = "7c8d93f8ffb4cdb85b2a4b0c10886a66959da2eb67707b1c54718850a56d158c";

    private static final String SHA512 = "ade675b4d4fed8084fb02895203a730679ca0e4dcd8fc05073313f5761ac1900"
            + "92d7692e13e9f2f99c001164ad070d9c4295172de1f27e9828211762b4386431";

    /** By openssl, of "sk_abc" under "pepper". */
    private static final String HMAC = "6b15480336e0beb012878c23d3bec02f6727cdc285b5df2e98000e68e5054ff9";

    @Test
    void readThenFirstMatchingFormDecides() {
        ForeignTokens tokens = tokens(WITH_ID, ForeignTokenForm.byHash(".+", ForeignHashAlgorithm.SHA256));

        assertThat(tokens.read("7|abc"))
                .returns("7", ForeignToken::lookupId)
                .returns("abc", ForeignToken::secret)
                .hasToString("ForeignToken[]");
        assertThat(tokens.read("7-abc")).returns(null, ForeignToken::lookupId).returns("7-abc", ForeignToken::secret);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "7|", "|abc", "7|abc "})
    void readWhenNoFormMatchesThenNull(String text) {
        assertThat(tokens(WITH_ID).read(text)).isNull();
    }

    @Test
    void readWhenTooLongThenNull() {
        ForeignTokens tokens = tokens(WITH_ID);

        assertThat(tokens.read("7|" + "a".repeat(ApiKeyToken.MAX_LENGTH - 2))).isNotNull();
        assertThat(tokens.read("7|" + "a".repeat(ApiKeyToken.MAX_LENGTH - 1))).isNull();
    }

    @Test
    void readWhenGroupIsInAnotherAlternativeThenNull() {
        assertThat(tokens(ForeignTokenForm.withId("(?<id>[0-9]+)|x(?<secret>[a-z]+)"))
                        .read("7"))
                .isNull();
        assertThat(tokens(ForeignTokenForm.withId("(?<id>[0-9]+)?(?<secret>[a-z]+)"))
                        .read("abc"))
                .isNull();
        assertThat(tokens(ForeignTokenForm.withId("(?<id>[0-9]*)(?<secret>[a-z]+)"))
                        .read("abc"))
                .isNull();
    }

    @Test
    void readWhenPatternTakesTooLongThenNullAndWarnsOnce() {
        ForeignTokens tokens = tokens(ForeignTokenForm.withId("(?<id>.*.*.*.*.*.*)!"));
        String text = "a".repeat(64);
        try (CapturedLog log = CapturedLog.of(ForeignTokens.class)) {
            assertThat(tokens.read(text)).isNull();
            assertThat(tokens.read(text)).isNull();

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("registries.live.imported-tokens"));
        }
    }

    @ParameterizedTest
    @CsvSource({"SHA256," + SHA256, "SHA512," + SHA512, "HMAC_SHA256," + HMAC})
    void useWhenLookedUpByHashThenIdIsThatOfTheImport(ForeignHashAlgorithm algorithm, String hash) {
        ForeignToken token = Objects.requireNonNull(
                tokens(new ForeignTokenForm("sk_[a-z]+", algorithm, PEPPER)).read("sk_abc"));
        String imported = ForeignHash.of(algorithm, hash).text();

        String id = token.use("live", (found, secret) -> found);

        assertThat(id).isEqualTo(ForeignKeyId.of("live", null, imported)).hasSize(32);
    }

    @Test
    void useThenSecretIsWipedAfterwards() {
        ForeignToken token = Objects.requireNonNull(tokens(WITH_ID).read("7|abc"));

        byte[] alone = token.use("live", (id, secret) -> {
            assertThat(id).isEqualTo(ForeignKeyId.of("live", "7", ""));
            assertThat(secret).hasToString("PresentedSecret[]");
            assertThat(secret.alone()).isEqualTo("abc".getBytes(UTF_8));
            return Objects.requireNonNull(secret.alone());
        });

        assertThat(alone).containsOnly(0);
    }

    @Test
    void hashedByThenDependsOnTheStoredHash() {
        byte[] input = {1};
        byte[] alone = "sk_abc".getBytes(UTF_8);
        String sha256 = ImportedHashes.sha256(SHA256);
        String hmac = ImportedHashes.hmacSha256(HMAC);
        PresentedSecret peppered = new PresentedSecret(input, alone, PEPPER);

        assertThat(peppered.hashedBy("shake256$00")).isSameAs(input);
        assertThat(peppered.hashedBy(sha256)).isSameAs(alone);
        assertThat(ImportedHashes.hmacSha256Of(Objects.requireNonNull(peppered.hashedBy(hmac))))
                .isEqualTo(hmac);
        assertThat(new PresentedSecret(input, alone, null).hashedBy(hmac)).isNull();
        assertThat(PresentedSecret.issued(input).hashedBy(sha256)).isNull();
    }

    @Test
    void recognizeThenNeedsAFormForTheLookUpAndAPepper() {
        ForeignHash sha256 = ForeignHash.of(ForeignHashAlgorithm.SHA256, SHA256);
        ForeignHash hmac = ForeignHash.of(ForeignHashAlgorithm.HMAC_SHA256, HMAC);
        IssueRequest key = IssueRequest.forOwner("user-42");
        ForeignTokens byHash = tokens(ForeignTokenForm.byHash("sk_.+", ForeignHashAlgorithm.SHA256));

        assertThat(byHash.recognize(KeyImport.of(key, sha256))).isTrue();
        assertThat(byHash.recognize(KeyImport.of(key, sha256, "7"))).isFalse();
        assertThat(tokens(WITH_ID).recognize(KeyImport.of(key, sha256, "7"))).isTrue();
        assertThat(tokens(WITH_ID).recognize(KeyImport.of(key, hmac, "7"))).isFalse();
        assertThat(tokens(new ForeignTokenForm(WITH_ID.pattern(), null, PEPPER))
                        .recognize(KeyImport.of(key, hmac, "7")))
                .isTrue();
    }

    @Test
    void formWhenItCannotLookUpKeysThenRefused() {
        assertRefused("(?<id>a", null, null, "not a regular expression");
        assertRefused("a".repeat(ForeignTokenForm.MAX_PATTERN_LENGTH + 1), null, null, "at most 512");
        assertRefused("sk_.+", null, null, "a group named id");
        assertRefused("(?<id>a)", ForeignHashAlgorithm.SHA256, null, "a group named id");
        assertRefused("sk_.+", ForeignHashAlgorithm.BCRYPT, null, "only for sha256");
        assertRefused("sk_.+", ForeignHashAlgorithm.HMAC_SHA256, null, "A pepper is required");
        assertRefused("(?<id>a)", null, SecretBytes.copyOf(new byte[0]), "must not be empty");
    }

    private static void assertRefused(
            String pattern, @Nullable ForeignHashAlgorithm lookupHash, @Nullable SecretBytes pepper, String expected) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> new ForeignTokenForm(pattern, lookupHash, pepper))
                .withMessageContaining(expected)
                .returns("api-key/bad-opt", ApiKeyException::code);
    }

    private static ForeignTokens tokens(ForeignTokenForm... forms) {
        return new ForeignTokens("live", List.of(forms));
    }
}
