package io.credential.webhook.delivery.internal.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.SealException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.SecretCells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Sealed secrets as every version must read them. The cells were computed by another implementation. */
class EndpointSecretsTests {

    private static final long UNTIL = 1_800_000_000_000L;
    private static final String SECRET = "an endpoint's secret";
    private static final SecretBinding SHOP = new SecretBinding("shop", "https://shop.example/hooks", "tenant-1");
    private static final String CELL = "s1.k1.ZGVmZ2hpamtsbW5v-aMf4qSzzXJrUron9GC9Its5yyhra8OKJGSsfelwwSgMHQtH";
    private static final String CELL_WITHOUT_AUDIENCE =
            "s1.k1.ZGVmZ2hpamtsbW5v-aMf4qSzzXJrUron9GC9Its5yyj3OQrOnH2bWufKVA0DfqzA";

    /** The key is the bytes 0 to 31, the nonce 100 to 111. */
    private final EndpointSecrets secrets = new EndpointSecrets(
            Keyring.of("k1", Map.of("k1", bytesFrom(0, 32)), bytesFrom(64, 32)), new CountingRandom(), false);

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"tenant-1, " + CELL, "none, " + CELL_WITHOUT_AUDIENCE})
    void sealWhenKeyAndNonceAreFixedThenKnownCell(@Nullable String audience, String cell) {
        SecretBinding binding = new SecretBinding(SHOP.endpointId(), SHOP.url(), audience);

        assertThat(secrets.seal(
                        binding,
                        SignatureScheme.CREDENTIAL,
                        null,
                        SecretBytes.copyOf(SECRET.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(SecretCells.of(SignatureScheme.CREDENTIAL, null, cell));
        assertThat(opened(binding, cell)).isEqualTo(SECRET);
    }

    static List<SecretBinding> otherBindings() {
        return List.of(
                new SecretBinding("shop2", SHOP.url(), SHOP.audience()),
                new SecretBinding(SHOP.endpointId(), "https://shop.example/hook", SHOP.audience()),
                new SecretBinding(SHOP.endpointId(), SHOP.url(), "tenant-2"),
                new SecretBinding(SHOP.endpointId(), SHOP.url(), null),
                new SecretBinding(SHOP.endpointId(), SHOP.url() + SHOP.audience(), null));
    }

    @ParameterizedTest
    @MethodSource("otherBindings")
    void openWhenTheBindingDiffersThenRefused(SecretBinding other) {
        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> opened(other, CELL))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("shop.example", "tenant"));
    }

    @Test
    void rotateThenBothOpenAtTheirPlaces() {
        SecretCells rotated = rotated();

        assertThat(rotated).returns(2, SecretCells::number).returns(UNTIL, SecretCells::previousUntil);
        assertThat(text(secrets.open(SHOP, rotated))).isEqualTo("another secret");
        assertThat(text(Objects.requireNonNull(secrets.openPrevious(SHOP, rotated))))
                .isEqualTo(SECRET);
    }

    @Test
    void rotateWhenAgainThenTheOldestIsDropped() {
        SecretCells again = secrets.rotate(SHOP, rotated(), secret("the third"), UNTIL + 1);

        assertThat(text(secrets.open(SHOP, again))).isEqualTo("the third");
        assertThat(text(Objects.requireNonNull(secrets.openPrevious(SHOP, again))))
                .isEqualTo("another secret");
    }

    @Test
    void rotateWithoutOverlapThenThereIsNoPrevious() {
        assertThat(secrets.rotate(
                        SHOP, SecretCells.of(SignatureScheme.CREDENTIAL, null, CELL), secret("another secret"), 0))
                .returns(2, SecretCells::number)
                .returns(null, SecretCells::previous);
    }

    @Test
    void rotateWhenTheUrlWasChangedThenRefused() {
        SecretBinding changed = new SecretBinding(SHOP.endpointId(), "https://attacker.example/", SHOP.audience());

        assertThatExceptionOfType(SealException.class)
                .isThrownBy(() -> secrets.rotate(
                        changed, SecretCells.of(SignatureScheme.CREDENTIAL, null, CELL), secret("another secret"), 0));
    }

    /** Swapped, kept beyond its overlap, or given another kid. */
    static List<UnaryOperator<SecretCells>> misplacements() {
        return List.of(
                cells -> new SecretCells(SignatureScheme.CREDENTIAL, null, cells.current(), 2, cells.current(), UNTIL),
                cells -> new SecretCells(SignatureScheme.CREDENTIAL, null, cells.current(), 2, CELL, UNTIL),
                cells -> new SecretCells(
                        SignatureScheme.CREDENTIAL, null, cells.current(), 2, cells.previous(), UNTIL + 1),
                cells ->
                        new SecretCells(SignatureScheme.CREDENTIAL, null, cells.current(), 3, cells.previous(), UNTIL));
    }

    @ParameterizedTest
    @MethodSource("misplacements")
    void openPreviousWhenMisplacedThenRefused(UnaryOperator<SecretCells> misplacement) {
        SecretCells misplaced = misplacement.apply(rotated());

        assertThatExceptionOfType(SealException.class).isThrownBy(() -> secrets.openPrevious(SHOP, misplaced));
    }

    @Test
    void openWhenItIsThePreviousOrHasAnotherKidThenRefused() {
        SecretCells rotated = rotated();
        String previous = Objects.requireNonNull(rotated.previous());

        for (SecretCells misplaced : List.of(
                SecretCells.of(SignatureScheme.CREDENTIAL, null, previous),
                new SecretCells(SignatureScheme.CREDENTIAL, null, previous, 2, null, 0),
                SecretCells.of(SignatureScheme.CREDENTIAL, null, rotated.current()),
                new SecretCells(SignatureScheme.CREDENTIAL, null, rotated.current(), 3, null, 0),
                new SecretCells(SignatureScheme.STANDARD_WEBHOOKS, null, rotated.current(), 2, null, 0),
                new SecretCells(SignatureScheme.CREDENTIAL, null, CELL, 2, null, 0))) {
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> secrets.open(SHOP, misplaced));
        }
    }

    /** One whose scheme has fixed names, one without it, and one whose name is that of a scheme. */
    @Test
    void openWhenTheSignatureHeaderDiffersThenRefused() {
        SecretCells cells = secrets.seal(SHOP, SignatureScheme.GITHUB, "X-Mac", secret("another secret"));

        assertThat(text(secrets.open(SHOP, cells))).isEqualTo("another secret");
        for (SecretCells changed : List.of(
                cells.with("x-mac"),
                cells.with(null),
                SecretCells.of(SignatureScheme.STRIPE, "X-Mac", cells.current()),
                SecretCells.of(SignatureScheme.CREDENTIAL, "github", cells.current()),
                SecretCells.of(SignatureScheme.CREDENTIAL, "X-Mac", cells.current()),
                SecretCells.of(SignatureScheme.CREDENTIAL, null, cells.current()))) {
            assertThatExceptionOfType(SealException.class).isThrownBy(() -> secrets.open(SHOP, changed));
        }
    }

    private SecretCells rotated() {
        return secrets.rotate(
                SHOP, SecretCells.of(SignatureScheme.CREDENTIAL, null, CELL), secret("another secret"), UNTIL);
    }

    private static SecretBytes secret(String text) {
        return SecretBytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(SecretBytes secret) {
        return new String(secret.toByteArray(), StandardCharsets.UTF_8);
    }

    @Test
    void toStringThenShowsNeitherUrlNorAudience() {
        assertThat(SHOP.toString()
                        + SHOP.secret(SecretCells.of(SignatureScheme.CREDENTIAL, null, CELL))
                        + SHOP.headers())
                .contains("shop")
                .doesNotContain("shop.example", "tenant-1");
    }

    private String opened(SecretBinding binding, String cell) {
        try (SecretBytes secret = secrets.open(binding, SecretCells.of(SignatureScheme.CREDENTIAL, null, cell))) {
            return new String(secret.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    private static SecretBytes bytesFrom(int first, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (first + i);
        }
        return SecretBytes.copyOf(bytes);
    }

    private static final class CountingRandom extends SecureRandom {

        private static final long serialVersionUID = 1L;

        private int first = 100;

        /** No nonce is drawn twice. */
        @Override
        public void nextBytes(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (first + i);
            }
            first++;
        }
    }
}
