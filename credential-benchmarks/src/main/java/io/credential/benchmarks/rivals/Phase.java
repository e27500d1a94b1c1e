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
 * @param deliveries in each turn
 * @param rounds after one to warm up
 * @param goal the least ratio to the best of the others
 */
record Phase(Duration pause, int deliveries, int rounds, OptionalDouble goal) {

    static List<Phase> of(Profile profile) {
        int rounds = profile.choose(1, 3, 5);
        int many = profile.choose(50, 3_000, 10_000);
        int few = profile.choose(50, 800, 4_000);
        Phase atOnce = new Phase(Duration.ZERO, many, rounds, OptionalDouble.of(3));
        Phase afterAWhile = new Phase(Duration.ofMillis(100), few, rounds, OptionalDouble.of(1));
        if (profile == Profile.SHORT) {
            return List.of(atOnce, afterAWhile);
        }
        return List.of(atOnce, new Phase(Duration.ofMillis(20), many / 2, rounds, OptionalDouble.empty()), afterAWhile);
    }

    Turns take(Turns.Round round) throws Exception {
        return Turns.take(rounds, round);
    }
}
