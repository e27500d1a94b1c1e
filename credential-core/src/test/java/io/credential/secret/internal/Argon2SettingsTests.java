package io.credential.secret.internal;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class Argon2SettingsTests {

    @Test
    void defaultsThenAreNineteenMebibytesTwoPassesOneLane() {
        assertThat(Argon2Settings.defaults()).isEqualTo(new Argon2Settings(19_456, 2, 1, 4, Duration.ofSeconds(2)));
    }

    @ParameterizedTest
    @CsvSource({"8,1,1,1,PT0S", "128,64,16,1,PT1S", "1048576,1,1,100,PT1H"})
    void constructorWhenAtTheEndsOfRangesThenAccepted(
            int memoryKiB, int iterations, int parallelism, int maxConcurrent, Duration wait) {
        assertThat(new Argon2Settings(memoryKiB, iterations, parallelism, maxConcurrent, wait).memoryKiB())
                .isEqualTo(memoryKiB);
    }

    @ParameterizedTest
    @CsvSource({
        "memory,7,1,1,1,PT1S",
        "memory,15,1,2,1,PT1S",
        "memory,1048577,1,1,1,PT1S",
        "iterations,8,0,1,1,PT1S",
        "iterations,8,65,1,1,PT1S",
        "parallelism,8,1,0,1,PT1S",
        "parallelism,1024,1,17,1,PT1S",
        "maxConcurrent,8,1,1,0,PT1S",
        "maxWait,8,1,1,1,PT-1S"
    })
    void constructorWhenOutOfRangeThenRefusedByName(
            String option, int memoryKiB, int iterations, int parallelism, int maxConcurrent, Duration wait) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Argon2Settings(memoryKiB, iterations, parallelism, maxConcurrent, wait))
                .withMessageContaining("argon2id." + option);
    }
}
