package io.credential.secret.internal;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ImportedHashTests {

    /** FIPS 180-4, of "abc". */
    private static final String SHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private static final String SHA512 = "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";

    /** From the test vectors of crypt_blowfish, of "U*U". */
    private static final String BCRYPT = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

    /** From the test vectors of the reference implementation of Argon2, of "password". */
    private static final String ARGON2ID =
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

    private static final String COSTLY_BCRYPT = BCRYPT.replace("$05$", "$13$");

    private final ImportedHash hash = new ImportedHash(Argon2Settings.defaults(), new SecureRandom());
    private final AtomicInteger asked = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({"abc,true", "abd,false", "'',false"})
    void digestThenMatchesItsSecretOnly(String secret, boolean matches) {
        assertThat(matches(secret, ImportedHashes.sha256(SHA256))).isEqualTo(matches);
        assertThat(matches(secret, ImportedHashes.sha512(SHA512))).isEqualTo(matches);
        assertThat(hash.mayMatch(secret.getBytes(UTF_8), ImportedHashes.sha256(SHA256)))
                .isEqualTo(matches);
    }

    @Test
    void hmacThenMatchesItsMacOnly() {
        byte[] mac = HexFormat.of().parseHex(SHA256);
        String stored = ImportedHashes.hmacSha256Of(mac);

        assertThat(stored).isEqualTo(ImportedHashes.hmacSha256(SHA256));
        assertThat(ImportedHashes.isHmac(stored)).isTrue();
        assertThat(hash.matches(mac, stored, () -> true)).isTrue();
        assertThat(hash.matches(Arrays.copyOf(mac, 31), stored, () -> true)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"U*U,true", "U*V,false"})
    void bcryptThenMatchesItsSecretOnly(String secret, boolean matches) {
        assertThat(matches(secret, ImportedHashes.bcrypt(BCRYPT))).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({"password,true", "passwore,false"})
    void argon2idThenMatchesItsSecretOnly(String secret, boolean matches) {
        assertThat(matches(secret, ImportedHashes.argon2id(ARGON2ID))).isEqualTo(matches);
    }

    @Test
    void costlyThenOnlyBcryptAndArgon2id() {
        assertThat(hash.isCostly(ImportedHashes.bcrypt(BCRYPT))).isTrue();
        assertThat(hash.isCostly(ImportedHashes.argon2id(ARGON2ID))).isTrue();
        assertThat(hash.isCostly(ImportedHashes.sha256(SHA256))).isFalse();
        assertThat(hash.mayMatch(new byte[0], ImportedHashes.bcrypt(BCRYPT)))
                .as("only computing it can tell")
                .isTrue();
    }

    @Test
    void costlierThanUsualWhenForgedThenIsNotComputed() {
        assertThat(hash.matches("U*U".getBytes(UTF_8), ImportedHashes.HEAD + COSTLY_BCRYPT, this::forged))
                .isFalse();
        assertThat(asked).hasValue(1);
    }

    @Test
    void costlierThanPermittedThenAuthenticityDoesNotHelp() {
        String extreme = ImportedHashes.HEAD + BCRYPT.replace("$05$", "$31$");

        assertThat(matches("U*U", extreme)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "imported$",
                "imported$md5$00",
                "imported$$2x$05$CCCCCCCCCCCCCCCCCCCCC.",
                "imported$$argon2id$v=19$"
            })
    void unknownFormThenMatchesNothing(String stored) {
        assertThat(matches("", stored)).isFalse();
    }

    @Test
    void ownsThenOnlyTextsOfOtherSystems() {
        assertThat(hash.owns(ImportedHashes.sha512(SHA512))).isTrue();
        assertThat(hash.owns(ARGON2ID)).isFalse();
        assertThat(hash.owns(SHA256)).isFalse();
    }

    @Test
    void digestThenHexAndBase64AreOneText() {
        byte[] bytes = HexFormat.of().parseHex(SHA256);
        String expected = ImportedHashes.sha256(SHA256);

        assertThat(ImportedHashes.sha256(SHA256.toUpperCase(Locale.ROOT))).isEqualTo(expected);
        assertThat(ImportedHashes.sha256(Base64.getEncoder().encodeToString(bytes)))
                .isEqualTo(expected);
        assertThat(ImportedHashes.sha256(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
                .isEqualTo(expected);
        assertThat(ImportedHashes.sha256Of("abc".getBytes(UTF_8))).isEqualTo(expected);
        assertThat(ImportedHashes.sha512Of("abc".getBytes(UTF_8))).isEqualTo(ImportedHashes.sha512(SHA512));
    }

    @Test
    void digestWhenOfAnotherLengthThenIsRefused() {
        assertRefused(ImportedHashes::sha256, SHA512, "32 bytes");
        assertRefused(ImportedHashes::sha512, SHA256, "64 bytes");
        assertRefused(ImportedHashes::hmacSha256, "not a hash", "32 bytes");
        assertRefused(ImportedHashes::sha256, SHA256.repeat(5), "32 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2a$17$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$2a$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "$2a$05$CCCCCCCCCCCCCCCCCCCCC",
                ""
            })
    void bcryptWhenOfAnotherFormOrCostThenIsRefused(String text) {
        assertRefused(ImportedHashes::bcrypt, text, "from 4 to 16");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=2097152,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=65,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
            })
    void argon2idWhenOfAnotherFormOrCostThenIsRefused(String text) {
        assertRefused(ImportedHashes::argon2id, text, "1 GiB");
    }

    private static void assertRefused(UnaryOperator<String> read, String text, String expected) {
        var failure = assertThatIllegalArgumentException()
                .isThrownBy(() -> read.apply(text))
                .withMessageContaining(expected);
        if (!text.isEmpty()) {
            failure.withMessageNotContaining(text);
        }
    }

    private boolean forged() {
        asked.incrementAndGet();
        return false;
    }

    private boolean matches(String secret, String stored) {
        return hash.matches(secret.getBytes(UTF_8), stored, () -> true);
    }
}
