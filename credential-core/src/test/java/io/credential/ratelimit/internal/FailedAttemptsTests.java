package io.credential.ratelimit.internal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.credential.ratelimit.RateLimit;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

class FailedAttemptsTests {

    private static final String CLIENT = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";
    private static final String KEY = "live/0011223344556677";

    private final MutableClock clock = MutableClock.atNewYear();
    private final FailedAttempts attempts = new FailedAttempts(new RateLimit(3, Duration.ofSeconds(60)), clock);

    @Test
    void exceededForWhenBelowTheLimitThenEmpty() {
        fail(2, CLIENT, null);

        assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
    }

    @Test
    void exceededForWhenAddressFailedTooOftenThenGivesWait() {
        fail(3, CLIENT, null);
        clock.advance(Duration.ofSeconds(10));

        assertThat(attempts.exceededFor(CLIENT, null)).contains(Duration.ofSeconds(50));
        assertThat(attempts.exceededFor(OTHER, null)).isEmpty();
    }

    @Test
    void exceededForWhenTheKeyFailedTooOftenThenGivesWait() {
        attempts.failed(OTHER, KEY);
        failElsewhere();

        assertThat(attempts.exceededFor(OTHER, KEY)).contains(Duration.ofSeconds(60));
        assertThat(attempts.exceededFor(OTHER, "live/another")).isEmpty();
        assertThat(attempts.exceededFor(OTHER, null)).isEmpty();
    }

    @Test
    void exceededForWhenOnlyOthersFailedWithTheKeyThenEmpty() {
        attempts.failed(CLIENT, "live/another");
        failElsewhere();

        assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
        assertThat(attempts.exceededFor(OTHER, KEY)).isEmpty();
    }

    @Test
    void exceededForWhenItFailedOneWindowAgoThenEmpty() {
        attempts.failed(CLIENT, KEY);
        clock.advance(Duration.ofSeconds(60));
        failElsewhere();

        assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
    }

    @Test
    void exceededForWhenTheWindowEndsThenEmpty() {
        fail(3, CLIENT, KEY);
        clock.advance(Duration.ofSeconds(60));

        assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
    }

    @Test
    void exceededForWhenTheClockWasSetBackThenEmpty() {
        fail(3, CLIENT, KEY);
        clock.advance(Duration.ofHours(-1));

        assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
    }

    @Test
    void exceededForWhenTheNextWindowBeganThenStillExceeded() {
        fail(3, CLIENT, null);
        clock.advance(Duration.ofSeconds(60));
        fail(3, CLIENT, null);
        clock.advance(Duration.ofMillis(-1));

        assertThat(attempts.exceededFor(CLIENT, null)).contains(Duration.ofMillis(60_001));
    }

    @Test
    void exceededForThenCountsNothing() {
        for (int i = 0; i < 10; i++) {
            assertThat(attempts.exceededFor(CLIENT, KEY)).isEmpty();
        }
    }

    @Test
    void failedWhenTheKeyIsVeryLongThenCounted() {
        String absurd = "x".repeat(500);
        attempts.failed(OTHER, absurd);
        fail(2, absurd, absurd);

        assertThat(attempts.exceededFor(OTHER, absurd)).isPresent();
    }

    @Test
    void failedWhenTheAddressIsUnknownThenCounted() {
        fail(3, null, null);

        assertThat(attempts.exceededFor(null, KEY)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "192.0.2.1:50123, 192.0.2.1",
        "[192.0.2.1:50123], 192.0.2.1",
        "::1, 0000000000000000/64",
        "0:0:0:0:0:0:0:1, 0000000000000000/64",
        "2001:db8:1:2::1, 20010db800010002/64",
        "2001:0DB8:1:2:ffff:ffff:ffff:ffff, 20010db800010002/64",
        "2001:db8:1:3::1, 20010db800010003/64",
        "::ffff:192.0.2.1, 192.0.2.1",
        "fe80::1%eth0, fe80000000000000/64",
        "[2001:db8:1:2::1], 20010db800010002/64",
        "[2001:db8:1:2::1]:8080, 20010db800010002/64",
        "[fe80::1%eth0], fe80000000000000/64",
        "[2001:db8:1:2::1, 20010db800010002/64",
        "[192.0.2.1]:80, 192.0.2.1",
        "[, ''",
        "unknown, unknown",
        "host.example.org:80, host.example.org:80",
        "1:2:3, 1:2:3"
    })
    void networkThenIpv6AddressesOfOneNetworkAreOne(String address, String network) {
        assertThat(FailedAttempts.network(address)).isEqualTo(network);
    }

    private void fail(int times, @Nullable String address, @Nullable String key) {
        for (int i = 0; i < times; i++) {
            attempts.failed(address, key);
        }
    }

    private void failElsewhere() {
        for (int i = 0; i < 3; i++) {
            attempts.failed("198.51.100." + i, KEY);
        }
    }
}
