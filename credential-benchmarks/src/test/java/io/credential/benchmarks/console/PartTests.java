package io.credential.benchmarks.console;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.console.ConsoleBenchmark.Part;

import static org.assertj.core.api.Assertions.assertThat;

class PartTests {

    @Test
    void partsWhenSomeAreNamedThenOthersAreLeftOut() {
        assertThat(Part.of(List.of("short", "lists", "start"))).containsExactly(Part.LISTS, Part.START);
    }

    @Test
    void partsWhenNoneIsNamedThenAll() {
        assertThat(Part.of(List.of("short"))).containsExactly(Part.values());
    }
}
