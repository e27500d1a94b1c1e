package io.credential.webhook.delivery.internal.attempt;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecentRequestsTests {

    private static final long WINDOW = 3200;

    private final RecentRequests requests = new RecentRequests();

    @Test
    void countThenOnlyThoseWithinTheWindow() {
        requests.add(1000, WINDOW);
        requests.add(2000, WINDOW);

        assertThat(requests.count(4199, WINDOW)).isEqualTo(2);
        assertThat(requests.count(4200, WINDOW)).isEqualTo(1);
        assertThat(requests.count(5200, WINDOW)).isZero();
    }

    @Test
    void countWhenCloseTogetherThenLeaveWithTheLast() {
        requests.add(1000, WINDOW);
        requests.add(1099, WINDOW);
        requests.add(1100, WINDOW);

        assertThat(requests.count(4298, WINDOW)).isEqualTo(3);
        assertThat(requests.count(4299, WINDOW)).isEqualTo(1);
        assertThat(requests.count(4300, WINDOW)).isZero();
    }

    @Test
    void countWhenClockIsSetBackThenForOneWindow() {
        requests.add(100_000, WINDOW);
        requests.add(101_000, WINDOW);

        assertThat(requests.count(5000, WINDOW)).isEqualTo(2);
        assertThat(requests.count(5000 + WINDOW, WINDOW)).isZero();
    }

    @Test
    void countWhenWindowIsShorterThenFewer() {
        requests.add(1000, WINDOW);
        requests.add(2000, WINDOW);

        assertThat(requests.count(2500, 1000)).isEqualTo(1);
    }

    @Test
    void fallsToThenWhenEnoughHaveLeft() {
        requests.add(1000, WINDOW);
        requests.add(2000, WINDOW);
        requests.add(3000, WINDOW);

        assertThat(requests.fallsTo(2, WINDOW)).isEqualTo(1000 + WINDOW);
        assertThat(requests.fallsTo(0, WINDOW)).isEqualTo(3000 + WINDOW);
        assertThat(requests.fallsTo(3, WINDOW)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void addWhenAlwaysAtTheLimitThenHeldInEveryWindow() {
        int limit = 100;
        List<Long> begun = new ArrayList<>();
        for (long now = 0; now < 20 * WINDOW; now += 7) {
            while (requests.count(now, WINDOW) < limit) {
                requests.add(now, WINDOW);
                begun.add(now);
                now += begun.size() % 5;
            }
        }

        for (int i = limit; i < begun.size(); i++) {
            assertThat(begun.get(i) - begun.get(i - limit)).isGreaterThanOrEqualTo(WINDOW);
        }
        // At most a thirty-second part of each window is lost.
        assertThat(begun).hasSizeGreaterThan(limit * 19);
    }
}
