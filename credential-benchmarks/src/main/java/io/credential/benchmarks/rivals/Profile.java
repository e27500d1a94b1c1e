package io.credential.benchmarks.rivals;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

import io.credential.benchmarks.Turns;

/** How much is measured. */
enum Profile {

    /** About 20 minutes. */
    FULL(5, 10_000, 10_000, 4_000),

    /** Some minutes. */
    SHORT(3, 1_500, 1_500, 800),

    /** Some seconds: shows that everything works, not how fast. */
    SMOKE(1, 50, 50, 50);

    private final int rounds;
    private final int answeredAtOnce;
    private final int answeredAfter20Millis;
    private final int answeredAfter100Millis;

    /** The number of events in a turn depends on when the receiver answers. */
    Profile(int rounds, int answeredAtOnce, int answeredAfter20Millis, int answeredAfter100Millis) {
        this.rounds = rounds;
        this.answeredAtOnce = answeredAtOnce;
        this.answeredAfter20Millis = answeredAfter20Millis;
        this.answeredAfter100Millis = answeredAfter100Millis;
    }

    int rounds() {
        return rounds;
    }

    List<Phase> phases() {
        return List.of(
                new Phase(Duration.ZERO, answeredAtOnce, goal(3)),
                new Phase(Duration.ofMillis(20), answeredAfter20Millis, OptionalDouble.empty()),
                new Phase(Duration.ofMillis(100), answeredAfter100Millis, goal(1)));
    }

    private OptionalDouble goal(double ratio) {
        return this == SMOKE ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }

    Turns take(Turns.Round round) throws Exception {
        return this == SMOKE ? Turns.takeCold(rounds, round) : Turns.take(rounds, round);
    }

    /**
     * @param pause of the receiver before each answer
     * @param deliveries in each turn
     * @param goal the least ratio to the best of the others
     */
    record Phase(Duration pause, int deliveries, OptionalDouble goal) {}
}
