package io.credential.benchmarks.all;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.benchmarks.all.AllBenchmarks.Program;

import static org.assertj.core.api.Assertions.assertThat;

class ProgramRunTests {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void ofWhenGoalIsMissedThenLineAndExitCode() throws IOException {
        ProgramRun run = run("missed");

        assertThat(run.goals()).singleElement().asString().endsWith("MISSED");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void ofWhenProgramPrintsThenPrinted() throws IOException {
        run("held");

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("yardstick")
                .contains("goal: at most 1.00, held");
    }

    private ProgramRun run(String argument) throws IOException {
        return ProgramRun.of(
                new Program(Sample.class, 1, argument),
                Profile.SMOKE,
                new String[] {"smoke"},
                new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    /** Prints a table with one goal, which its second argument decides. */
    static final class Sample {

        private Sample() {}

        public static void main(String[] arguments) {
            Turns turns = new Turns();
            turns.add("value", arguments[1].equals("missed") ? 2 : 1);
            Table table = new Table(System.out);
            table.valueAtMost("sample", turns, "value", 1);
            System.exit(table.missedGoal() ? 1 : 0);
        }
    }
}
