package io.credential.secret.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class HashPermitsTests {

    @Test
    void withWhenEveryPermitIsTakenThenRefusedAfterTheWait() throws Exception {
        HashPermits permits = new HashPermits(1, Duration.ofMillis(20));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<String> holder = inThread(
                "holder",
                () -> permits.with(() -> {
                    taken.countDown();
                    Patience.await(release);
                    return "done";
                }));
        Patience.await(taken);

        assertThatExceptionOfType(HasherBusyException.class)
                .isThrownBy(() -> permits.with(() -> "too many"))
                .withMessageContaining("1 permits")
                .withMessageContaining("20 ms");

        release.countDown();
        assertThat(Patience.get(holder)).isEqualTo("done");
        assertThat(permits.with(() -> "free again")).isEqualTo("free again");
    }

    @Test
    void withWhenAPermitIsReleasedInTimeThenItRuns() throws Exception {
        HashPermits permits = new HashPermits(1, Duration.ofSeconds(Long.MAX_VALUE));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Boolean> holder = inThread(
                "holder",
                () -> permits.with(() -> {
                    taken.countDown();
                    Patience.await(release);
                    return true;
                }));
        Patience.await(taken);
        CompletableFuture<String> waited = new CompletableFuture<>();
        Thread waiter = new Thread(() -> waited.complete(permits.with(() -> "waited")), "waiter");
        waiter.start();
        awaitWaiting(waiter);
        assertThat(waited).isNotDone();

        release.countDown();

        assertThat(Patience.get(holder)).isTrue();
        assertThat(Patience.get(waited)).isEqualTo("waited");
    }

    @Test
    void withWhenTheQueueIsFullThenRefusedAtOnce() throws Exception {
        HashPermits permits = new HashPermits(1, Duration.ofSeconds(Long.MAX_VALUE));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        callers.add(inThread(
                "holder",
                () -> permits.with(() -> {
                    taken.countDown();
                    Patience.await(release);
                    return true;
                })));
        Patience.await(taken);
        for (int i = 0; i < HashPermits.MAX_WAITING_PER_PERMIT; i++) {
            CompletableFuture<Boolean> waited = new CompletableFuture<>();
            Thread waiter = new Thread(() -> waited.complete(permits.with(() -> true)), "waiter");
            waiter.start();
            awaitWaiting(waiter);
            callers.add(waited);
        }

        assertThatExceptionOfType(HasherBusyException.class)
                .as("it would wait for ever if it waited")
                .isThrownBy(() -> permits.with(() -> true));

        release.countDown();
        for (CompletableFuture<Boolean> caller : callers) {
            assertThat(Patience.get(caller)).isTrue();
        }
        assertThat(permits.with(() -> "free again")).isEqualTo("free again");
    }

    @Test
    void withWhenTheWorkThrowsThenThePermitIsGivenBack() {
        HashPermits permits = new HashPermits(1, Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> permits.with(() -> {
                    throw new IllegalStateException("work");
                }));

        assertThat(permits.with(() -> "free")).isEqualTo("free");
    }

    @Test
    void withWhenInterruptedThenBusyAndStillInterrupted() {
        HashPermits permits = new HashPermits(1, Duration.ofSeconds(1));
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(HasherBusyException.class).isThrownBy(() -> permits.with(() -> "never"));

        assertThat(Thread.interrupted()).isTrue();
    }

    /** A thread of its own: those of the common pool may all be taken, and their tasks then wait for each other. */
    private static <T> CompletableFuture<T> inThread(String name, Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, name).start());
    }

    private static void awaitWaiting(Thread thread) {
        Patience.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
