package io.credential.seal.internal;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import io.credential.seal.ResealResult;

/**
 * Reseals the rows of a table under the active key. A first walk reads every row and writes nothing, so that an unreadable
 * row stops the call before anything is lost. A second walk rewrites row by row, and can be repeated.
 *
 * @param <R> a row as it was read
 */
public abstract class RowResealer<R> {

    private static final int BATCH = 200;
    private static final int REPORT_EVERY = 50 * BATCH;
    private static final int MAX_ATTEMPTS = 5;

    /**
     * Reseals all rows that are not current.
     *
     * @return how many rows were read and rewritten
     * @throws RuntimeException from {@link #requireReadable} if a row cannot be read, in which case nothing is written, or
     *     from {@link #conflict} if a row keeps changing
     */
    public final ResealResult resealAll() {
        requireAllReadable();
        return walk("Resealing", this::reseal);
    }

    /**
     * Reads all rows, and writes nothing.
     *
     * @return how many rows were read
     * @throws RuntimeException from {@link #requireReadable} if a row cannot be read
     */
    public final int requireAllReadable() {
        return walk("Checking", row -> {
                    requireReadable(row);
                    return false;
                })
                .examined();
    }

    /** @param visit returns whether the row was rewritten */
    private ResealResult walk(String pass, Predicate<R> visit) {
        int examined = 0;
        int resealed = 0;
        String after = "";
        List<R> batch;
        do {
            batch = rowsAfter(after, BATCH);
            resealed += (int) batch.stream().filter(visit).count();
            examined += batch.size();
            after = batch.isEmpty() ? after : id(batch.get(batch.size() - 1));
            if (!batch.isEmpty() && examined % REPORT_EVERY == 0) {
                report(pass, examined, resealed);
            }
        } while (batch.size() == BATCH);
        return new ResealResult(examined, resealed);
    }

    /** Returns whether the row was rewritten. Reads it again if it changed; one that is gone or current is left alone. */
    public final boolean reseal(R seen) {
        R row = seen;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (isCurrent(row)) {
                return false;
            }
            if (rewrite(row)) {
                return true;
            }
            Optional<R> again = find(id(row));
            if (again.isEmpty()) {
                return false;
            }
            row = again.get();
        }
        throw conflict(id(seen));
    }

    /** Returns rows in the order of their ids. */
    protected abstract List<R> rowsAfter(String id, int limit);

    protected abstract Optional<R> find(String id);

    protected abstract String id(R row);

    /** Throws if the row cannot be opened, or must not be. */
    protected abstract void requireReadable(R row);

    /** Whether every cell of the row is sealed under the active key. */
    protected abstract boolean isCurrent(R row);

    /** Returns false and writes nothing if the row has changed since it was read. */
    protected abstract boolean rewrite(R row);

    protected abstract RuntimeException conflict(String id);

    /**
     * Reports the progress after each 10,000 rows.
     *
     * @param pass begins a sentence about the rows: {@code Checking} or {@code Resealing}
     * @param resealed how many of the examined rows this pass has rewritten
     */
    protected abstract void report(String pass, int examined, int resealed);
}
