package io.credential.copy;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Prints how many rows of a table were copied, at most once a second and at its end. */
final class CopyProgress {

    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream out;
    private final LongSupplier nanoTime;
    private long printedAt;

    CopyProgress(PrintStream out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.printedAt = nanoTime.getAsLong();
    }

    void copied(String table, long rows, long total) {
        long now = nanoTime.getAsLong();
        if (rows == total || now - printedAt >= INTERVAL) {
            printedAt = now;
            out.println(table + ": " + rows + " of " + total + " rows");
        }
    }
}
