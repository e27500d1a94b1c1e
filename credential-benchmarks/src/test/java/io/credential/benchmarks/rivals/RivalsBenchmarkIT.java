package io.credential.benchmarks.rivals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the benchmark measures works; how fast it is depends on the machine. */
class RivalsBenchmarkIT {

    @Test
    void runWhenSmokeThenAllSettleWithoutGoals() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        boolean held = RivalsBenchmark.run(Profile.SMOKE, new PrintStream(printed, true, StandardCharsets.UTF_8));

        assertThat(held).isTrue();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(
                        "published and settled, answers after 0 ms: credential / db-scheduler",
                        "published and settled, answers after 20 ms: credential / transaction-outbox",
                        "stored and settled, answers after 100 ms: credential / namastack-outbox")
                .doesNotContain("goal:");
    }
}
