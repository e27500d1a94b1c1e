package io.credential.benchmarks.dispatcher;

import java.time.Duration;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.takeover.Takeover;
import io.credential.benchmarks.takeover.TakeoverCluster;

/**
 * Lets one of three nodes fail while deliveries wait or are under way, and measures when the others attempt those that the
 * failed node had claimed. In a round, the node with the most claims is killed as {@code kill -9} does. In a round of
 * {@code stall}, no byte passes between it and the database for 30 seconds. A round has a tenth as many deliveries as other
 * benchmarks. Goals: the first is taken over within 15 seconds and the last within 30, none is lost, and receivers see only
 * those twice that the failed node had begun to attempt.
 */
final class TakeoverBenchmark implements Benchmark {

    private static final double FIRST_SECONDS = 15;
    private static final double LAST_SECONDS = 30;
    private static final int TURNS_PER_STALL = 3;
    private static final String RECOVERED = "s until the node recovered";

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        int deliveries = scale.deliveries() / 10;
        Duration stall = scale.turn().multipliedBy(TURNS_PER_STALL);
        try (BenchmarkDatabase database = BenchmarkDatabase.postgres();
                TakeoverCluster cluster =
                        TakeoverCluster.start(database.open(), database.pool().getJdbcUrl())) {
            cluster.warmUp(deliveries);
            report(
                    "takeover, kill",
                    Turns.takeCold(scale.rounds(), turns -> add(cluster.kill(deliveries), cluster, turns)),
                    table);
            Turns stalls = Turns.takeCold(
                    scale.rounds(),
                    turns -> add(
                            cluster.stall(deliveries, stall, seconds -> turns.add(RECOVERED, seconds)),
                            cluster,
                            turns));
            report("takeover, stall", stalls, table);
            table.valueAtMost("takeover, stall", stalls, RECOVERED, LAST_SECONDS);
        }
    }

    private static void add(Takeover takeover, TakeoverCluster cluster, Turns turns) {
        turns.add("stranded", takeover.stranded());
        turns.add("of these begun by the failed node", takeover.started());
        turns.add("s until the first was taken over", takeover.firstSeconds());
        turns.add("s until the last was taken over", takeover.lastSeconds());
        turns.add("received more than once", takeover.repeated());
        turns.add("of these not begun, or more than twice", takeover.unexplained());
        turns.add("lost", takeover.lost());
        turns.add("s that the machine kept the harness waiting", cluster.longestPauseSeconds());
    }

    private static void report(String row, Turns turns, Table table) {
        table.value(row, turns, "stranded");
        table.value(row, turns, "of these begun by the failed node");
        table.valueAtMost(row, turns, "s until the first was taken over", FIRST_SECONDS);
        table.valueAtMost(row, turns, "s until the last was taken over", LAST_SECONDS);
        table.value(row, turns, "received more than once");
        table.valueAtMost(row, turns, "of these not begun, or more than twice", 0);
        table.valueAtMost(row, turns, "lost", 0);
        table.value(row, turns, "s that the machine kept the harness waiting");
    }
}
