package io.credential.benchmarks.cluster;

import java.io.PrintStream;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.credential.benchmarks.Spread;

/** Prints each measurement with its goal, and remembers whether one was missed. */
final class RevocationReport {

    private final PrintStream out;
    private boolean held = true;

    RevocationReport(PrintStream out) {
        this.out = out;
        out.printf("%-64s %7s %9s %9s %9s   %s%n", "", "values", "lowest", "median", "highest", "goal");
    }

    /** @param highest the highest value that meets the goal; infinite if there is none */
    void print(Revocation kind, String measured, List<Denial> denials, ToDoubleFunction<Denial> value, double highest) {
        Spread spread = Spread.of(denials.stream().map(value::applyAsDouble).toList());
        boolean met = spread.highest() <= highest;
        held &= met;
        out.printf(
                "%-64s %7d %9.2f %9.2f %9.2f   %s%n",
                kind.label() + ": " + measured,
                denials.size(),
                spread.lowest(),
                spread.median(),
                spread.highest(),
                Double.isInfinite(highest) ? "-" : "at most %.0f: %s".formatted(highest, met ? "held" : "MISSED"));
    }

    boolean isHeld() {
        return held;
    }
}
