package io.credential.benchmarks.cluster;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures for how long nodes accept a key that they have cached and that another node revokes. Three processes share a
 * PostgreSQL server. Exits with 1 if a goal is missed or the run fails.
 *
 * <p>Arguments, all optional: {@code rounds=} (200) of plain revocations, which the numbers of the other rounds follow,
 * {@code ttl=} (5), the seconds for which a key is cached, and {@code kinds=}, the {@linkplain Revocation#label() labels} of
 * the rounds to run.
 */
public final class ClusterRevocations {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterRevocations.class);

    private static final List<String> LABELS =
            Stream.of(Revocation.values()).map(Revocation::label).toList();

    static final int ROUNDS = 200;
    private static final int TTL_SECONDS = 5;

    private static final double LIMIT_MILLIS = 250;
    private static final double ACCEPTED_AFTER_CUT = 1;
    private static final double NO_GOAL = Double.POSITIVE_INFINITY;

    private ClusterRevocations() {}

    public static void main(String[] arguments) {
        int rounds = ROUNDS;
        int ttl = TTL_SECONDS;
        List<Revocation> kinds = List.of(Revocation.values());
        for (String argument : arguments) {
            String value = argument.substring(argument.indexOf('=') + 1);
            if (argument.matches("rounds=[1-9][0-9]{0,5}")) {
                rounds = Integer.parseInt(value);
            } else if (argument.matches("ttl=[1-9][0-9]?")) {
                ttl = Integer.parseInt(value);
            } else if (argument.startsWith("kinds=") && LABELS.containsAll(List.of(value.split(",", -1)))) {
                kinds = kinds.stream()
                        .filter(kind -> List.of(value.split(",", -1)).contains(kind.label()))
                        .toList();
            } else {
                System.err.println(
                        "Unknown argument " + argument + "; use rounds=<number>, ttl=<seconds> and kinds=<names>"
                                + " with names from " + String.join(",", LABELS));
                System.exit(2);
            }
        }
        System.exit(succeeds(kinds, rounds, Duration.ofSeconds(ttl)) ? 0 : 1);
    }

    private static boolean succeeds(List<Revocation> kinds, int rounds, Duration ttl) {
        try {
            Map<Revocation, List<Denial>> denials = run(kinds, rounds, ttl);
            requireHeldBack(denials, ttl);
            RevocationReport report = new RevocationReport(System.out);
            denials.forEach((kind, measured) -> print(report, kind, measured, ttl));
            return report.isHeld();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception e) {
            LOG.error("The run failed", e);
            return false;
        }
    }

    /** Returns what the nodes answered in all rounds of each kind. */
    static Map<Revocation, List<Denial>> run(List<Revocation> kinds, int rounds, Duration ttl) throws Exception {
        try (FaultCluster cluster = FaultCluster.startCaching(ttl)) {
            RevocationRun run = new RevocationRun(cluster, ttl, System.err);
            Map<Revocation, List<Denial>> denials = new EnumMap<>(Revocation.class);
            for (Revocation kind : kinds) {
                denials.put(kind, run.run(kind, kind.rounds(rounds)));
            }
            System.out.printf(
                    "PostgreSQL %s, 3 nodes, keys cached for %d s%n",
                    cluster.database().version(), ttl.toSeconds());
            System.out.println("The nodes logged to " + cluster.logs());
            return denials;
        }
    }

    private static void requireHeldBack(Map<Revocation, List<Denial>> denials, Duration ttl) {
        List<Denial> blocked = denials.getOrDefault(Revocation.BLOCKED, List.of());
        if (blocked.stream().anyMatch(denial -> 2 * denial.lastAcceptedMillis() < ttl.toMillis())) {
            throw new IllegalStateException("A notification was not held back: " + blocked);
        }
    }

    private static void print(RevocationReport report, Revocation kind, List<Denial> denials, Duration ttl) {
        String since = kind == Revocation.LOST ? "the cut" : "the revocation";
        report.print(
                kind,
                "last acceptance after " + since + ", ms",
                denials,
                Denial::lastAcceptedMillis,
                switch (kind) {
                    case NOTIFIED, AFTER_ANOTHER, LOST -> LIMIT_MILLIS;
                    case CUT -> NO_GOAL; // counted instead
                    case BLOCKED -> ttl.toMillis();
                });
        if (kind.isCut()) {
            report.print(
                    kind,
                    "calls after " + since + " that accept",
                    denials,
                    Denial::accepted,
                    kind == Revocation.CUT ? ACCEPTED_AFTER_CUT : NO_GOAL);
        }
        report.print(kind, "calls after a rejection that accept", denials, Denial::acceptedAgain, 0);
    }
}
