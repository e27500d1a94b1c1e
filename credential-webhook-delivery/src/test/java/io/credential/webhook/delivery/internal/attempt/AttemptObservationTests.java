package io.credential.webhook.delivery.internal.attempt;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;

import io.credential.testing.RecordedObservations;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.StoredResponse;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class AttemptObservationTests {

    private final RecordedObservations observations = new RecordedObservations();
    private final ClaimedDelivery delivery = new ClaimedDelivery(
            "delivery",
            "event",
            "shop",
            "e",
            1,
            0,
            0,
            0,
            new Claim(1, "owner", 0, 0),
            false,
            null,
            null,
            0,
            null,
            null);
    private final AttemptObservation attempt = new AttemptObservation(observations.registry(), delivery);

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments(new WebhookTransportException(Failure.TIMEOUT, "late"), "timed-out"),
                arguments(new QueryTimeoutException("late"), "unavailable"),
                arguments(new CannotCreateTransactionException("no connection"), "unavailable"),
                arguments(new IllegalStateException("a defect"), "unexpected"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failedThenAStableReason(Throwable failure, String reason) {
        attempt.failed(failure);
        ended(Settlement.postponed(delivery, 0));

        assertThat(tags()).containsEntry("reason", reason);
        assertThat(observations.running()).isZero();
    }

    @Test
    void runWhenReleasedThenNoReason() {
        ended(Settlement.released(delivery));

        assertThat(tags()).isEqualTo(Map.of("outcome", "released", "reason", "none", "status", "none"));
    }

    @Test
    void runWhenDeadThenTheReasonOfTheDelivery() {
        ended(Settlement.deadUnattempted(delivery, 0, DeadReason.AUDIENCE_CHANGED, "another audience"));

        assertThat(tags()).containsEntry("outcome", "dead").containsEntry("reason", "audience-changed");
    }

    @Test
    void runWhenDeliveredThenTheClassOfTheStatus() {
        ended(Settlement.delivered(
                delivery, 0, new AttemptLog(0, 1, null, new StoredResponse(204, null, null, null), null)));

        assertThat(tags()).isEqualTo(Map.of("outcome", "delivered", "reason", "none", "status", "2xx"));
    }

    static Stream<Throwable> requestFailures() {
        Throwable cause = new WebhookTransportException(Failure.CONNECT, "refused");
        return Stream.of(cause, new CompletionException(cause), new CompletionException("without a cause", null));
    }

    @ParameterizedTest
    @MethodSource("requestFailures")
    void requestWhenItFailsThenStopped(Throwable failure) {
        CompletableFuture<WebhookResponse> response =
                attempt.request(new HashMap<>()).run(() -> CompletableFuture.failedFuture(failure));

        assertThat(response).isCompletedExceptionally();
        assertThat(observations.tags("credential.webhook.request"))
                .containsExactly(Map.of("outcome", "failed", "status", "none"));
    }

    @Test
    void requestWhenItDoesNotStartThenStopped() {
        AttemptObservation.Request request = attempt.request(new HashMap<>());

        assertThatIllegalStateException()
                .isThrownBy(() -> request.run(() -> {
                    throw new IllegalStateException("the transport is closed");
                }));

        assertThat(observations.tags("credential.webhook.request"))
                .containsExactly(Map.of("outcome", "failed", "status", "none"));
        assertThat(observations.running()).isOne();
    }

    private void ended(Settlement settlement) {
        assertThat(attempt.run(() -> CompletableFuture.completedFuture(settlement)))
                .isCompletedWithValue(settlement);
    }

    private Map<String, String> tags() {
        return observations.tags("credential.webhook.attempt").get(0);
    }
}
