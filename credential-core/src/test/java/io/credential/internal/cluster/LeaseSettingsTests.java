package io.credential.internal.cluster;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LeaseSettingsTests {

    @Test
    void renewIntervalWhenLeaseIsTenSecondsThenThree() {
        assertThat(new LeaseSettings("a", null, Duration.ofSeconds(10)).renewInterval())
                .isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void settingsWhenTheyCannotWorkThenRefused() {
        Duration ten = Duration.ofSeconds(10);

        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseSettings(" ", null, ten));
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaseSettings("a", null, Duration.ofMillis(99)));
    }
}
