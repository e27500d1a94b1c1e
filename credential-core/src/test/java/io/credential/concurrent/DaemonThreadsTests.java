package io.credential.concurrent;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

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
}
