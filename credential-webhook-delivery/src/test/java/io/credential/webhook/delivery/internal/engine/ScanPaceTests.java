package io.credential.webhook.delivery.internal.engine;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScanPaceTests {

    private static final long MILLISECOND = 1_000_000;

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - MILLISECOND);
    private final ScanPace pace = new ScanPace(nanoTime::get);

    @Test
    void pollWhenNothingIsOpenThenDueAfterShortPause() {
        scan(10 * MILLISECOND, false);

        nanoTime.addAndGet(90 * MILLISECOND - 1);
        pace.poll();
        assertThat(pace.isDue()).as("100 ms after the scan began").isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void pollWhenFirstThenDue() {
        assertThat(pace.isDue()).isFalse();
        pace.poll();
        assertThat(pace.isDue()).isTrue();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void pollWhenScanWasExpensiveThenDueAfterFiftyTimesIt() {
        scan(10 * MILLISECOND, true);

        nanoTime.addAndGet(490 * MILLISECOND - 1);
        pace.poll();
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).as("the poll is not forgotten").isTrue();
    }

    @Test
    void pollWhenScanTookSecondsThenDueAfterTheLongestPause() {
        scan(5_000 * MILLISECOND, true);

        nanoTime.addAndGet(10_000 * MILLISECOND - 1);
        pace.poll();
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        pace.poll();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void beginWhenPolledTwiceThenNoLongerDue() {
        pace.poll();
        pace.poll();

        scan(0, true);

        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void millisToScanWhenPolledThenUntilThePauseIsOver() {
        scan(10 * MILLISECOND, true);

        assertThat(pace.millisToScan()).isEqualTo(14_991);
        pace.poll();
        assertThat(pace.millisToScan()).isEqualTo(491);
        nanoTime.addAndGet(600 * MILLISECOND);
        assertThat(pace.millisToScan()).isOne();
    }

    @Test
    void isDueWhenNotPolledThenAfterTheLongestPause() {
        scan(10 * MILLISECOND, false);

        nanoTime.addAndGet(14_990 * MILLISECOND - 1);
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void failedWhenScanTookSecondsThenDueAfterAsLong() {
        fail(8_000 * MILLISECOND);

        pace.poll();
        nanoTime.addAndGet(8_000 * MILLISECOND - 1);
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void failedWhenAtOnceThenDueAfterASecondWithoutPoll() {
        fail(0);

        nanoTime.addAndGet(1_000 * MILLISECOND - 1);
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).isTrue();
    }

    private void fail(long duration) {
        long begun = pace.begin();
        nanoTime.addAndGet(duration);
        pace.failed(begun);
    }

    private void scan(long duration, boolean foundOpen) {
        long begun = pace.begin();
        nanoTime.addAndGet(duration);
        pace.end(begun, foundOpen);
    }
}
