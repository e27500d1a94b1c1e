package io.credential.copy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CopyProgressTests {

    private final AtomicLong nanos = new AtomicLong();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CopyProgress progress =
            new CopyProgress(new PrintStream(out, true, StandardCharsets.UTF_8), nanos::get);

    @Test
    void copiedThenPrintsOncePerSecondAndAtTheEnd() {
        progress.copied("events", 1000, 4000);
        nanos.set(TimeUnit.SECONDS.toNanos(1));
        progress.copied("events", 2000, 4000);
        progress.copied("events", 3000, 4000);
        progress.copied("events", 4000, 4000);

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("events: 2000 of 4000 rows", "events: 4000 of 4000 rows");
    }
}
