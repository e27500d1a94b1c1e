package io.credential.concurrent;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class OwnedScheduleTests {

    private static final String NAME = "owned-schedule-test";
    private static final Duration SOON = Duration.ofMillis(1);
    private static final Duration PATIENT = Duration.ofSeconds(20);

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final CountDownLatch left = new CountDownLatch(1);

    @AfterEach
    void releaseTheRound() {
        release.countDown();
    }

    @Test
    void roundsAreRepeatedOnOneDaemonThreadOfThatName() throws Exception {
        CountDownLatch rounds = new CountDownLatch(3);
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, rounds::countDown);
        assertThat(threads()).isEmpty();

        schedule.start(SOON, SOON);
        schedule.start(SOON, SOON);
        rounds.await();

        assertThat(schedule.isRunning()).isTrue();
        assertThat(threads())
                .singleElement()
                .satisfies(thread -> assertThat(thread.isDaemon()).isTrue());
        Thread thread = threads().get(0);
        schedule.stop();
        assertThat(schedule.isRunning()).isFalse();
        thread.join();
    }

    @Test
    void aRoundThatFailsDoesNotEndTheNextOnes() throws Exception {
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
        third.await();

        schedule.stop();
    }

    @Test
    void stopWaitsForTheRoundThatIsUnderWay() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, this::stayInside);
        schedule.start(SOON, SOON);
        inside.await();
        Thread stopping = new Thread(schedule::stop);
        stopping.start();
        awaitWaiting(stopping);
        assertThat(left.getCount()).isOne();

        release.countDown();
        stopping.join();

        assertThat(left.getCount()).isZero();
        assertThat(interrupted).isFalse();
    }

    @Test
    void stopInterruptsTheRoundThatOutlastsTheDeadline() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, SOON, this::stayInside);
        schedule.start(SOON, SOON);
        inside.await();

        schedule.stop();
        left.await();

        assertThat(interrupted).isTrue();
    }

    @Test
    void stopWhenItsCallerIsInterruptedThenTheRoundIsToo() throws Exception {
        OwnedSchedule schedule = new OwnedSchedule(NAME, PATIENT, this::stayInside);
        schedule.start(SOON, SOON);
        inside.await();
        Thread.currentThread().interrupt();

        schedule.stop();

        assertThat(Thread.interrupted()).isTrue();
        left.await();
        assertThat(interrupted).isTrue();
    }

    @Test
    void whatWasStoppedCanBeStartedAgain() throws Exception {
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
        inside.await();
        schedule.stop();
        assertThat(rounds).hasValue(1);

        schedule.start(SOON, PATIENT);
        again.await();
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
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(NAME))
                .toList();
    }
}
