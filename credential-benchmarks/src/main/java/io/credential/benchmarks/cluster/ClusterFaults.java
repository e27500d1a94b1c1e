package io.credential.benchmarks.cluster;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Injects faults into a cluster of three processes and a PostgreSQL server while clients call all nodes, then checks what
 * was recorded. Exits with 1 if an invariant is violated or the run fails.
 *
 * <p>Arguments, both optional: {@code rounds=} (50) and {@code kinds=}, faults separated by commas that take turns. By
 * default, the leader is the victim in nine of ten rounds, and the database is restarted or fails over in the tenth.
 */
public final class ClusterFaults {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterFaults.class);

    private static final int ROUNDS = 50;
    private static final int OF_DATABASE_EVERY = 10;
    private static final List<Fault> OF_LEADER = List.of(Fault.KILL, Fault.PAUSE, Fault.CUT, Fault.STALL);
    private static final List<Fault> OF_DATABASE = List.of(Fault.RESTART_FAST, Fault.RESTART_IMMEDIATE, Fault.FAILOVER);

    private ClusterFaults() {}

    public static void main(String[] arguments) {
        int rounds = ROUNDS;
        List<Fault> kinds = List.of();
        for (String argument : arguments) {
            String value = argument.substring(argument.indexOf('=') + 1);
            if (argument.matches("rounds=[1-9][0-9]{0,5}")) {
                rounds = Integer.parseInt(value);
            } else if (argument.startsWith("kinds=") && faults(value).isPresent()) {
                kinds = faults(value).get();
            } else {
                System.err.println(
                        "Unknown argument " + argument + "; use rounds=<number> and kinds=<names> with names from "
                                + Stream.of(Fault.values()).map(Fault::label).collect(Collectors.joining(",")));
                System.exit(2);
            }
        }
        System.exit(succeeds(schedule(rounds, kinds)) ? 0 : 1);
    }

    private static Optional<List<Fault>> faults(String names) {
        List<String> wanted = Arrays.asList(names.split(",", -1));
        List<Fault> faults = wanted.stream()
                .flatMap(name ->
                        Stream.of(Fault.values()).filter(fault -> fault.label().equals(name)))
                .toList();
        return faults.size() == wanted.size() ? Optional.of(faults) : Optional.empty();
    }

    /** @param kinds empty for the default */
    static List<Fault> schedule(int rounds, List<Fault> kinds) {
        return IntStream.range(0, rounds)
                .mapToObj(round -> {
                    if (!kinds.isEmpty()) {
                        return kinds.get(round % kinds.size());
                    }
                    int ofDatabase = round / OF_DATABASE_EVERY;
                    return round % OF_DATABASE_EVERY == OF_DATABASE_EVERY - 1
                            ? OF_DATABASE.get(ofDatabase % OF_DATABASE.size())
                            : OF_LEADER.get((round - ofDatabase) % OF_LEADER.size());
                })
                .toList();
    }

    private static boolean succeeds(List<Fault> faults) {
        try {
            return run(faults, ClusterNode.LEASE).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception e) {
            LOG.error("The run failed", e);
            return false;
        }
    }

    /**
     * Prints the report, and returns the violations.
     *
     * @param lease the takeover may take little longer
     */
    static List<Violation> run(List<Fault> faults, Duration lease) throws Exception {
        Consumer<String> progress = System.err::println;
        try (FaultCluster cluster = FaultCluster.start();
                FaultRun run = new FaultRun(cluster, progress)) {
            History history = run.run(faults);
            List<Violation> violations = InvariantChecker.check(history, lease);
            new FaultReport(history, System.out).print(violations);
            System.out.println("The nodes logged to " + cluster.logs());
            return violations;
        }
    }
}
