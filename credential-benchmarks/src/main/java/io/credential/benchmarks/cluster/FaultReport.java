package io.credential.benchmarks.cluster;

import java.io.PrintStream;
import java.util.List;

import io.credential.benchmarks.Spread;
import io.credential.benchmarks.cluster.Call.Outcome;

/** Prints what happened in the rounds of each kind, and whether the invariants were held. */
final class FaultReport {

    private static final int OFFENDERS = 20;
    private static final String NOT_LEADER = "api-key/not-leader";
    private static final String UNAVAILABLE = "api-key/unavailable";

    private final History history;
    private final PrintStream out;

    FaultReport(History history, PrintStream out) {
        this.history = history;
        this.out = out;
    }

    void print(List<Violation> violations) {
        out.printf(
                "%-18s %6s %25s %10s %9s %11s %12s %6s %8s%n",
                "fault",
                "rounds",
                "takeover, s",
                "healthy, s",
                "calls",
                "not-leader",
                "unavailable",
                "other",
                "unknown");
        for (Fault fault : Fault.values()) {
            List<FaultRound> rounds = history.rounds().stream()
                    .filter(round -> round.fault() == fault)
                    .toList();
            if (!rounds.isEmpty()) {
                print(fault, rounds);
            }
        }
        out.printf(
                "%,d calls, %,d writes%n",
                history.calls().size(), history.writes().size());
        for (Invariant invariant : Invariant.values()) {
            print(
                    invariant,
                    violations.stream()
                            .filter(violation -> violation.invariant() == invariant)
                            .toList());
        }
    }

    private void print(Fault fault, List<FaultRound> rounds) {
        List<Call> calls = history.calls().stream()
                .filter(call -> rounds.stream().anyMatch(round -> round.contains(call)))
                .toList();
        List<Double> takeovers = rounds.stream()
                .flatMapToDouble(round -> round.takeoverSeconds(calls).stream())
                .boxed()
                .toList();
        List<Double> recoveries = rounds.stream()
                .map(round -> (round.endedAt() - round.faultedAt()) / 1e9)
                .toList();
        long refused =
                calls.stream().filter(call -> call.outcome() == Outcome.REFUSED).count();
        long notLeader = refused(calls, NOT_LEADER);
        long unavailable = refused(calls, UNAVAILABLE);
        out.printf(
                "%-18s %6d %25s %10.2f %,9d %,11d %,12d %,6d %,8d%n",
                fault.label(),
                rounds.size(),
                fault.isAgainstLeader() && !takeovers.isEmpty() ? text(Spread.of(takeovers)) : "-",
                Spread.of(recoveries).highest(),
                calls.size(),
                notLeader,
                unavailable,
                refused - notLeader - unavailable,
                calls.stream().filter(call -> call.outcome() == Outcome.UNKNOWN).count());
    }

    private static String text(Spread spread) {
        return "%7.2f / %6.2f / %6.2f".formatted(spread.lowest(), spread.median(), spread.highest());
    }

    private static long refused(List<Call> calls, String code) {
        return calls.stream().filter(call -> call.code().equals(code)).count();
    }

    private void print(Invariant invariant, List<Violation> violations) {
        out.printf("%-70s %s%n", invariant.text(), violations.isEmpty() ? "held" : violations.size() + " x VIOLATED");
        violations.stream().limit(OFFENDERS).forEach(violation -> out.println("  " + violation.offender()));
    }
}
