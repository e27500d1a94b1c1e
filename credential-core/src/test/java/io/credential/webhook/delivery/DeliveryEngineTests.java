package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditSink;
import io.credential.audit.AuditTrail;
import io.credential.seal.Keyring;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryEngineTests {

    private static final int MAX_IN_FLIGHT = 2;
    private static final int BATCH = 8;

    /** Running and waiting, twice. */
    private static final int MAX_OUTSTANDING = 2 * (MAX_IN_FLIGHT + BATCH);

    private final MutableClock clock = MutableClock.atNewYear();
    private final SecureRandom random = new SecureRandom();
    private final CountDownLatch databaseAnswers = new CountDownLatch(1);

    @Test
    void thereIsNoRoomForClaimsWhileTheOutcomesOfEarlierOnesAreNotStored() throws Exception {
        try (DestinationVetter destinations =
                new DestinationVetter(DestinationPolicy.builder().build(), HostResolver.system())) {
            DeliveryEngine engine = engine(destinations);
            List<CompletableFuture<DeliveryEngine.Settled>> settled = new ArrayList<>();
            for (int i = 0; i < MAX_OUTSTANDING; i++) {
                settled.add(engine.deliver(withoutEndpoint(i)));
            }

            Patience.until(() -> engine.lanes().room() > 0);
            assertThat(engine.room()).isZero();

            databaseAnswers.countDown();
            Patience.get(CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new)));
            assertThat(engine.room()).isPositive();
            engine.close();
        }
    }

    private DeliveryEngine engine(DestinationVetter destinations) {
        DispatcherOptions options = new DispatcherOptions(
                8,
                RetryBackoff.defaults(),
                Duration.ofMinutes(5),
                BATCH,
                Duration.ofSeconds(15),
                Duration.ofSeconds(2),
                MAX_IN_FLIGHT,
                MAX_IN_FLIGHT,
                1024 * 1024,
                1024,
                false,
                Duration.ofDays(30),
                Duration.ofSeconds(10));
        EndpointSecrets secrets = new EndpointSecrets(Keyring.generate(random), random, false);
        AttemptRunner attempts = new AttemptRunner(
                options,
                destinations,
                request -> new CompletableFuture<>(),
                new EndpointDirectory(endpointId -> null, System::nanoTime),
                new EndpointSigners(secrets, "Webhook-Signature", clock, random),
                eventId -> Payload.stored(new byte[0]),
                claim -> true,
                Runnable::run,
                clock,
                random);
        return new DeliveryEngine(
                options,
                attempts,
                new Settler(new SlowQueue(), 60_000),
                new Agenda(),
                new Wakeup(clock),
                new DeathAudit(new AuditTrail(AuditSink.none(), () -> null, clock, "webhook-delivery", true, true)),
                new EndpointHealth(clock),
                clock,
                DeliveryEngine.starters());
    }

    /** Its attempt ends at once, without HTTP. */
    private static ClaimedDelivery withoutEndpoint(int number) {
        return new ClaimedDelivery(
                "delivery-" + number,
                "event",
                "endpoint-" + number,
                "e",
                1,
                0,
                0,
                0,
                new Claim(1, "owner", 0, 0),
                null,
                null,
                0,
                Payload.stored(new byte[0]));
    }

    private final class SlowQueue implements DeliveryQueue {

        @Override
        public Set<String> settle(List<Settlement> settlements) {
            Patience.await(databaseAnswers);
            return settlements.stream().map(s -> s.claimed().deliveryId()).collect(Collectors.toSet());
        }

        @Override
        public Set<String> settledBefore(List<Settlement> settlements) {
            throw new UnsupportedOperationException("the first try is answered");
        }

        @Override
        public OpenDeliveries look(long until) {
            throw new UnsupportedOperationException("nothing is claimed here");
        }

        @Override
        public List<ClaimedDelivery> claim(ClaimRequest request) {
            throw new UnsupportedOperationException("nothing is claimed here");
        }

        @Override
        public List<ClaimedDelivery> claimSuspect(Claim claim) {
            throw new UnsupportedOperationException("nothing is claimed here");
        }

        @Override
        public List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim claim) {
            throw new UnsupportedOperationException("nothing is claimed here");
        }
    }
}
