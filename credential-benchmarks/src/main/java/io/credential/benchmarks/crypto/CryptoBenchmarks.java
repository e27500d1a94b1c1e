package io.credential.benchmarks.crypto;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures operations per second of signing and verifying, and the bytes that they allocate. The yardsticks are the bare
 * primitives on reused instances and the client libraries of others. JMH runs the benchmarks one after the other in each round; ratios are
 * taken within a round. Argument: {@code smoke}, {@code short} or none.
 */
public final class CryptoBenchmarks {

    private static final double HMAC_GOAL = 0.9;
    private static final double LIBRARY_GOAL = 1.2;
    private static final double PQC_GOAL = 0.95;

    /** Rounds of the short form, whose turns are too short to be trusted one by one. */
    private static final int ROUNDS = 31;

    /** Enough for the compiler, since all rounds run in one JVM. */
    private static final int WARMUP_ROUNDS = 20;

    private static final List<String> OPERATIONS = List.of("sign", "verify");

    /** Complete the names of the operations in {@link ProcessorBenchmark}. */
    private static final List<String> LIBRARIES = List.of("Stripe", "StandardWebhooks", "Svix");

    private static final String FASTEST = " by the fastest library";
    private static final String BARE = "fastest bare MAC";

    /** The first JDK with ML-DSA. */
    private static final int JDK_WITH_ML_DSA = 24;

    private final Profile profile;
    private final Table table;

    private CryptoBenchmarks(Profile profile, Table table) {
        this.profile = profile;
        this.table = table;
    }

    public static void main(String[] arguments) {
        Harness.main("crypto", arguments, CryptoBenchmarks::run);
    }

    static void run(Profile profile, Table table) throws Exception {
        CryptoBenchmarks benchmarks = new CryptoBenchmarks(profile, table);
        for (String bytes : profile.choose(List.of("1024"), List.of("1024"), List.of("100", "1024", "65536"))) {
            benchmarks.hmac(bytes);
            benchmarks.processor(bytes);
        }
        benchmarks.pqc("ml-dsa-65");
        if (profile == Profile.FULL) {
            benchmarks.pqc("ml-dsa-87");
            benchmarks.pqc("slh-dsa-shake-256f");
        }
    }

    private void hmac(String bytes) throws Exception {
        JmhRun run = new JmhRun(profile, HmacBenchmark.class, "bytes", bytes, "");
        Turns turns = takeTurns(round -> {
            Map<String, Double> scores = run.addTo(round);
            round.add(BARE, fastest(scores, Stream.of("jdk", "bouncyCastle")));
        });
        String row = "hmac-sha3-512, " + bytes + " bytes";
        for (String operation : OPERATIONS) {
            table.ratioAtLeast(row, turns, operation, BARE, HMAC_GOAL);
            allocated(row, turns, operation);
        }
        for (String provider : List.of("jdk", "bouncyCastle")) {
            table.value(row, turns, provider);
            allocated(row, turns, provider);
        }
    }

    private void processor(String bytes) throws Exception {
        JmhRun run = new JmhRun(profile, ProcessorBenchmark.class, "bytes", bytes, "");
        Turns turns = takeTurns(round -> {
            Map<String, Double> scores = run.addTo(round);
            for (String operation : OPERATIONS) {
                round.add(
                        operation + FASTEST, fastest(scores, LIBRARIES.stream().map(operation::concat)));
            }
        });
        String row = "processor, " + bytes + " bytes";
        for (String operation : OPERATIONS) {
            table.ratioAtLeast(row, turns, operation, "jdk", HMAC_GOAL);
            table.ratioAtLeast(row, turns, operation, operation + FASTEST, LIBRARY_GOAL);
            allocated(row, turns, operation);
            for (String library : LIBRARIES) {
                table.ratio(row, turns, operation, operation + library, "");
                allocated(row, turns, operation + library);
            }
        }
    }

    private void pqc(String algorithm) throws Exception {
        JmhRun run = new JmhRun(profile, PqcBenchmark.class, "algorithm", algorithm, "");
        JmhRun jdkRun = new JmhRun(profile, JdkMlDsaBenchmark.class, "algorithm", algorithm, "JDK ");
        boolean jdk = algorithm.startsWith("ml-dsa") && Runtime.version().feature() >= JDK_WITH_ML_DSA;
        Turns turns = takeTurns(round -> {
            run.addTo(round);
            if (jdk) {
                jdkRun.addTo(round);
            }
        });
        for (String operation : OPERATIONS) {
            table.ratioAtLeast(algorithm, turns, operation, operation + "Bare", PQC_GOAL);
            allocated(algorithm, turns, operation);
            allocated(algorithm, turns, operation + "Bare");
            if (jdk) {
                table.ratio(algorithm, turns, operation, "JDK " + operation, "");
                allocated(algorithm, turns, "JDK " + operation);
            }
        }
    }

    private Turns takeTurns(Turns.Round round) throws Exception {
        Turns.takeCold(profile.choose(0, WARMUP_ROUNDS, 0), round);
        return Turns.takeCold(profile.choose(1, ROUNDS, 5), round);
    }

    private static double fastest(Map<String, Double> scores, Stream<String> names) {
        return names.mapToDouble(name -> Objects.requireNonNull(scores.get(name), name))
                .max()
                .orElseThrow();
    }

    private void allocated(String row, Turns turns, String operation) {
        table.value(row, turns, JmhRun.allocated(operation));
    }
}
