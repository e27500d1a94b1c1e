package io.credential.webhook.delivery.attempt;

import java.security.SecureRandom;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.credential.seal.Keyring;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.TestDispatcherOptions;
import io.credential.webhook.delivery.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.endpoint.TestEndpoints;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Payload;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Subscriber;
import io.credential.webhook.http.CongestedLookups;
import io.credential.webhook.http.DestinationVetter;

import static org.assertj.core.api.Assertions.assertThat;

/** An attempt whose host cannot be looked up, because names of others have taken all threads. */
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

    private void assertPostponed(Settlement outcome) {
        assertThat(outcome).isEqualTo(Settlement.postponed(outcome.claimed(), clock.millis() + 1000));
        assertThat(outcome.attempted()).isFalse();
        assertThat(outcome.attempts()).isZero();
    }

    private Settlement attempt(DestinationVetter destinations, Duration requestTimeout) throws Exception {
        DispatcherOptions options = TestDispatcherOptions.of(JdbcWebhookDispatcher.builder(test.database(), keyring)
                .requestTimeout(requestTimeout)
                .claimReclaimAfter(Patience.LIMIT.multipliedBy(3)));
        Subscriber subscriber = TestEndpoints.subscriber(secrets, "shop", URL);
        AttemptRunner attempts = new AttemptRunner(
                options,
                destinations,
                request -> {
                    throw new AssertionError("sent to a host that was not looked up");
                },
                TestEndpoints.directory(subscriber, () -> 0),
                new EndpointSignerCache(secrets, "Webhook-Signature", clock, random),
                eventId -> Payload.stored(new byte[0]),
                clock,
                random);
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
                null,
                subscriber,
                0,
                Payload.stored(new byte[0]));
        try (attempts) {
            return Patience.get(attempts.attempt(delivery, claim -> true));
        }
    }
}
