package io.credential.apikey.internal.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.LocalNotifications;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InvalidatedCacheTests {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final LocalNotifications network = new LocalNotifications();
    private final LocalNotifications.Node here = network.node();
    private final MutableClock clock = MutableClock.atNewYear();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Duration> delays = new ArrayList<>();
    private final InvalidatedCache<String> cache = cache(here);
    private final InvalidatedCache<String> other = cache(network.node());

    @BeforeEach
    void start() {
        cache.start();
        other.start();
    }

    @Test
    void getWhenValueWasPutThenReturned() {
        cache.put(cache.begin("a"), "1");

        assertThat(cache.get("a")).isEqualTo("1");
        assertThat(cache.get("b")).isNull();
        assertThat(other.get("a")).isNull();
    }

    @Test
    void invalidateThenDroppedOnEveryNode() {
        cache.put(cache.begin("a"), "1");
        cache.put(cache.begin("b"), "2");
        other.put(other.begin("a"), "1");

        other.invalidate("a");

        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isEqualTo("2");
        assertThat(other.get("a")).isNull();
    }

    @Test
    void putWhenInvalidatedSinceTheLoadBeganThenNotCached() {
        InvalidatedCache.Load local = cache.begin("a");
        cache.invalidate("a");
        cache.put(local, "old");
        InvalidatedCache.Load remote = cache.begin("b");
        other.invalidate("b");
        cache.put(remote, "old");

        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isNull();
    }

    @Test
    void putWhenEverythingWasDroppedThenNotCached() {
        InvalidatedCache.Load load = cache.begin("a");
        here.reconnect();
        cache.put(load, "old");

        assertThat(cache.get("a")).isNull();
    }

    @Test
    void getWhenTimeToLiveHasPassedThenNull() {
        InvalidatedCache.Load load = cache.begin("a");
        nanos.addAndGet(TTL.minusNanos(1).toNanos());
        cache.put(load, "1");
        assertThat(cache.get("a")).isEqualTo("1");

        nanos.incrementAndGet();

        assertThat(cache.get("a")).isNull();
        cache.put(load, "1");
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void getWhenNotListeningThenNullAndNothingIsCached() {
        cache.put(cache.begin("a"), "1");

        here.disconnect();

        assertThat(cache.get("a")).isNull();
        cache.put(cache.begin("b"), "2");
        here.reconnect();
        assertThat(cache.get("a")).isNull();
        assertThat(cache.get("b")).isNull();
    }

    @Test
    void closeThenNothingIsCachedUntilStarted() {
        InvalidatedCache.Load load = cache.begin("a");
        cache.put(load, "1");

        cache.close();

        assertThat(cache.get("a")).isNull();
        cache.put(cache.begin("a"), "1");
        cache.start();
        assertThat(cache.get("a")).isNull();
        cache.put(load, "1");
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void startWhenNodeIsAloneThenCachesWithoutNotifications() {
        InvalidatedCache<String> alone = new InvalidatedCache<>(
                "numbers", new CacheSettings(10, TTL), String::length, null, clock, nanos::get, delays::add);
        alone.put(alone.begin("a"), "1");
        assertThat(alone.get("a")).isNull();

        alone.start();
        alone.put(alone.begin("a"), "1");

        assertThat(alone.get("a")).isEqualTo("1");
        alone.invalidate("a");
        assertThat(alone.get("a")).isNull();
    }

    @Test
    void invalidateWithoutSettingsThenOthersAreNotified() {
        cache.put(cache.begin("a"), "1");
        InvalidatedCache<String> withoutSettings =
                new InvalidatedCache<>("numbers", null, String::length, network.node(), clock, nanos::get, delays::add);
        withoutSettings.start();
        withoutSettings.put(withoutSettings.begin("a"), "1");
        assertThat(withoutSettings.get("a")).isNull();

        withoutSettings.invalidate("a");

        assertThat(cache.get("a")).isNull();
    }

    @Test
    void putWhenLoadBeganBeforeTheStartThenNotCached() {
        InvalidatedCache<String> late = new InvalidatedCache<>(
                "numbers", new CacheSettings(10, TTL), String::length, network.node(), clock, nanos::get, delays::add);
        InvalidatedCache.Load load = late.begin("a");

        late.start();
        late.put(load, "old");

        assertThat(late.get("a")).isNull();
        late.close();
    }

    @Test
    void putWhenFullThenSizeIsBounded() {
        for (int i = 0; i < 1000; i++) {
            cache.put(cache.begin("k" + i), "1");
        }

        assertThat(IntStream.range(0, 1000).filter(i -> cache.get("k" + i) != null))
                .hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void putWhenValuesAreLargeThenFewerFit() {
        for (int i = 0; i < 1000; i++) {
            cache.put(cache.begin("k" + i), "12345");
        }

        assertThat(IntStream.range(0, 1000).filter(i -> cache.get("k" + i) != null))
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void invalidateThenOtherNodesMeasureItsDelay() {
        here.publish("numbers", "a@" + clock.millis());
        other.invalidate("b");
        assertThat(delays).containsExactly(Duration.ZERO, Duration.ZERO);
        delays.clear();

        network.node().publish("numbers", "a@" + clock.instant().minusMillis(40).toEpochMilli());

        assertThat(delays).containsExactly(Duration.ofMillis(40), Duration.ofMillis(40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a@", "a@x", "a@0", "a@99999999999999999999"})
    void receivedWhenTimeIsMissingThenStillDropped(String text) {
        cache.put(cache.begin("a"), "1");

        network.node().publish("numbers", text);

        assertThat(cache.get("a")).isNull();
        assertThat(delays).isEmpty();
    }

    @Test
    void settingsWhenOutOfRangeThenRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new CacheSettings(0, TTL));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new CacheSettings(1, Duration.ofNanos(1)));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new CacheSettings(1, Duration.ofMinutes(5).plusMillis(1)));
    }

    private InvalidatedCache<String> cache(LocalNotifications.Node node) {
        return new InvalidatedCache<>(
                "numbers", new CacheSettings(10, TTL), String::length, node, clock, nanos::get, delays::add);
    }
}
