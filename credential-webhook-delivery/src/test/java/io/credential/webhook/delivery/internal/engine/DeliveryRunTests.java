package io.credential.webhook.delivery.internal.engine;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.micrometer.observation.ObservationRegistry;

import io.credential.seal.internal.Keyring;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.TestDispatcherOptions;
import io.credential.webhook.delivery.internal.attempt.AttemptThreads;
import io.credential.webhook.delivery.internal.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.internal.endpoint.TestEndpoints;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.Settler;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryRunTests {

    private static final int MAX_IN_FLIGHT = 2;
    private static final int BATCH = 8;

    /** Running and waiting, twice. */
    private static final int MAX_OUTSTANDING = 2 * (MAX_IN_FLIGHT + BATCH);

    private static final DispatcherOptions OPTIONS =
            TestDispatcherOptions.withCapacity(BATCH, MAX_IN_FLIGHT, MAX_IN_FLIGHT, 1024 * 1024);

    private final MutableClock clock = MutableClock.atNewYear();
    private final SecureRandom random = new SecureRandom();
    private final CountDownLatch databaseAnswers = new CountDownLatch(1);
    private final Wakeup wakeup = new Wakeup(clock);

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final DestinationVetter destinations =
            new DestinationVetter(DestinationPolicy.builder().build(), HostResolver.system());
    private final AttemptThreads attemptThreads = new AttemptThreads();
    private final EndpointSecrets secrets = new EndpointSecrets(Keyring.generate(random), random, false);
    private final TestRuns test = new TestRuns(OPTIONS, clock, secrets);
    private final Settler settler =
            new Settler(this::settleSlowly, outcomes -> Set.of(), 60_000, 1, () -> 1, ObservationRegistry.NOOP);
    private final Admission admission = test.admission(attemptThreads, wakeup);
    private final DeliveryRuns runs = runs(admission);

    @AfterEach
    void close() {
        databaseAnswers.countDown();
        settler.close();
        attemptThreads.close();
        destinations.close();
    }

    @Test
    void capacityWhenOutcomesAreNotStoredThenNone() throws Exception {
        CompletableFuture<Void> settled = fill();
        assertThat(admission.capacity()).isZero();

        databaseAnswers.countDown();
        Patience.get(settled);
        assertThat(admission.capacity()).isPositive();
    }

    @Test
    void settleWhenFastEnoughAgainThenWakesTheLoop() throws Exception {
        CompletableFuture<Void> settled = fill();
        wakeup.await(0); // for the attempts that ended

        databaseAnswers.countDown();
        Patience.get(settled);

        Patience.get(CompletableFuture.runAsync(this::awaitWakeup, threads));
    }

    @Test
    void settleWhenSuspectThenWakesTheLoop() throws Exception {
        databaseAnswers.countDown();

        Patience.get(admit(withoutEndpoint(1, 2)));

        Patience.get(CompletableFuture.runAsync(this::awaitWakeup, threads));
    }

    @Test
    void settleWhenReleasedThenWakesTheLoopASecondLater() throws Exception {
        databaseAnswers.countDown();
        admission.lanes().close();

        Patience.get(admit(withoutEndpoint(1)));
        clock.advance(Duration.ofSeconds(1));

        Patience.get(CompletableFuture.runAsync(this::awaitWakeup, threads));
    }

    @Test
    void awaitIdleWhenLastOutcomeIsStoredThenReturns() {
        var unused = fill();
        Thread waiting = new Thread(() -> admission.inFlight().awaitIdle(Patience.LIMIT.multipliedBy(2)));
        waiting.start();
        Patience.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        databaseAnswers.countDown();

        Patience.join(waiting);
        assertThat(admission.inFlight().holdsClaims()).isFalse();
    }

    @Test
    void admitWhenThereIsNoPlaceForASuspectThenPostponed() throws Exception {
        databaseAnswers.countDown();
        admission.lanes().close();

        Settlement outcome = Patience.get(admit(withoutEndpoint(1, 2))).settlement();

        assertThat(outcome.attempted()).isFalse();
        assertThat(outcome.nextAttemptAt()).isGreaterThan(clock.millis());
        assertThat(admission.takesSuspect()).isTrue();
    }

    @Test
    void admitWhenSuspectHasEndedThenNextIsTaken() throws Exception {
        admission.lanes().close();
        CompletableFuture<Boolean> takesNext =
                admit(withoutEndpoint(1, 2)).thenApply(outcome -> admission.takesSuspect());

        databaseAnswers.countDown();

        assertThat(Patience.get(takesNext)).isTrue();
    }

    @Test
    void startAllWhenEnvelopesThenTheirCopiesCount() {
        Admission stuck = test.admission(attempt -> {}, wakeup);
        int size = (int) (OPTIONS.loadedPayloadBytes() * 0.4);

        runs(stuck).startAll(List.of(large(1, size), large(2, size)));

        assertThat(stuck.lanes().running()).isEqualTo(1);
    }

    private CompletableFuture<DeliveryRun.Settled> admit(ClaimedDelivery delivery) {
        return new DeliveryRun(delivery, runs, true).admit();
    }

    /** Lets as many attempts end as may wait for the database. */
    private CompletableFuture<Void> fill() {
        List<CompletableFuture<DeliveryRun.Settled>> settled = new ArrayList<>();
        for (int i = 0; i < MAX_OUTSTANDING; i++) {
            settled.add(admit(withoutEndpoint(i)));
        }
        Patience.until(() -> admission.lanes().running() + admission.lanes().waiting() == 0);
        return CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new));
    }

    private DeliveryRuns runs(Admission admitting) {
        return test.runs(
                admitting,
                wakeup,
                claim -> true,
                test.sources(null, System::nanoTime, destinations, attemptThreads),
                request -> new CompletableFuture<>(),
                settler);
    }

    private void awaitWakeup() {
        try {
            wakeup.await(Duration.ofDays(1).toMillis());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its attempt ends at once, without HTTP. */
    private static ClaimedDelivery withoutEndpoint(int number) {
        return withoutEndpoint(number, 0);
    }

    private static ClaimedDelivery withoutEndpoint(int number, int takeovers) {
        return new ClaimedDelivery(
                "delivery-" + number,
                "event",
                "endpoint-" + number,
                "e",
                1,
                takeovers,
                0,
                0,
                new Claim(1, "owner", 0, 0),
                false,
                null,
                null,
                0,
                Payload.stored(new byte[0]),
                null);
    }

    /** Its payload is loaded when the attempt begins, and its endpoint gets envelopes. */
    private ClaimedDelivery large(int number, int payloadSize) {
        String endpointId = "endpoint-" + number;
        Subscriber raw = TestEndpoints.subscriber(secrets, endpointId, "https://example.com/");
        return new ClaimedDelivery(
                "delivery-" + number,
                "event",
                endpointId,
                "e",
                1,
                0,
                0,
                0,
                new Claim(1, "owner", 0, 0),
                false,
                null,
                new Subscriber(raw.url(), raw.secrets(), null, null, PayloadFormat.ENVELOPE, 1, false, false, null),
                payloadSize,
                null,
                null);
    }

    private Set<String> settleSlowly(List<Settlement> settlements) {
        Patience.await(databaseAnswers);
        return settlements.stream().map(s -> s.claimed().deliveryId()).collect(Collectors.toSet());
    }
}
