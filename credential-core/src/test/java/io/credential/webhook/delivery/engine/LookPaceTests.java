package io.credential.webhook.delivery.engine;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LookPaceTests {

    private static final long MILLISECOND = 1_000_000;

    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - MILLISECOND);
    private final LookPace pace = new LookPace(nanoTime::get);

    @Test
    void pollWhenNothingIsOpenThenDueAfterShortPause() {
        look(10 * MILLISECOND, false);

        nanoTime.addAndGet(90 * MILLISECOND - 1);
        pace.poll();
        assertThat(pace.isDue()).as("100 ms after the look began").isFalse();
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
    void pollWhenLookWasExpensiveThenDueAfterFiftyTimesIt() {
        look(10 * MILLISECOND, true);

        nanoTime.addAndGet(490 * MILLISECOND - 1);
        pace.poll();
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).as("the poll is not forgotten").isTrue();
    }

    @Test
    void pollWhenLookTookSecondsThenDueAfterTheLongestPause() {
        look(5_000 * MILLISECOND, true);

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

        look(0, true);

        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void millisToLookWhenPolledThenUntilThePauseIsOver() {
        look(10 * MILLISECOND, true);

        assertThat(pace.millisToLook()).isEqualTo(14_991);
        pace.poll();
        assertThat(pace.millisToLook()).isEqualTo(491);
        nanoTime.addAndGet(600 * MILLISECOND);
        assertThat(pace.millisToLook()).isOne();
    }

    @Test
    void isDueWhenNotPolledThenAfterTheLongestPause() {
        look(10 * MILLISECOND, false);

        nanoTime.addAndGet(14_990 * MILLISECOND - 1);
        assertThat(pace.isDue()).isFalse();
        nanoTime.incrementAndGet();
        assertThat(pace.isDue()).isTrue();
    }

    @Test
    void failedWhenLookTookSecondsThenDueAfterAsLong() {
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

    private void look(long duration, boolean foundOpen) {
        long begun = pace.begin();
        nanoTime.addAndGet(duration);
        pace.end(begun, foundOpen);
    }
}
