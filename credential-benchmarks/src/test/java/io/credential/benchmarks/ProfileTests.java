package io.credential.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.Profile.Length;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProfileTests {

    @Test
    void ofWhenNoArgumentsThenNormal() {
        assertThat(Profile.of(List.of())).isEqualTo(new Profile(Length.NORMAL, 5));
    }

    @Test
    void ofWhenShortAndRoundsThenBoth() {
        assertThat(Profile.of(List.of("rounds=7", "short"))).isEqualTo(new Profile(Length.SHORT, 7));
    }

    @Test
    void ofWhenUnknownThenNamesIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Profile.of(List.of("rounds=0")))
                .withMessageStartingWith("Unknown argument rounds=0; use ");
    }

    @Test
    void ratioWhenSmokeThenNoVerdict() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Table table = new Table(new PrintStream(printed, true, StandardCharsets.UTF_8));
        Turns turns = new Turns();
        turns.add("measured", 1);
        turns.add("yardstick", 2);

        Profile.of(List.of("smoke")).ratioAtLeast(table, "row", turns, "measured", "yardstick", 0.9);

        assertThat(table.missedGoal()).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("row: measured / yardstick")
                .doesNotContain("goal:");
    }
}
