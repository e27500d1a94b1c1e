package io.credential.benchmarks.dispatcher;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.dispatcher.Benchmark.Scale;

/**
 * Prints all measurements of the dispatcher as one table. Measured turns alternate with those of their yardsticks, and
 * ratios are taken within a round.
 *
 * <p>Arguments, all optional: {@code short} for a run of a few minutes, {@code smoke} to see that it works, {@code
 * deliveries=} a turn (50,000; short: 5,000), {@code rounds=} (5; short: 3), {@code minutes=} (30; short: 3) and {@code rate=} (300 events per second) of the soak,
 * and the names of the benchmarks to run (all but {@code soak}).
 */
public final class DispatcherBenchmarks {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherBenchmarks.class);

    /** Runs only if it is named. */
    private static final String SOAK = "soak";

    private static final Scale NORMAL = new Scale(50_000, 5, 30, 300, Duration.ofSeconds(10));
    private static final Scale SHORT = new Scale(5_000, 3, 3, 300, Duration.ofSeconds(10));
    static final Scale SMOKE = new Scale(200, 1, 0, 300, Duration.ofSeconds(1));

    static final Map<String, Benchmark> BENCHMARKS = new LinkedHashMap<>();

    static {
        BENCHMARKS.put("backlog", new BacklogBenchmark());
        BENCHMARKS.put("held", new HeldTransactionBenchmark());
        BENCHMARKS.put("enqueue", new EnqueueBenchmark());
        BENCHMARKS.put("notify", new NotificationBenchmark());
        BENCHMARKS.put("transaction", new TransactionBenchmark());
        BENCHMARKS.put("api", new ApiBenchmark("api", 1));
        BENCHMARKS.put("fan-out", new ApiBenchmark("fan-out 20", 20));
        BENCHMARKS.put("hang", new HangingEndpointBenchmark());
        BENCHMARKS.put("search", new SearchBenchmark());
        BENCHMARKS.put("limit", new RateLimitBenchmark());
        BENCHMARKS.put("kill", new KillBenchmark());
        BENCHMARKS.put("takeover", new TakeoverBenchmark());
        BENCHMARKS.put(SOAK, new SoakBenchmark(System.out));
    }

    private DispatcherBenchmarks() {}

    public static void main(String[] arguments) throws IOException {
        List<String> given = new ArrayList<>(List.of(arguments));
        boolean smoke = given.remove("smoke");
        Scale scale = smoke ? SMOKE : given.remove("short") ? SHORT : NORMAL;
        List<String> names = new ArrayList<>();
        for (String argument : given) {
            if (argument.startsWith("deliveries=")) {
                scale = scale.withDeliveries(valueOf(argument));
            } else if (argument.startsWith("rounds=")) {
                scale = scale.withRounds(valueOf(argument));
            } else if (argument.startsWith("minutes=")) {
                scale = scale.withMinutes(valueOf(argument));
            } else if (argument.startsWith("rate=")) {
                scale = scale.withRate(valueOf(argument));
            } else if (BENCHMARKS.containsKey(argument)) {
                names.add(argument);
            } else {
                System.err.println("Unknown argument " + argument
                        + "; use short, smoke, deliveries=<number>, rounds=<number>, minutes=<number>, rate=<number> and names from "
                        + BENCHMARKS.keySet());
                System.exit(2);
            }
        }
        System.out.printf(
                "dispatcher: %d processors, JDK %s, %,d deliveries a turn, %d rounds%n",
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                scale.deliveries(),
                scale.rounds());
        Table table = new Table(System.out);
        boolean succeeded = run(names.isEmpty() ? allButSoak() : names, scale, table);
        table.write("dispatcher");
        System.exit(succeeded && (smoke || !table.missedGoal()) ? 0 : 1);
    }

    private static List<String> allButSoak() {
        return BENCHMARKS.keySet().stream().filter(name -> !name.equals(SOAK)).toList();
    }

    private static int valueOf(String argument) {
        return Integer.parseInt(argument.substring(argument.indexOf('=') + 1));
    }

    /** Returns whether all have succeeded; one that fails does not stop the others. */
    static boolean run(List<String> names, Scale scale, Table table) throws IOException {
        boolean succeeded = true;
        try (BenchmarkReceiver receiver = BenchmarkReceiver.start()) {
            for (String name : names) {
                try {
                    Objects.requireNonNull(BENCHMARKS.get(name)).run(scale, receiver, table);
                } catch (Exception e) {
                    succeeded = false;
                    LOG.error("The benchmark {} failed", name, e);
                }
            }
        }
        return succeeded;
    }
}
