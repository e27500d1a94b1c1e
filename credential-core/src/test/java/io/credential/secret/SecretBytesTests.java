package io.credential.secret;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SecretBytesTests {

    @Test
    void copyOfThenCopiesInAndOut() {
        byte[] given = {1, 2, 3};
        try (SecretBytes secret = SecretBytes.copyOf(given)) {
            given[0] = 9;
            secret.toByteArray()[1] = 9;

            assertThat(secret.toByteArray()).containsExactly(1, 2, 3);
            assertThat(secret.length()).isEqualTo(3);
        }
    }

    @Test
    void copyAndWipeWhenCopiedThenTheArrayIsWiped() {
        byte[] given = {1, 2, 3};
        try (SecretBytes secret = SecretBytes.copyAndWipe(given)) {
            assertThat(secret.toByteArray()).containsExactly(1, 2, 3);
            assertThat(given).containsOnly(0);
        }
    }

    @Test
    void useWhenTheFunctionReturnsThenItsCopyIsWiped() {
        try (SecretBytes secret = SecretBytes.copyOf(new byte[] {1, 2, 3})) {
            byte[] copy = secret.use(bytes -> {
                assertThat(bytes).containsExactly(1, 2, 3);
                return bytes;
            });

            assertThat(copy).containsOnly(0);
            assertThat(secret.toByteArray()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void useWhenTheFunctionFailsThenItsCopyIsWiped() {
        byte[][] copy = new byte[1][];
        try (SecretBytes secret = SecretBytes.copyOf(new byte[] {1, 2, 3})) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> secret.use(bytes -> {
                        copy[0] = bytes;
                        throw new IllegalArgumentException();
                    }));
        }
        assertThat(copy[0]).containsOnly(0);
    }

    @Test
    void randomThenHasTheLengthAskedForAndDiffers() {
        SecureRandom random = new SecureRandom();
        try (SecretBytes one = SecretBytes.random(32, random);
                SecretBytes other = SecretBytes.random(32, random)) {
            assertThat(one.length()).isEqualTo(32);
            assertThat(one.toByteArray()).isNotEqualTo(other.toByteArray());
        }
        assertThatIllegalArgumentException().isThrownBy(() -> SecretBytes.random(0, random));
    }

    @Test
    void useAndCloseThenWipesTheBytes() {
        SecretBytes secret = SecretBytes.copyOf(new byte[] {1, 2});
        List<byte[]> seen = new ArrayList<>();

        assertThat(secret.<Integer>useAndClose(bytes -> {
                    seen.add(bytes);
                    return bytes[0] + bytes[1];
                }))
                .isEqualTo(3);

        assertThat(seen).containsExactly(new byte[2]);
        assertThatIllegalStateException().isThrownBy(() -> secret.useAndClose(bytes -> 0));
    }

    @Test
    void toStringThenPrintsNoBytes() {
        try (SecretBytes secret = SecretBytes.copyOf(new byte[] {77, 78, 79})) {
            assertThat(secret).hasToString("SecretBytes[3 bytes]");
        }
    }

    @Test
    void bytesWhenClosedThenCannotBeRead() {
        SecretBytes secret = SecretBytes.copyOf(new byte[] {1});
        secret.close();
        secret.close();

        assertThatIllegalStateException().isThrownBy(secret::toByteArray);
        assertThatIllegalStateException().isThrownBy(() -> secret.use(bytes -> bytes));
    }
}
