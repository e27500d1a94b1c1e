package io.credential.benchmarks;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Scanner;

/** Counts the deliveries that have arrived since the last reset. Thread-safe. */
public final class Arrivals {

    private static final int ENDPOINTS = 500;

    /** Latencies are counted in classes of 0.1 ms; the last class holds all from 100 s. */
    private static final int LATENCY_CLASS_NANOS = 100_000;

    private static final int LATENCY_CLASSES = 1_000_000;

    private final BitSet[] numbers = new BitSet[ENDPOINTS];
    private final int[] latencies = new int[LATENCY_CLASSES];
    private long count;
    private long distinct;
    private long lastAt;

    Arrivals() {
        reset();
    }

    synchronized void reset() {
        Arrays.setAll(numbers, endpoint -> new BitSet());
        Arrays.fill(latencies, 0);
        count = 0;
        distinct = 0;
        lastAt = 0;
    }

    synchronized void add(int endpoint, NumberedPayload payload) {
        count++;
        if (numbers[endpoint].get(payload.number())) {
            return;
        }
        numbers[endpoint].set(payload.number());
        distinct++;
        lastAt = NumberedPayload.now();
        long latency = (lastAt - payload.sentAt()) / LATENCY_CLASS_NANOS;
        latencies[(int) Math.max(0, Math.min(latency, LATENCY_CLASSES - 1))]++;
    }

    synchronized Summary summary() {
        return new Summary(count, distinct, lastAt, percentile(50), percentile(99));
    }

    /** The numbers that have arrived at an endpoint. */
    synchronized BitSet numbers(int endpoint) {
        return (BitSet) numbers[endpoint].clone();
    }

    private long percentile(int percent) {
        long toSkip = (distinct * percent + 99) / 100 - 1; // the nearest rank, as in Percentile
        for (int i = 0; i < LATENCY_CLASSES; i++) {
            toSkip -= latencies[i];
            if (toSkip < 0) {
                return (long) i * LATENCY_CLASS_NANOS;
            }
        }
        return 0;
    }

    /**
     * @param count all deliveries, repeated ones included
     * @param distinct different pairs of an endpoint and a number
     * @param lastAt when the last distinct one arrived, in nanoseconds since the Unix epoch
     * @param p50Nanos the median of the times from sending to first arrival
     * @param p99Nanos the 99th percentile of the times from sending to first arrival
     */
    public record Summary(long count, long distinct, long lastAt, long p50Nanos, long p99Nanos) {

        static Summary parse(String line) {
            Scanner fields = new Scanner(line);
            return new Summary(
                    fields.nextLong(), fields.nextLong(), fields.nextLong(), fields.nextLong(), fields.nextLong());
        }

        String format() {
            return count + " " + distinct + " " + lastAt + " " + p50Nanos + " " + p99Nanos;
        }
    }
}
