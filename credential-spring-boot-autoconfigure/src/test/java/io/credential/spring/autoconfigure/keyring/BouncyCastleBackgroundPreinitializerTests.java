package io.credential.spring.autoconfigure.keyring;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BouncyCastleBackgroundPreinitializerTests {

    @Test
    void preinitializeThenIsRunBySpringBoot() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .filteredOn(BouncyCastleBackgroundPreinitializer.class::isInstance)
                .singleElement()
                .satisfies(ours -> assertThatNoException().isThrownBy(ours::preinitialize));
    }
}
