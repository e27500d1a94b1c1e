package io.credential.webhook.delivery.internal.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.ratelimit.RateLimit;
import io.credential.testing.MutableClock;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.LiveNodes;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointRatesTests {

    private static final RateLimit ONE = new RateLimit(1, Duration.ofSeconds(10));
    private static final RateLimit TWO = new RateLimit(2, Duration.ofSeconds(10));

    private final MutableClock clock = MutableClock.atNewYear();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final EndpointRates rates = new EndpointRates(
            new LiveNodes(System::nanoTime, wakeUps::incrementAndGet), clock, wakeUps::incrementAndGet);

    @Test
    void capacityWhenWithoutLimitThenNotLimited() {
        assertThat(rates.book(delivery("1", null))).isTrue();

        assertThat(rates.capacity("shop")).isEqualTo(Integer.MAX_VALUE);
        assertThat(rates.nextCapacityAt()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void bookThenLessCapacity() {
        assertThat(rates.book(delivery("1", TWO))).isTrue();
        assertThat(rates.capacity("shop")).isEqualTo(1);
        assertThat(rates.book(delivery("2", TWO))).isTrue();
        assertThat(rates.capacity("shop")).isZero();
        assertThat(rates.book(delivery("3", TWO))).isFalse();
    }

    @Test
    void useThenCapacityWhenItsWindowEnds() {
        long begun = clock.millis();
        ClaimedDelivery delivery = delivery("1", ONE);
        rates.book(delivery);

        assertThat(rates.use(delivery, subscriber(ONE))).isTrue();
        rates.giveBack(delivery);

        assertThat(rates.capacity("shop")).isZero();
        assertThat(rates.nextCapacityAt()).isEqualTo(begun + 10_000);
        clock.advance(Duration.ofSeconds(10));
        assertThat(rates.nextCapacityAt()).isEqualTo(Long.MIN_VALUE);
        assertThat(rates.nextCapacityAt()).isEqualTo(Long.MAX_VALUE);
        assertThat(rates.capacity("shop")).isEqualTo(1);
    }

    @Test
    void useWhenReservedRequestWasAwaitedThenWakesOnce() {
        ClaimedDelivery delivery = delivery("1", ONE);
        rates.book(delivery);
        assertThat(rates.capacity("shop")).isZero();
        assertThat(rates.nextCapacityAt()).isEqualTo(Long.MAX_VALUE);

        rates.use(delivery, subscriber(ONE));
        assertThat(rates.nextCapacityAt()).isEqualTo(clock.millis() + 10_000);
        rates.giveBack(delivery);

        assertThat(wakeUps).hasValue(1);
    }

    @Test
    void giveBackWhenUnusedThenCapacityAgain() {
        ClaimedDelivery delivery = delivery("1", ONE);
        rates.book(delivery);
        assertThat(rates.capacity("shop")).isZero();

        rates.giveBack(delivery);

        assertThat(wakeUps).hasValue(1);
        assertThat(rates.capacity("shop")).isEqualTo(1);
    }

    @Test
    void useWhenLimitIsLowerSinceThenNotAdmitted() {
        ClaimedDelivery first = delivery("1", TWO);
        ClaimedDelivery second = delivery("2", TWO);
        rates.book(first);
        rates.book(second);

        assertThat(rates.use(first, subscriber(TWO))).isTrue();
        assertThat(rates.use(second, subscriber(ONE))).isFalse();
    }

    @Test
    void useWhenLimitIsNewThenCounted() {
        ClaimedDelivery unlimited = delivery("1", null);
        rates.book(unlimited);

        assertThat(rates.use(unlimited, subscriber(ONE))).isTrue();
        assertThat(rates.use(delivery("2", null), subscriber(ONE))).isFalse();
    }

    @Test
    void bookWhenLimitIsNewerThanClaimThenItCounts() {
        rates.use(delivery("1", null), subscriber(ONE));

        assertThat(rates.book(delivery("2", null))).isFalse();
        assertThat(rates.use(delivery("3", null), subscriber(ONE))).isFalse();
    }

    @Test
    void changedThenLimitIsUnknownAndRequestsStillCount() {
        rates.use(delivery("1", ONE), subscriber(ONE));
        assertThat(rates.capacity("shop")).isZero();

        rates.changed("shop");

        assertThat(wakeUps).hasValue(1);
        assertThat(rates.capacity("shop")).isEqualTo(Integer.MAX_VALUE);
        assertThat(rates.book(delivery("2", ONE))).isFalse();
    }

    @Test
    void learnWhenHeldAndChangedThenWakes() {
        rates.use(delivery("1", ONE), subscriber(ONE));
        assertThat(rates.capacity("shop")).isZero();
        rates.learn(List.of("shop"), Map.of("shop", ONE));
        assertThat(wakeUps).hasValue(0);

        rates.learn(List.of("shop"), Map.of("shop", TWO));

        assertThat(wakeUps).hasValue(1);
        assertThat(rates.capacity("shop")).isEqualTo(1);
    }

    private ClaimedDelivery delivery(String id, @Nullable RateLimit limit) {
        return new ClaimedDelivery(
                id,
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
                subscriber(limit),
                0,
                null,
                null);
    }

    private static Subscriber subscriber(@Nullable RateLimit limit) {
        return new Subscriber(
                "https://hooks.example",
                SecretCells.of(SignatureScheme.CREDENTIAL, null, "cell"),
                null,
                null,
                PayloadFormat.RAW,
                1,
                false,
                false,
                limit);
    }
}
