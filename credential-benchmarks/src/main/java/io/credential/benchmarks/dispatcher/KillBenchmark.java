package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.credential.benchmarks.Arrivals;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.SampleSetup;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Kills the sample application as {@code kill -9} does when half of the events are accepted, and starts it again after
 * two seconds. Counts accepted events that have not arrived within six minutes, and repeated deliveries. Measures the
 * time from the kill until the sample answers again, until all events that were accepted before the kill have arrived,
 * and until all events have arrived. A round sends a fifth as many events as other benchmarks have deliveries.
 */
final class KillBenchmark implements Benchmark {

    private static final long DOWNTIME_MILLIS = 2000;
    private static final long POLL_MILLIS = 20;

    /** A minute longer than the default {@code claim-reclaim-after}. */
    private static final double LOST_AFTER_SECONDS = 360;

    private static final List<String> MEASUREMENTS =
            List.of("lost", "repeated", "s until ready", "s until earlier events arrived", "s until all arrived");

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (SampleSetup sample = SampleSetup.start(receiver)) {
            sample.client().register("endpoint", receiver.countedUrls(1).get(0));
            Turns turns = Turns.takeCold(
                    scale.rounds(), round -> killOnce(scale.deliveries() / 5, round, sample, background));
            for (String measurement : MEASUREMENTS) {
                table.value("kill", turns, measurement);
            }
        } finally {
            background.shutdownNow();
        }
    }

    private static void killOnce(int events, Turns turns, SampleSetup sample, ExecutorService background)
            throws Exception {
        BenchmarkReceiver receiver = sample.receiver();
        receiver.reset();
        AcceptedEvents accepted = new AcceptedEvents(sample.client());
        Future<?> load =
                background.submit(() -> new Load(SampleClient.CALLERS, events, number -> accepted.addOne()).run());
        while (accepted.numbers().cardinality() < events / 2 && !load.isDone()) {
            Thread.sleep(POLL_MILLIS);
        }
        BitSet earlier = accepted.numbers();
        long killed = System.nanoTime();
        sample.process().kill();
        Thread.sleep(DOWNTIME_MILLIS);
        sample.process().restart();
        sample.process().awaitReady(sample.client());
        turns.add("s until ready", secondsSince(killed));
        awaitArrivals(earlier, receiver, killed);
        turns.add("s until earlier events arrived", secondsSince(killed));
        load.get();
        turns.add("lost", awaitArrivals(accepted.numbers(), receiver, killed));
        turns.add("s until all arrived", secondsSince(killed));
        sample.database().awaitSettled();
        Arrivals.Summary arrived = receiver.summary();
        turns.add("repeated", (double) (arrived.count() - arrived.distinct()));
    }

    private static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e9;
    }

    /** Returns how many have not arrived in time. */
    private static int awaitArrivals(BitSet numbers, BenchmarkReceiver receiver, long killed)
            throws IOException, InterruptedException {
        BitSet missing = (BitSet) numbers.clone();
        while (true) {
            missing.andNot(receiver.numbers());
            if (missing.isEmpty() || secondsSince(killed) > LOST_AFTER_SECONDS) {
                return missing.cardinality();
            }
            Thread.sleep(POLL_MILLIS);
        }
    }
}
