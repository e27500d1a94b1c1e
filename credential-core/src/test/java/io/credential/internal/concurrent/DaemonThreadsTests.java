package io.credential.internal.concurrent;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;

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
        ScarceThreads threads = new ScarceThreads();
        ThreadPoolExecutor executor = DaemonThreads.single("test", new ArrayBlockingQueue<>(1));
        executor.setThreadFactory(threads);

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> executor.execute(() -> {}));

        threads.provide();
        Patience.join(CompletableFuture.runAsync(() -> {}, executor));
        executor.shutdown();
    }
}
