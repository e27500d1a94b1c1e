package io.credential.benchmarks;

import java.util.List;

/** The spread of a measurement over the rounds of a run. */
public record Spread(double lowest, double median, double highest) {

    public static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(sorted.get(0), median, sorted.get(sorted.size() - 1));
    }
}
