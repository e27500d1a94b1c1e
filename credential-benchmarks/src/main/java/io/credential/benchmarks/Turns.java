package io.credential.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Pairs of measurements made right after each other, so that a machine that changes its speed spoils no ratio. */
final class Turns {

    private final List<Double> bare = new ArrayList<>();
    private final List<Double> measured = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();

    void add(double barePerSecond, double measuredPerSecond) {
        bare.add(barePerSecond);
        measured.add(measuredPerSecond);
        ratios.add(measuredPerSecond / barePerSecond);
    }

    double medianBare() {
        return median(bare);
    }

    double medianMeasured() {
        return median(measured);
    }

    double medianRatio() {
        return median(ratios);
    }

    double lowestRatio() {
        return ratios.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double highestRatio() {
        return ratios.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
