package io.credential.internal.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

import org.springframework.dao.DataAccessException;

import io.credential.storage.internal.CredentialDatabase;

/** Compares the clock of this node with that of the database. Thread-safe. */
public final class ClockComparison {

    /** With this difference or more, a node of a cluster does not start, and purges no keys. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    /** A longer round trip is measured again. */
    private static final Duration SLOW = Duration.ofSeconds(1);

    private static final int MAX_MEASUREMENTS = 3;

    private final CredentialDatabase database;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final String now;

    /**
     * @param clock the clock of this node
     * @param nanoTime a monotonic clock, {@code System::nanoTime}
     */
    public ClockComparison(CredentialDatabase database, InstantSource clock, LongSupplier nanoTime) {
        this.database = database;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.now = "SELECT " + database.dialect().now();
    }

    /**
     * Returns how much the clock of this node is ahead of that of the database, negative if it is behind. The true
     * difference may be larger, but not smaller: half of the round trip to the database is not counted. A round trip of
     * more than a second is measured up to three times, and the shortest one counts.
     *
     * @throws DataAccessException if the database does not answer
     */
    public Duration difference() {
        Measurement best = measure();
        for (int i = 1; i < MAX_MEASUREMENTS && best.roundTrip().compareTo(SLOW) > 0; i++) {
            Measurement next = measure();
            if (next.roundTrip().compareTo(best.roundTrip()) < 0) {
                best = next;
            }
        }
        return best.certainDifference();
    }

    private Measurement measure() {
        return database.outsideTransaction(() -> {
            // Not before, because the wait for a connection is not part of the round trip.
            long asked = nanoTime.getAsLong();
            long own = clock.millis();
            long databases = database.jdbc().sql(now).query(Long.class).single();
            return new Measurement(Duration.ofMillis(own - databases), Duration.ofNanos(nanoTime.getAsLong() - asked));
        });
    }

    /** @param difference between the own time when the database was asked, and the answer */
    private record Measurement(Duration difference, Duration roundTrip) {

        Duration certainDifference() {
            Duration uncertain = roundTrip.dividedBy(2);
            Duration middle = difference.plus(uncertain);
            Duration certain = middle.abs().minus(uncertain);
            if (certain.isNegative()) {
                return Duration.ZERO;
            }
            return middle.isNegative() ? certain.negated() : certain;
        }
    }
}
