package io.credential.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Values that are measured right after each other, round by round. Ratios are taken within a round, so that a machine
 * that changes its speed does not distort them.
 */
public final class Turns {

    private final Map<String, List<Double>> values = new HashMap<>();

    /** Runs one round to warm up, then the measured ones. */
    public static Turns take(int rounds, Round round) throws Exception {
        round.run(new Turns());
        return takeCold(rounds, round);
    }

    /** Runs the measured rounds only. */
    public static Turns takeCold(int rounds, Round round) throws Exception {
        Turns turns = new Turns();
        for (int i = 0; i < rounds; i++) {
            round.run(turns);
        }
        return turns;
    }

    public void add(String what, double value) {
        values.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    }

    public Spread spread(String what) {
        return Spread.of(valuesOf(what));
    }

    public Spread ratio(String measured, String yardstick) {
        List<Double> numerators = valuesOf(measured);
        List<Double> denominators = valuesOf(yardstick);
        return Spread.of(IntStream.range(0, numerators.size())
                .mapToObj(round -> numerators.get(round) / denominators.get(round))
                .toList());
    }

    private List<Double> valuesOf(String what) {
        return Objects.requireNonNull(values.get(what), what);
    }

    /** Adds one value for each thing that is measured. */
    public interface Round {

        void run(Turns turns) throws Exception;
    }
}
