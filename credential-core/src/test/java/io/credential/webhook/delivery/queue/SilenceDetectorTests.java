package io.credential.webhook.delivery.queue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When a node may say of another that it has died. */
class SilenceDetectorTests {

    private final SilenceDetector detector = new SilenceDetector();
    private long second;

    @Test
    void lookWhenUnchangedForTenSecondsThenSilent() {
        for (int i = 0; i < 10; i++) {
            assertThat(look(1)).isEmpty();
        }
        assertThat(look(1)).containsExactly("other");
    }

    @Test
    void lookWhenLeaseIsRenewedThenNotSilent() {
        for (int i = 0; i < 20; i++) {
            assertThat(look(i / 9)).isEmpty();
        }
    }

    @Test
    void lookWhenLooksWereMissedThenNobodyIsSilent() {
        for (int i = 0; i < 9; i++) {
            look(1);
        }
        second += 120;

        for (int i = 0; i < 10; i++) {
            assertThat(look(1)).isEmpty();
        }
        assertThat(look(1)).containsExactly("other");
    }

    @Test
    void lookWhenLeaseWasGoneThenWatchedAnew() {
        for (int i = 0; i < 9; i++) {
            look(1);
        }
        look(Map.of());

        assertThat(look(1)).isEmpty();
        assertThat(look(1)).isEmpty();
    }

    @Test
    void lookWhenAnswerIsSlowThenItsTimeDoesNotCount() {
        for (int i = 0; i < 10; i++) {
            long asked = TimeUnit.SECONDS.toNanos(second++);
            detector.look(Map.of("other", 1L), asked, asked + TimeUnit.MILLISECONDS.toNanos(500));
        }

        assertThat(look(1)).isEmpty();
        assertThat(look(1)).containsExactly("other");
    }

    /** A second later each time. */
    private List<String> look(long epoch) {
        return look(Map.of("other", epoch));
    }

    private List<String> look(Map<String, Long> epochs) {
        long now = TimeUnit.SECONDS.toNanos(second++);
        return detector.look(epochs, now, now);
    }
}
