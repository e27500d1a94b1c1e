package io.credential.internal.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The embedded server has the clock of this machine; what the other clocks say is up to the test. */
class ClockComparisonTests {

    /** Much more than this machine takes to ask, and much less than what is compared. */
    private static final Duration ABOUT = Duration.ofMinutes(2);

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    private final Deque<Duration> roundTrips = new ArrayDeque<>();
    private long nanos;
    private boolean asked;

    @Test
    void differenceWhenClocksAgreeThenSmall() {
        roundTrips.add(Duration.ZERO);

        assertThat(difference(Duration.ZERO)).isLessThan(ABOUT).isGreaterThan(ABOUT.negated());
    }

    @Test
    void differenceWhenAheadThenPositive() {
        roundTrips.add(Duration.ZERO);

        assertThat(difference(Duration.ofHours(1))).isCloseTo(Duration.ofHours(1), ABOUT);
    }

    @Test
    void differenceWhenBehindThenNegative() {
        roundTrips.add(Duration.ZERO);

        assertThat(difference(Duration.ofHours(-1))).isCloseTo(Duration.ofHours(-1), ABOUT);
    }

    @Test
    void differenceWhenRoundTripIsSlowThenMeasuredAgain() {
        roundTrips.addAll(List.of(Duration.ofHours(2), Duration.ofMillis(900), Duration.ZERO));

        assertThat(difference(Duration.ofHours(1))).isCloseTo(Duration.ofHours(1), ABOUT);
        assertThat(roundTrips).hasSize(1);
    }

    @Test
    void differenceWhenSlowThenHalfOfItIsNotCounted() {
        roundTrips.addAll(List.of(Duration.ofHours(2), Duration.ofHours(1), Duration.ofHours(3), Duration.ZERO));

        // The node asked an hour behind; the answer may be from any time of the hour that the round trip took.
        assertThat(difference(Duration.ofHours(-1))).isCloseTo(Duration.ZERO, ABOUT);
        assertThat(roundTrips).hasSize(1);
    }

    private Duration difference(Duration ahead) {
        InstantSource clock = () -> Instant.now().plus(ahead);
        return new ClockComparison(DATABASE, clock, this::nanoTime).difference();
    }

    /** Passes a round trip between two questions. */
    private long nanoTime() {
        if (asked) {
            nanos += roundTrips.remove().toNanos();
        }
        asked = !asked;
        return nanos;
    }
}
