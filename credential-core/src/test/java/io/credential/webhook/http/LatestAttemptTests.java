package io.credential.webhook.http;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LatestAttemptTests {

    private final LatestAttempt attempt = new LatestAttempt();

    private final CompletableFuture<Void> first = new CompletableFuture<>();

    private final CompletableFuture<Void> second = new CompletableFuture<>();

    @Test
    void aFutureThatIsReportedLateDoesNotTakeThePlaceOfANewerOne() {
        int failedAtOnce = attempt.next();
        attempt.started(attempt.next(), second);
        attempt.started(failedAtOnce, first);

        assertThat(first).isCancelled();
        assertThat(second).isNotDone();

        attempt.stop();

        assertThat(second).isCancelled();
    }

    @Test
    void whatIsReportedAfterTheStopIsStopped() {
        int number = attempt.next();
        attempt.stop();
        attempt.started(number, first);
        attempt.started(attempt.next(), second);

        assertThat(first).isCancelled();
        assertThat(second).isCancelled();
    }
}
