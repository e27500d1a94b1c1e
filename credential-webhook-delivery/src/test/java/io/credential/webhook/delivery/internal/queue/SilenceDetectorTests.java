package io.credential.webhook.delivery.internal.queue;

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
    void scanWhenUnchangedForTenSecondsThenSilent() {
        for (int i = 0; i < 10; i++) {
            assertThat(scan(1)).isEmpty();
        }
        assertThat(scan(1)).containsExactly("other");
    }

    @Test
    void scanWhenLeaseIsRenewedThenNotSilent() {
        for (int i = 0; i < 20; i++) {
            assertThat(scan(i / 9)).isEmpty();
        }
    }

    @Test
    void scanWhenScansWereMissedThenNobodyIsSilent() {
        for (int i = 0; i < 9; i++) {
            scan(1);
        }
        second += 120;

        for (int i = 0; i < 10; i++) {
            assertThat(scan(1)).isEmpty();
        }
        assertThat(scan(1)).containsExactly("other");
    }

    @Test
    void scanWhenLeaseWasGoneThenWatchedAnew() {
        for (int i = 0; i < 9; i++) {
            scan(1);
        }
        scan(Map.of());

        assertThat(scan(1)).isEmpty();
        assertThat(scan(1)).isEmpty();
    }

    @Test
    void scanWhenAnswerIsSlowThenItsTimeDoesNotCount() {
        for (int i = 0; i < 10; i++) {
            long asked = TimeUnit.SECONDS.toNanos(second++);
            detector.scan(Map.of("other", 1L), asked, asked + TimeUnit.MILLISECONDS.toNanos(500));
        }

        assertThat(scan(1)).isEmpty();
        assertThat(scan(1)).containsExactly("other");
    }

    /** A second later each time. */
    private List<String> scan(long epoch) {
        return scan(Map.of("other", epoch));
    }

    private List<String> scan(Map<String, Long> epochs) {
        long now = TimeUnit.SECONDS.toNanos(second++);
        return detector.scan(epochs, now, now);
    }
}
