package io.credential.concurrent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DaemonThreadsTests {

    @Test
    void threadThenInheritsNothingOfItsCreator() {
        InheritableThreadLocal<String> context = new InheritableThreadLocal<>();
        context.set("of the first caller");
        CompletableFuture<Boolean> inherited = new CompletableFuture<>();

        Thread thread = DaemonThreads.named("test").newThread(() -> inherited.complete(context.get() != null));
        thread.start();

        assertThat(Patience.join(inherited)).isFalse();
        assertThat(thread.isDaemon()).isTrue();
        context.remove();
    }

    @Test
    void executeWhenNoThreadCanBeCreatedThenRejected() {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        ThreadPoolExecutor executor = DaemonThreads.single("test", new ArrayBlockingQueue<>(1));
        executor.setThreadFactory(task -> {
            if (exhausted.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        });

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> {}));

        exhausted.set(false);
        Patience.join(CompletableFuture.runAsync(() -> {}, executor));
        executor.shutdown();
    }
}
