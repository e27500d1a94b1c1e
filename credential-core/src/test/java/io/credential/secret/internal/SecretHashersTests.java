package io.credential.secret.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.HashAlgorithm;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class SecretHashersTests {

    /** Of cost 8, computed by bcrypt 5.0.0 for Python. */
    private static final String BCRYPT = "imported$$2b$08$ulF6XlbtBER9gyFxxuFkP.VyUE9GAYBIahlGXcE1IuIcbo5XfXELm";

    private static final byte[] INPUT = "the input".getBytes(StandardCharsets.UTF_8);
    private static final String SALT = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final String HASH = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    private final SecretHashers hashers = hashers(64, 1, 1);
    private final SecretHasher shake256 = hashers.using(HashAlgorithm.SHAKE256);
    private final SecretHasher argon2id = hashers.using(HashAlgorithm.ARGON2ID);

    /** FIPS 202 example values: the empty message, and 1600 bits of 0xA3. */
    @Test
    void shake256ThenGivesTheValuesOfFips202() {
        byte[] a3 = new byte[200];
        Arrays.fill(a3, (byte) 0xA3);

        assertThat(shake256.hash(new byte[0]))
                .isEqualTo("shake256$46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
                        + "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be");
        assertThat(shake256.hash(a3))
                .isEqualTo("shake256$cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"
                        + "2d700caae7396ece96604440577da4f3aa22aeb8857f961c4cd8e06f0ae6610b");
    }

    /** From the test suite of the reference implementation of Argon2 (password "password", salt "somesalt"). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
                "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
            })
    void argon2idThenMatchesTheReferenceVectors(String stored) {
        byte[] password = "password".getBytes(StandardCharsets.UTF_8);

        assertThat(argon2id.matches(password, stored)).isTrue();
        assertThat(argon2id.matches("Password".getBytes(StandardCharsets.UTF_8), stored))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void matchesWhenAnotherAlgorithmIsCurrentThenStillTrue(HashAlgorithm current) {
        for (HashAlgorithm stored : HashAlgorithm.values()) {
            String text = hashers.using(stored).hash(INPUT);

            assertThat(hashers.using(current).matches(INPUT, text)).isTrue();
            assertThat(hashers.using(current).matches("another".getBytes(StandardCharsets.UTF_8), text))
                    .isFalse();
            assertThat(hashers.using(current).needsRehash(text)).isEqualTo(stored != current);
        }
    }

    @Test
    void argon2idThenWritesAPhcStringWithAFreshSalt() {
        String text = argon2id.hash(INPUT);

        assertThat(text).matches("\\$argon2id\\$v=19\\$m=64,t=1,p=1\\$[A-Za-z0-9+/]{24}\\$[A-Za-z0-9+/]{43}");
        assertThat(argon2id.hash(INPUT)).isNotEqualTo(text);
    }

    @Test
    void decoyWhenArgon2idThenCurrentButNotTheHash() {
        String decoy = argon2id.decoy(INPUT);

        assertThat(argon2id.needsRehash(decoy)).isFalse();
        assertThat(argon2id.matches(INPUT, decoy)).isFalse();
    }

    /** The check value was computed with Python's hashlib. */
    @Test
    void mayMatchWhenCheckValueIsThatOfTheInputThenTrue() {
        assertThat(argon2id.mayMatch(INPUT, withCheckValue(0xb8b8))).isTrue();
        assertThat(argon2id.mayMatch(INPUT, argon2id.hash(INPUT))).isTrue();
    }

    @Test
    void matchesWhenCheckFailsThenFalseWithoutHashing() {
        for (int bit = 0; bit < 16; bit++) {
            String stored = withCheckValue(0xb8b8 ^ (1 << bit));

            assertThat(argon2id.mayMatch(INPUT, stored)).isFalse();
            assertThat(matchesWithoutHashing(stored, () -> true)).isFalse();
        }
    }

    @Test
    void needsRehashWhenSaltHasNoCheckValueThenTrue() {
        String stored = "$argon2id$v=19$m=64,t=1,p=1$" + SALT + "$" + HASH;

        assertThat(argon2id.mayMatch(INPUT, stored)).isTrue();
        assertThat(argon2id.needsRehash(stored)).isTrue();
    }

    private static String withCheckValue(int check) {
        byte[] salt = ByteBuffer.allocate(18).putShort(16, (short) check).array();
        return "$argon2id$v=19$m=64,t=1,p=1$" + Base64.getEncoder().encodeToString(salt) + "$" + HASH;
    }

    @ParameterizedTest
    @CsvSource({"65,1,1", "64,2,1", "64,1,2"})
    void needsRehashWhenAParameterChangedThenTrue(int memoryKiB, int iterations, int parallelism) {
        String text = argon2id.hash(INPUT);
        SecretHasher changed = hashers(memoryKiB, iterations, parallelism).using(HashAlgorithm.ARGON2ID);

        assertThat(argon2id.needsRehash(text)).isFalse();
        assertThat(changed.needsRehash(text)).isTrue();
        assertThat(changed.matches(INPUT, text)).isTrue();
    }

    @Test
    void needsRehashWhenTheTextIsUnknownThenTrue() {
        assertThat(shake256.needsRehash("md5$00")).isTrue();
        assertThat(shake256.needsRehash("shake256$00")).isTrue();
        assertThat(argon2id.needsRehash("$argon2id$v=19$garbage")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$argon2id$v=19$m=65537,t=1,p=1$",
                "$argon2id$v=19$m=64,t=11,p=1$",
                "$argon2id$v=19$m=64,t=1,p=5$",
                "$argon2id$v=19$m=15,t=1,p=2$"
            })
    void matchesWhenCostIsOutOfRangeThenFalseWithoutHashing(String head) {
        assertThat(matchesWithoutHashing(head + SALT + "$" + HASH, () -> false)).isFalse();
    }

    @Test
    void matchesWhenSettingsAreCostlierThenCeilingFollows() {
        SecretHasher costly = hashers(65_600, 1, 1).using(HashAlgorithm.ARGON2ID);
        String text = costly.hash(INPUT);

        assertThat(costly.matches(INPUT, text)).isTrue();
        assertThat(matchesWithoutHashing(text, () -> false)).isFalse();
        assertThat(argon2id.matches(INPUT, text, () -> true)).isTrue();
    }

    @Test
    void matchesWhenNoSettingsAllowTheCostThenFalse() {
        String costlier = "$argon2id$v=19$m=1048577,t=1,p=1$" + SALT + "$" + HASH;

        assertThat(matchesWithoutHashing(costlier, () -> true)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "$",
                "argon2id",
                "shake256$",
                "$argon2id$",
                "$argon2i$v=19$m=64,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=16$m=64,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$m=64,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$t=1,m=64,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=064,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=0,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=-64,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=99999999999,t=1,p=1$" + SALT + "$" + HASH,
                "$argon2id$v=19$m=64,t=1,p=1$" + SALT + "==$" + HASH,
                "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAB$" + HASH,
                "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAA$" + HASH,
                "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAA$" + HASH,
                "$argon2id$v=19$m=64,t=1,p=1$" + SALT + "$" + HASH + "A",
                "$argon2id$v=19$m=64,t=1,p=1$" + SALT + "$" + HASH + "$",
                "$argon2id$v=19$m=64,t=1,p=1$" + SALT,
                "$argon2id$v=19$m=64,t=1,p=1$" + SALT + "$" + HASH + "\n"
            })
    void matchesWhenTextIsMalformedThenFalseWithoutHashing(String stored) {
        assertThat(matchesWithoutHashing(stored, () -> false)).isFalse();
    }

    @Test
    void matchesWhenTextIsHugeThenFalseWithoutHashing() {
        assertThat(matchesWithoutHashing("$argon2id$v=19$m=64,t=1,p=1$" + "A".repeat(1 << 20), () -> false))
                .isFalse();
        assertThat(matchesWithoutHashing("shake256$" + "0".repeat(1 << 20), () -> false))
                .isFalse();
    }

    @Test
    void matchesWhenAShake256TextWasAlteredThenFalse() {
        String text = shake256.hash(INPUT);
        String hex = text.substring("shake256$".length());

        assertThat(shake256.matches(INPUT, "shake256$" + hex.toUpperCase(Locale.ROOT)))
                .isFalse();
        assertThat(shake256.matches(INPUT, text + "0")).isFalse();
        assertThat(shake256.matches(INPUT, text.substring(0, text.length() - 1)))
                .isFalse();
        byte[] digest = HexFormat.of().parseHex(hex);
        for (int bit = 0; bit < digest.length * 8; bit++) {
            digest[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(shake256.matches(INPUT, "shake256$" + HexFormat.of().formatHex(digest)))
                    .isFalse();
            digest[bit / 8] ^= (byte) (1 << (bit % 8));
        }
    }

    /** Guesses of imported keys have no fast check, so they must not keep issued keys from being verified. */
    @Test
    void hashWhenImportedHashesAreBusyThenHasItsPermit() throws Exception {
        SecretHasher one = new SecretHashers(new Argon2Settings(64, 1, 1, 1, Duration.ZERO), new SecureRandom())
                .using(HashAlgorithm.ARGON2ID);
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(1);
        Thread guesses = new Thread(
                () -> {
                    while (!stopped.get()) {
                        one.matches(INPUT, BCRYPT);
                        started.countDown();
                    }
                },
                "guesses");
        guesses.start();
        try {
            Patience.await(started);
            for (int i = 0; i < 100; i++) {
                assertThat(one.matches(INPUT, one.hash(INPUT))).isTrue();
            }
        } finally {
            stopped.set(true);
            Patience.join(guesses);
        }
    }

    /** An interrupted thread is given no permit: were the text hashed, this would throw. */
    private boolean matchesWithoutHashing(String stored, BooleanSupplier isAuthentic) {
        Thread.currentThread().interrupt();
        try {
            return argon2id.matches(INPUT, stored, isAuthentic);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    private static SecretHashers hashers(int memoryKiB, int iterations, int parallelism) {
        return new SecretHashers(
                new Argon2Settings(memoryKiB, iterations, parallelism, 2, Duration.ofSeconds(2)), new SecureRandom());
    }
}
