package io.credential.benchmarks.dispatcher;

import java.time.Duration;

import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Table;

/** Measures one thing and prints it. */
interface Benchmark {

    void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception;

    /**
     * @param deliveries how many deliveries a turn measures; benchmarks of something slower measure a part of it
     * @param rounds how often each turn is measured
     * @param minutes how long the soak runs before a transaction is held open in it
     * @param rate events per second of the soak
     * @param turn how long a turn takes that is not bounded by a number of deliveries
     */
    record Scale(int deliveries, int rounds, int minutes, int rate, Duration turn) {

        Scale withDeliveries(int changed) {
            return new Scale(changed, rounds, minutes, rate, turn);
        }

        Scale withRounds(int changed) {
            return new Scale(deliveries, changed, minutes, rate, turn);
        }

        Scale withMinutes(int changed) {
            return new Scale(deliveries, rounds, changed, rate, turn);
        }

        Scale withRate(int changed) {
            return new Scale(deliveries, rounds, minutes, changed, turn);
        }
    }
}
