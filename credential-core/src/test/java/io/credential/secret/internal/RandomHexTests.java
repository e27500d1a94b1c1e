package io.credential.secret.internal;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RandomHexTests {

    private final RandomHex hex = new RandomHex(new SecureRandom());

    @Test
    void nextThenWritesTwoLowerCaseDigitsForEachByte() {
        assertThat(hex.next(8)).matches("[0-9a-f]{16}");
        assertThat(hex.next(1)).matches("[0-9a-f]{2}");
    }

    @Test
    void nextThenDrawsFreshBytesEachTime() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            seen.add(hex.next(16));
        }
        assertThat(seen).hasSize(1_000);
    }

    @Test
    void nextWhenNoByteIsAskedForThenRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> hex.next(0));
    }
}
