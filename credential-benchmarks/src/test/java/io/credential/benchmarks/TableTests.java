package io.credential.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.report.Row;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Table table = new Table(new PrintStream(printed, true, StandardCharsets.UTF_8));
    private final Turns turns = new Turns();

    @Test
    void valueWhenHighestIsTheGoalThenHeld() {
        rounds("lost", 0, 3, 2);

        table.valueAtMost("kill", turns, "lost", 3);

        assertThat(table.missedGoal()).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8)).endsWith("goal: at most 3.00, held\n");
    }

    @Test
    void valueWhenOneRoundExceedsGoalThenMissed() {
        rounds("lost", 0, 0, 1);

        table.valueAtMost("kill", turns, "lost", 0);

        assertThat(table.missedGoal()).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8)).endsWith("goal: at most 0.00, MISSED\n");
    }

    @Test
    void ratioWhenMedianIsTheGoalThenHeld() {
        rounds("measured", 80, 90, 100);
        rounds("yardstick", 100, 100, 100);

        table.ratioAtLeast("notify", turns, "measured", "yardstick", 0.9);

        assertThat(table.missedGoal()).isFalse();
    }

    @Test
    void ratioWhenMedianIsLessThanGoalThenMissed() {
        rounds("measured", 80, 89, 100);
        rounds("yardstick", 100, 100, 100);

        table.ratioAtLeast("notify", turns, "measured", "yardstick", 0.9);

        assertThat(table.missedGoal()).isTrue();
    }

    @Test
    void ratioAtMostWhenMedianIsMoreThanGoalThenMissed() {
        rounds("measured", 120, 140, 130);
        rounds("yardstick", 100, 100, 100);

        table.ratioAtMost("growth", turns, "measured", "yardstick", 1.29);

        assertThat(table.missedGoal()).isTrue();
    }

    @Test
    void ratioAtMostWhenOnlyHighestIsMoreThenHeld() {
        rounds("measured", 120, 140, 130);
        rounds("yardstick", 100, 100, 100);

        table.ratioAtMost("growth", turns, "measured", "yardstick", 1.3);

        assertThat(table.missedGoal()).isFalse();
    }

    @Test
    void medianAtMostWhenOnlyHighestIsMoreThenHeld() {
        rounds("cached", 1, 30, 2);

        table.medianAtMost("verify", turns, "cached", 2);

        assertThat(table.missedGoal()).isFalse();
    }

    @Test
    void rowsWhenPrintedThenKept() {
        rounds("lost", 1, 3, 2);

        table.value("kill", turns, "lost");

        assertThat(table.rows()).containsExactly(new Row("kill: lost", 1, 2, 3, null));
    }

    @Test
    void missedGoalWhenLaterGoalIsHeldThenStillMissed() {
        rounds("lost", 1);

        table.valueAtMost("kill", turns, "lost", 0);
        table.valueAtMost("kill", turns, "lost", 1);

        assertThat(table.missedGoal()).isTrue();
    }

    private void rounds(String what, double... values) {
        for (double value : values) {
            turns.add(what, value);
        }
    }
}
