package io.credential.webhook.delivery.internal.attempt;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptThreadsTests {

    @Test
    void executeWhenOpenThenOnAThreadOfItsOwn() throws Exception {
        try (AttemptThreads threads = new AttemptThreads()) {
            CompletableFuture<String> name = new CompletableFuture<>();

            threads.execute(() -> name.complete(Thread.currentThread().getName()));

            assertThat(Patience.get(name)).startsWith("credential-webhook-attempt-");
        }
    }

    @Test
    void executeWhenClosedThenOnTheCallersThread() {
        AttemptThreads threads = new AttemptThreads();
        threads.close();
        CompletableFuture<Thread> ranOn = new CompletableFuture<>();

        threads.execute(() -> ranOn.complete(Thread.currentThread()));

        assertThat(ranOn).isCompletedWithValue(Thread.currentThread());
    }
}
