package io.credential.benchmarks;

import java.util.Arrays;

/** Percentiles by the nearest rank: of 100 values, the 99th percentile is the second highest. */
public final class Percentile {

    private Percentile() {}

    public static double of(double[] values, int percent) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(sorted.length * percent + 99) / 100 - 1];
    }
}
