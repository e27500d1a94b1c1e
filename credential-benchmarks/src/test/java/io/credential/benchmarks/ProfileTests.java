package io.credential.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProfileTests {

    @Test
    void ofWhenNoArgumentThenFull() {
        assertThat(Profile.of()).isEqualTo(Profile.FULL);
    }

    @Test
    void ofWhenShortThenShort() {
        assertThat(Profile.of("short")).isEqualTo(Profile.SHORT);
    }

    @Test
    void ofWhenUnknownThenFailureNamesIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Profile.of("short", "rounds=3"))
                .withMessageContaining("short rounds=3");
    }
}
