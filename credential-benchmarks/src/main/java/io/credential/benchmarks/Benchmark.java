package io.credential.benchmarks;

/** Measures one thing and prints it. */
interface Benchmark {

    void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception;

    /**
     * @param deliveries how many deliveries a turn measures; benchmarks of something slower measure a part of it
     * @param rounds how often each turn is measured
     */
    record Scale(int deliveries, int rounds) {}
}
