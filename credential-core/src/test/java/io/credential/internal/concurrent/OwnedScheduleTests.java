package io.credential.internal.concurrent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class OwnedScheduleTests {

    private static final String NAME = "owned-schedule-test";
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration PATIENT = Patience.LIMIT;

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final CountDownLatch left = new CountDownLatch(1);

    @AfterEach
    void releaseTheRound() {
        release.countDown();
    }

    @Test
    void startThenRoundsRepeatOnOneDaemonThreadOfThatName() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, rounds::countDown);
        LiveThreads.awaitNone(NAME);

        schedule.start(SOON, SOON);
        schedule.start(SOON, SOON);
        Patience.await(rounds);

        assertThat(schedule.isRunning()).isTrue();
        assertThat(LiveThreads.named(NAME))
                .singleElement()
                .satisfies(thread -> assertThat(thread.isDaemon()).isTrue());
        Thread thread = LiveThreads.named(NAME).get(0);
        schedule.stop();
        assertThat(schedule.isRunning()).isFalse();
        Patience.join(thread);
    }

    @Test
    void runSoonWhenRequestedTwiceThenOneMoreRound() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch next = new CountDownLatch(1);
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, () -> {
            if (rounds.incrementAndGet() == 1) {
                stayInside();
            } else {
                next.countDown();
            }
        });
        schedule.start(SOON, PATIENT);
        Patience.await(inside);

        schedule.runSoon();
        schedule.runSoon();
        release.countDown();

        Patience.await(next);
        schedule.stop();
        assertThat(rounds).hasValue(2);
        schedule.runSoon();
        assertThat(rounds).as("it is stopped").hasValue(2);
    }

    @Test
    void roundWhenItFailsThenNextOnesStillRun() throws Exception {
        AtomicInteger round = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(1);
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, () -> {
            switch (round.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("the first round");
                case 2 -> throw new AssertionError("the second round");
                default -> third.countDown();
            }
        });

        schedule.start(SOON, SOON);
        Patience.await(third);

        schedule.stop();
    }

    @Test
    void stopWhenRoundIsUnderWayThenWaitsForIt() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, this::stayInside);
        schedule.start(SOON, SOON);
        Patience.await(inside);
        Thread stopping = new Thread(schedule::stop);
        stopping.start();
        awaitWaiting(stopping);
        assertThat(left.getCount()).isOne();

        release.countDown();
        Patience.join(stopping);

        assertThat(left.getCount()).isZero();
        assertThat(interrupted).isFalse();
    }

    @Test
    void stopWhenRoundOutlastsDeadlineThenInterruptsIt() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, SOON, this::stayInside);
        schedule.start(SOON, SOON);
        Patience.await(inside);

        schedule.stop();
        Patience.await(left);

        assertThat(interrupted).isTrue();
    }

    @Test
    void stopWhenItsCallerIsInterruptedThenTheRoundIsToo() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, this::stayInside);
        schedule.start(SOON, SOON);
        Patience.await(inside);
        Thread.currentThread().interrupt();

        schedule.stop();

        assertThat(Thread.interrupted()).isTrue();
        Patience.await(left);
        assertThat(interrupted).isTrue();
    }

    @Test
    void startWhenStoppedBeforeThenRunsAgain() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, () -> {
            if (rounds.incrementAndGet() > 1) {
                again.countDown();
            }
            inside.countDown();
        });
        schedule.stop();
        schedule.start(SOON, PATIENT);
        Patience.await(inside);
        schedule.stop();
        assertThat(rounds).hasValue(1);

        schedule.start(SOON, PATIENT);
        Patience.await(again);
        schedule.stop();
    }

    private void stayInside() {
        inside.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            interrupted.set(true);
            Thread.currentThread().interrupt();
        } finally {
            left.countDown();
        }
    }

    private static void awaitWaiting(Thread thread) {
        Patience.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
