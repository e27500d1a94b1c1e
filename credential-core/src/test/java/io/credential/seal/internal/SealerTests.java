package io.credential.seal.internal;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.internal.Base64Url;
import io.credential.testing.InParallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SealerTests {

    private static final CellAddress ADDRESS = new CellAddress("api_keys", "owner_id", "live", "00ff");
    private static final byte[] PLAINTEXT = "ünïcode".getBytes(StandardCharsets.UTF_8);

    private final SecureRandom random = new SecureRandom();
    private final Keyring keyring = TestKeys.keyring("k1", "k1");
    private final Sealer sealer = new Sealer(keyring, random);

    /** Computed by another implementation of HKDF and AES-GCM, with the nonce 100 to 111. */
    @Test
    void openWhenCellWasMadeElsewhereThenGivesPlaintext() {
        assertThat(sealer.open(ADDRESS, "s1.k1.ZGVmZ2hpamtsbW5vW3FRRGW00nlnd5fKzTeWt2vSyM0cmg4EOA"))
                .isEqualTo(PLAINTEXT);
        assertThat(sealer.openPlainOrBound(ADDRESS, "s0.k1.ZGVmZ2hpamtsbW5vW3FRRGW00nlnCoSNe_wXTJK2nnODO8dakA"))
                .isEqualTo(PLAINTEXT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 4096, 262_144})
    void openThenGivesWhatWasSealed(int length) {
        byte[] plaintext = new byte[length];
        random.nextBytes(plaintext);

        String cell = sealer.seal(ADDRESS, plaintext);

        assertThat(cell).matches("s1\\.k1\\.[A-Za-z0-9_-]+");
        assertThat(sealer.open(ADDRESS, cell)).isEqualTo(plaintext);
        assertThat(sealer.openPlainOrBound(ADDRESS, cell)).isEqualTo(plaintext);
    }

    @Test
    void openWhenCellIsTheLongestThenGivesWhatWasSealed() {
        String keyId = "k1" + "x".repeat(30);
        Sealer longest = new Sealer(TestKeys.keyring(keyId, keyId), random);
        byte[] plaintext = new byte[262_144];

        assertThat(longest.open(ADDRESS, longest.seal(ADDRESS, plaintext))).isEqualTo(plaintext);
    }

    @Test
    void sealWhenThePlaintextIsTooLongThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sealer.seal(ADDRESS, new byte[262_145]))
                .withMessageContaining("262144");
    }

    @Test
    void sealWhenValueIsTheSameThenCellsDiffer() {
        Set<String> cells = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            cells.add(sealer.seal(ADDRESS, PLAINTEXT));
        }
        assertThat(cells).hasSize(1_000);
    }

    static List<CellAddress> otherAddresses() {
        return List.of(
                new CellAddress("webhook_endpoints", "owner_id", "live", "00ff"),
                new CellAddress("api_keys", "scopes", "live", "00ff"),
                new CellAddress("api_keys", "owner_id", "test", "00ff"),
                new CellAddress("api_keys", "owner_id", "live", "00fe"),
                new CellAddress("api_key", "sowner_id", "live", "00ff"),
                new CellAddress("api_keysowner_id", "", "live", "00ff"),
                new CellAddress("api_keys", "owner_id", "", "live00ff"),
                new CellAddress("api_keys", "owner_id", "live0", "0ff"),
                new CellAddress("api_keys", "owner_id", "live", "00ff", List.of("")));
    }

    @ParameterizedTest
    @MethodSource("otherAddresses")
    void openWhenTheCellWasMovedThenRefused(CellAddress elsewhere) {
        String cell = sealer.seal(ADDRESS, PLAINTEXT);

        assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(elsewhere, cell));
        assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.openPlainOrBound(elsewhere, cell));
    }

    @Test
    void openWhenAnyBitOfTheCellTextIsFlippedThenRefused() {
        String cell = sealer.seal(ADDRESS, PLAINTEXT);
        byte[] text = cell.getBytes(StandardCharsets.ISO_8859_1);
        for (int bit = 0; bit < 8 * text.length; bit++) {
            text[bit / 8] ^= (byte) (1 << (bit % 8));
            String flipped = new String(text, StandardCharsets.ISO_8859_1);
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> sealer.openPlainOrBound(ADDRESS, flipped))
                    .isInstanceOfAny(SealException.class, UnknownSealKeyException.class);
            text[bit / 8] ^= (byte) (1 << (bit % 8));
        }
    }

    @Test
    void openWhenAnyBitOfSealedBytesIsFlippedThenRefused() {
        String cell = sealer.seal(ADDRESS, PLAINTEXT);
        byte[] sealed = Base64.getUrlDecoder().decode(cell.substring("s1.k1.".length()));
        assertThat(sealed).hasSize(12 + PLAINTEXT.length + 16);
        for (int bit = 0; bit < 8 * sealed.length; bit++) {
            sealed[bit / 8] ^= (byte) (1 << (bit % 8));
            String flipped = "s1.k1." + Base64Url.encode(sealed);
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(ADDRESS, flipped));
            sealed[bit / 8] ^= (byte) (1 << (bit % 8));
        }
        assertThat(sealer.open(ADDRESS, "s1.k1." + Base64Url.encode(sealed))).isEqualTo(PLAINTEXT);
    }

    @Test
    void openWhenTheCellIsCutShortOrLengthenedThenRefused() {
        String cell = sealer.seal(ADDRESS, PLAINTEXT);
        for (int length = 0; length < cell.length(); length++) {
            String cut = cell.substring(0, length);
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(ADDRESS, cut));
        }
        for (String more : List.of("A", "AA", "AAAA", "=", "\n", " ", ".")) {
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(ADDRESS, cell + more));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "s1",
                "s1.",
                "s1.k1",
                "s1..AAAA",
                "s1.K1.AAAA",
                "s1.k1.",
                "s1.k1.AAAA",
                "s2.k1.AAAA",
                "S1.k1.AAAA",
                " s1.k1.AAAA",
                "m1.k1.AAAA",
                "s1.k1.k1.AAAA",
                "s1.0123456789012345678901234567890123.AAAA",
                "plain text"
            })
    void openWhenCellIsMalformedThenRefusedWithoutQuotingIt(String cell) {
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(ADDRESS, cell))
                .withMessage("This is not a sealed cell: column owner_id of api_keys, namespace 'live', id '00ff'");
    }

    @Test
    void openWhenTheCellIsHugeThenRefused() {
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(ADDRESS, "s1.k1." + "A".repeat(1 << 20)));
    }

    @Test
    void openWhenTheKeyIsUnknownThenSaysWhichOne() {
        String cell = new Sealer(TestKeys.keyring("k2", "k2"), random).seal(ADDRESS, PLAINTEXT);

        assertThatExceptionOfType(UnknownSealKeyException.class)
                .isThrownBy(() -> sealer.open(ADDRESS, cell))
                .satisfies(e -> assertThat(e.keyId()).isEqualTo("k2"));
    }

    @Test
    void openWhenCellIsRelabelledWithAnotherKeyThenRefused() {
        Sealer both = new Sealer(TestKeys.keyring("k1", "k1", "k2"), random);
        String cell = both.seal(ADDRESS, PLAINTEXT);

        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> both.open(ADDRESS, cell.replace("s1.k1.", "s1.k2.")));
    }

    @Test
    void sealerWhenRotatedThenOldKeyOpensAndNewOneSeals() {
        String old = sealer.seal(ADDRESS, PLAINTEXT);
        Sealer rotated = new Sealer(TestKeys.keyring("k2", "k1", "k2"), random);
        String renewed = rotated.seal(ADDRESS, PLAINTEXT);

        assertThat(rotated.open(ADDRESS, old)).isEqualTo(PLAINTEXT);
        assertThat(rotated.isCurrent(old)).isFalse();
        assertThat(renewed).startsWith("s1.k2.");
        assertThat(rotated.isCurrent(renewed)).isTrue();
    }

    @Test
    void openWhenCellIsPlainThenRefusedUnlessMigrating() {
        String plain = PlainCells.seal(keyring, PLAINTEXT, random);

        assertThat(Sealer.isPlain(plain)).isTrue();
        assertThat(sealer.isCurrent(plain)).isFalse();
        assertThat(sealer.openPlainOrBound(ADDRESS, plain)).isEqualTo(PLAINTEXT);
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(ADDRESS, plain))
                .withMessageContaining("plain form");
    }

    @Test
    void openWhenBoundAndPlainLabelsAreSwappedThenRefused() {
        String bound = sealer.seal(ADDRESS, PLAINTEXT);
        String plain = PlainCells.seal(keyring, PLAINTEXT, random);

        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.openPlainOrBound(ADDRESS, bound.replace("s1.", "s0.")));
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(ADDRESS, plain.replace("s0.", "s1.")));
    }

    @Test
    void openWhenRefusedThenMessageDoesNotQuoteTheCell() {
        String cell = sealer.seal(ADDRESS, PLAINTEXT);
        CellAddress elsewhere = new CellAddress("api_keys", "owner_id", "live", "00fe");

        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> sealer.open(elsewhere, cell))
                .withMessageNotContaining(cell.substring("s1.k1.".length()))
                .withNoCause();
    }

    @Test
    void sealerWhenThreadsShareItThenEveryCellOpens() {
        List<Callable<Integer>> work = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            int thread = t;
            work.add(() -> sealAndOpen(thread, 500));
        }

        assertThat(InParallel.run(work)).containsOnly(500);
    }

    /** Every other cell is tried at a wrong address, so that a failed opening must not spoil the next one. */
    private int sealAndOpen(int thread, int rounds) {
        RowMac mac = new RowMac(keyring);
        int opened = 0;
        for (int i = 0; i < rounds; i++) {
            CellAddress own = new CellAddress("api_keys", "owner_id", "live", thread + "-" + i);
            byte[] value = ("value " + thread + " " + i).getBytes(StandardCharsets.UTF_8);
            String cell = sealer.seal(own, value);
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> sealer.open(ADDRESS, cell));
            assertThat(sealer.open(own, cell)).isEqualTo(value);
            assertThat(mac.verify(row(cell), mac.compute(row(cell)))).isTrue();
            opened++;
        }
        return opened;
    }

    private static RowValues row(String cell) {
        return new RowValues("api_keys").text("cell", cell);
    }
}
