package io.credential.webhook.delivery.internal.attempt;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;

import io.credential.seal.internal.CellAddress;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.TestDispatcherOptions;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class OutcomePolicyTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long MILLIS = NOW.toEpochMilli();

    /** Eight attempts, pauses of 5 s to 1 h, claims of 5 minutes, a margin of 10 s and a timeout of 15 s. */
    private static final DispatcherOptions OPTIONS = TestDispatcherOptions.withCapacity(100, 256, 16, 1024 * 1024);

    private static final int LAST = OPTIONS.maxAttempts();

    private final OutcomePolicy policy = new OutcomePolicy(OPTIONS, new Random(1));

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 299})
    void answeredWhenSuccessfulThenDelivered(int status) {
        Settlement outcome = answered(1, status, null);

        assertThat(outcome.status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(outcome.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 302, 400, 410, 500})
    void answeredWhenNotSuccessfulThenRetried(int status) {
        Settlement outcome = answered(1, status, null);

        assertThat(outcome.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(outcome.attempted()).isTrue();
        assertThat(outcome.nextAttemptAt()).isBetween(MILLIS + 5000, MILLIS + 5500);
    }

    @Test
    void answeredWhenLastAttemptFailedThenDead() {
        assertThat(answered(LAST, 500, null).reason()).isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void answeredWhenReceiverAsksForAPauseThenWaits(int status) {
        assertThat(answered(1, status, "60").nextAttemptAt()).isEqualTo(MILLIS + 60_000);
    }

    @Test
    void answeredWhenPauseIsShorterThanBackoffThenBackoff() {
        assertThat(answered(1, 429, "1").nextAttemptAt()).isGreaterThanOrEqualTo(MILLIS + 5000);
    }

    @Test
    void answeredWhenPauseIsTooLongThenTheLongestBackoff() {
        assertThat(answered(1, 429, "1000000").nextAttemptAt())
                .isEqualTo(MILLIS + OPTIONS.backoff().max().toMillis());
    }

    @Test
    void answeredWhenOtherStatusAsksForAPauseThenIgnored() {
        assertThat(answered(1, 500, "60").nextAttemptAt()).isLessThan(MILLIS + 60_000);
    }

    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"CLOSED", "OVERLOADED"})
    void failedWhenNodeIsCongestedThenNotCounted(Failure failure) {
        assertThat(failed(LAST, new WebhookTransportException(failure, "busy")))
                .isEqualTo(Settlement.postponed(delivery(LAST), MILLIS + 1000));
    }

    @Test
    void failedWhenDatabaseDoesNotAnswerThenNotCounted() {
        assertThat(failed(LAST, new QueryTimeoutException("late")))
                .isEqualTo(Settlement.postponed(delivery(LAST), MILLIS + 1000));
    }

    @Test
    void failedWhenNoTransactionBeginsThenNotCounted() {
        assertThat(failed(LAST, new CannotCreateTransactionException("no connection")))
                .isEqualTo(Settlement.postponed(delivery(LAST), MILLIS + 1000));
    }

    @Test
    void failedWhenKeyIsMissingThenPostponedForAMinute() {
        assertThat(failed(LAST, missingKey())).isEqualTo(Settlement.postponed(delivery(LAST), MILLIS + 60_000));
    }

    @Test
    void failedWhenTimedOutThenCounted() {
        Settlement outcome = failed(1, new WebhookTransportException(Failure.TIMEOUT, "late"));

        assertThat(outcome.attempts()).isEqualTo(1);
        assertThat(outcome.nextAttemptAt()).isBetween(MILLIS + 5000, MILLIS + 5500);
    }

    @Test
    void failedWhenItIsADefectThenCountedWithoutItsText() {
        Settlement outcome = failed(1, new IllegalStateException("internal detail"));

        assertThat(outcome.attempts()).isEqualTo(1);
        assertThat(outcome.error()).isEqualTo("The attempt failed unexpectedly");
    }

    @Test
    void failedWhenTooOftenThenDead() {
        assertThat(failed(LAST, new WebhookTransportException(Failure.TIMEOUT, "late"))
                        .reason())
                .isEqualTo(DeadReason.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void isOfEndpointWhenNodeIsCongestedThenFalse() {
        assertThat(OutcomePolicy.isOfEndpoint(new WebhookTransportException(Failure.OVERLOADED, "busy")))
                .isFalse();
        assertThat(OutcomePolicy.isOfEndpoint(new WebhookTransportException(Failure.CONNECT, "refused")))
                .isTrue();
    }

    @Test
    void ofAttemptsWhenAllEndedWithTheirNodeThenDead() {
        assertThat(policy.ofAttempts(delivery(LAST), NOW)).isEmpty();
        assertThat(policy.ofAttempts(delivery(LAST + 1), NOW))
                .hasValueSatisfying(outcome -> assertThat(outcome.reason()).isEqualTo(DeadReason.LEASE_EXPIRED));
    }

    @Test
    void isInTimeWhenOutcomeCouldNotBeStoredThenFalse() {
        Duration latest =
                OPTIONS.claimReclaimAfter().minus(OPTIONS.requestTimeout()).minus(OPTIONS.settleMargin());
        Claim claim = new Claim(1, "owner", MILLIS, 0);

        assertThat(policy.isInTime(claim, NOW.plus(latest))).isTrue();
        assertThat(policy.isInTime(claim, NOW.plus(latest).plusMillis(1))).isFalse();
    }

    @Test
    void ofEndpointWhenUnchangedThenMayBeSent() {
        assertThat(policy.ofEndpoint(delivery(1), endpoint("a", false), NOW)).isEmpty();
    }

    @Test
    void ofEndpointWhenPausedThenReleased() {
        assertThat(policy.ofEndpoint(delivery(1), endpoint("a", true), NOW)).contains(Settlement.released(delivery(1)));
    }

    @Test
    void ofEndpointWhenPausedButRequestedThenMayBeSent() {
        assertThat(policy.ofEndpoint(delivery(1, true), endpoint("a", true), NOW))
                .isEmpty();
    }

    @Test
    void ofEndpointWhenAudienceChangedThenDeadUncounted() {
        assertThat(policy.ofEndpoint(delivery(1), endpoint("b", false), NOW)).hasValueSatisfying(outcome -> {
            assertThat(outcome.reason()).isEqualTo(DeadReason.AUDIENCE_CHANGED);
            assertThat(outcome.attempts()).isZero();
        });
    }

    @Test
    void removedThenDeadUncounted() {
        Settlement outcome = policy.removed(delivery(1), NOW);

        assertThat(outcome.reason()).isEqualTo(DeadReason.ENDPOINT_REMOVED);
        assertThat(outcome.attempts()).isZero();
    }

    @Test
    void tamperedThenDeadUncounted() {
        Settlement outcome = policy.tampered(delivery(1), NOW);

        assertThat(outcome.reason()).isEqualTo(DeadReason.INTEGRITY);
        assertThat(outcome.attempts()).isZero();
    }

    @Test
    void notJsonThenDeadWithTheProblem() {
        Settlement outcome = policy.notJson(delivery(1), "it is malformed", NOW);

        assertThat(outcome.reason()).isEqualTo(DeadReason.PAYLOAD_NOT_JSON);
        assertThat(outcome.error()).endsWith("it is malformed");
    }

    private Settlement answered(int attempt, int status, @Nullable String retryAfter) {
        return policy.answered(attempt(attempt), new WebhookResponse(status, "", retryAfter), NOW);
    }

    private Settlement failed(int attempt, Throwable failure) {
        return policy.failed(attempt(attempt), failure, NOW);
    }

    private static UnknownSealKeyException missingKey() {
        SecureRandom random = new SecureRandom();
        CellAddress address = new CellAddress("t", "c", "n", "1");
        Sealer other = new Sealer(
                Keyring.of("k9", Map.of("k9", SecretBytes.random(32, random)), SecretBytes.random(32, random)), random);
        String cell = other.seal(address, new byte[1]);
        return catchThrowableOfType(
                UnknownSealKeyException.class, () -> new Sealer(Keyring.generate(random), random).open(address, cell));
    }

    private static Attempt attempt(int number) {
        return new Attempt(delivery(number), MILLIS, 1, null, List.of());
    }

    private static ClaimedDelivery delivery(int attempt) {
        return delivery(attempt, false);
    }

    private static ClaimedDelivery delivery(int attempt, boolean requested) {
        return new ClaimedDelivery(
                "delivery",
                "event",
                "shop",
                "e",
                attempt,
                0,
                MILLIS,
                MILLIS,
                new Claim(1, "owner", MILLIS, 0),
                requested,
                "a",
                null,
                0,
                null,
                null);
    }

    private static Subscriber endpoint(@Nullable String audience, boolean paused) {
        return new Subscriber(
                "https://example.com/",
                SecretCells.of(SignatureScheme.CREDENTIAL, null, "sealed"),
                null,
                audience,
                PayloadFormat.RAW,
                1,
                paused,
                false,
                null);
    }
}
