package io.credential.benchmarks.rivals;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Turns;

/**
 * Turns with one kind of receiver.
 *
 * @param pause of the receiver before each answer
 * @param published events in a turn that publishes and settles
 * @param stored events in a turn that settles: more, because it takes less time
 * @param rounds after one to warm up
 * @param publishedGoal the least ratio to the best of the others if events are published meanwhile
 * @param storedGoal the same if they are stored before
 */
record Phase(
        Duration pause,
        int published,
        int stored,
        int rounds,
        OptionalDouble publishedGoal,
        OptionalDouble storedGoal) {

    static List<Phase> of(Profile profile) {
        int rounds = profile.choose(1, 3, 5);
        int published = profile.choose(50, 4_000, 20_000);
        int stored = profile.choose(50, 8_000, 40_000);
        int few = profile.choose(50, 800, 4_000);
        Phase atOnce =
                new Phase(Duration.ZERO, published, stored, rounds, OptionalDouble.of(1.5), OptionalDouble.of(2.5));
        Phase afterAWhile =
                new Phase(Duration.ofMillis(100), few, few, rounds, OptionalDouble.of(1), OptionalDouble.of(1));
        if (profile == Profile.SHORT) {
            return List.of(atOnce, afterAWhile);
        }
        Phase soon = new Phase(
                Duration.ofMillis(20), 2 * few, 2 * few, rounds, OptionalDouble.empty(), OptionalDouble.empty());
        return List.of(atOnce, soon, afterAWhile);
    }

    Turns take(Turns.Round round) throws Exception {
        return Turns.take(rounds, round);
    }
}
