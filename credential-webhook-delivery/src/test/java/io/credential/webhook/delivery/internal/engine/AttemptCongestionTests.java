package io.credential.webhook.delivery.internal.engine;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;

import io.micrometer.observation.ObservationRegistry;

import io.credential.seal.internal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.ScarceThreads;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
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
import io.credential.webhook.http.CongestedLookups;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

import static org.assertj.core.api.Assertions.assertThat;

/** An attempt whose request is not sent, because this node has no thread for its host name or no time left. */
@BothDatabases
class AttemptCongestionTests {

    private static final String URL = "https://hooks.example/a";

    private final MutableClock clock = MutableClock.atNewYear();
    private final SecureRandom random = new SecureRandom();
    private final Keyring keyring = Keyring.generate(random);
    private final EndpointSecrets secrets = new EndpointSecrets(keyring, random, false);
    private final TestDatabase test;

    AttemptCongestionTests(TestDatabase test) {
        this.test = test;
    }

    @Test
    void attemptWhenTheQueueIsFullThenPostponed() throws Exception {
        try (CongestedLookups congested = new CongestedLookups()) {
            congested.fillQueue();

            assertPostponed(attempt(congested.vetter(), Patience.LIMIT));
            assertThat(congested.asked()).doesNotContain("hooks.example");
        }
    }

    @Test
    void attemptWhenTheLookupDoesNotBeginThenPostponed() throws Exception {
        try (CongestedLookups congested = new CongestedLookups()) {
            assertPostponed(attempt(congested.vetter(), Duration.ofMillis(100)));
            assertThat(congested.asked()).doesNotContain("hooks.example");
        }
    }

    @Test
    void attemptWhenTheResolverIsClosedThenPostponed() throws Exception {
        try (CongestedLookups congested = new CongestedLookups()) {
            congested.vetter().close();

            assertPostponed(attempt(congested.vetter(), Patience.LIMIT));
        }
    }

    @Test
    void attemptWhenNoTimeIsLeftToSendThenPostponed() throws Exception {
        Duration timeout = Duration.ofMillis(100);
        AtomicBoolean begins = new AtomicBoolean();
        LongSupplier slowOnceBegun = () -> {
            if (begins.get()) {
                pass(timeout);
            }
            return 0;
        };
        DestinationPolicy policy =
                DestinationPolicy.builder().allowInternalDestinations(true).build();
        try (DestinationVetter vetter = new DestinationVetter(policy, HostResolver.system())) {
            assertPostponed(attempt(vetter, timeout, "https://127.0.0.1/a", slowOnceBegun, claim -> {
                begins.set(true);
                return true;
            }));
        }
    }

    @Test
    void attemptWhenTheLookupTakesTheTimeThenCounted() throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        AtomicBoolean begins = new AtomicBoolean();
        DestinationPolicy policy =
                DestinationPolicy.builder().allowInternalDestinations(true).build();
        HostResolver late = host -> {
            pass(timeout.minusMillis(50));
            return List.of(InetAddress.getLoopbackAddress());
        };
        try (DestinationVetter vetter = new DestinationVetter(policy, late)) {
            Settlement outcome = attempt(
                    vetter,
                    timeout,
                    URL,
                    () -> {
                        if (begins.get()) {
                            pass(timeout);
                        }
                        return 0;
                    },
                    claim -> {
                        begins.set(true);
                        return true;
                    });

            assertThat(outcome.attempts()).isEqualTo(1);
        }
    }

    @Test
    void attemptWhenTheClaimHasLapsedThenNothingIsRead() throws Exception {
        try (CongestedLookups congested = new CongestedLookups()) {
            Settlement outcome = attempt(
                    congested.vetter(),
                    Patience.LIMIT,
                    URL,
                    () -> {
                        throw new AssertionError("the endpoint was read");
                    },
                    claim -> false);

            assertThat(outcome).isEqualTo(Settlement.released(outcome.claimed()));
        }
    }

    @Test
    void attemptWhenTheTransportGetsNoThreadThenPostponed() throws Exception {
        DestinationPolicy policy =
                DestinationPolicy.builder().allowInternalDestinations(true).build();
        WebhookTransport threadless = request -> CompletableFuture.supplyAsync(
                () -> new WebhookResponse(200, "", null),
                task -> new ScarceThreads().newThread(task).start());
        try (DestinationVetter vetter = new DestinationVetter(policy, HostResolver.system())) {
            assertPostponed(attempt(vetter, Patience.LIMIT, "https://127.0.0.1/a", () -> 0, claim -> true, threadless));
        }
    }

    private static void pass(Duration time) {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
                .execute(over::countDown);
        Patience.await(over);
    }

    private void assertPostponed(Settlement outcome) {
        assertThat(outcome).isEqualTo(Settlement.postponed(outcome.claimed(), clock.millis() + 1000));
        assertThat(outcome.attempted()).isFalse();
        assertThat(outcome.attempts()).isZero();
    }

    private Settlement attempt(DestinationVetter destinations, Duration requestTimeout) throws Exception {
        return attempt(destinations, requestTimeout, URL, () -> 0, claim -> true);
    }

    private Settlement attempt(
            DestinationVetter destinations,
            Duration requestTimeout,
            String url,
            LongSupplier directoryTime,
            Predicate<Claim> isHeld)
            throws Exception {
        return attempt(destinations, requestTimeout, url, directoryTime, isHeld, request -> {
            throw new AssertionError("a request was sent");
        });
    }

    private Settlement attempt(
            DestinationVetter destinations,
            Duration requestTimeout,
            String url,
            LongSupplier directoryTime,
            Predicate<Claim> isHeld,
            WebhookTransport transport)
            throws Exception {
        DispatcherOptions options = TestDispatcherOptions.of(JdbcWebhookDispatcher.builder(test.database(), keyring)
                .requestTimeout(requestTimeout)
                .claimReclaimAfter(Patience.LIMIT.multipliedBy(3)));
        Subscriber subscriber = TestEndpoints.subscriber(secrets, "shop", url);
        ClaimedDelivery delivery = new ClaimedDelivery(
                "delivery",
                "event",
                "shop",
                "e",
                1,
                0,
                clock.millis(),
                clock.millis(),
                new Claim(1, "owner", clock.millis(), 0),
                false,
                null,
                subscriber,
                0,
                Payload.stored(new byte[0]),
                null);
        Wakeup wakeup = new Wakeup(clock);
        TestRuns runs = new TestRuns(options, clock, secrets);
        Settler settler = new Settler(
                outcomes -> Set.of(delivery.deliveryId()),
                outcomes -> Set.of(),
                60_000,
                1,
                () -> 1,
                ObservationRegistry.NOOP);
        try (AttemptThreads threads = new AttemptThreads()) {
            DeliveryRuns parts = runs.runs(
                    runs.admission(threads, wakeup),
                    wakeup,
                    isHeld,
                    runs.sources(subscriber, directoryTime, destinations, threads),
                    transport,
                    settler);
            return Patience.get(new DeliveryRun(delivery, parts, true).admit()).settlement();
        } finally {
            settler.close();
        }
    }
}
