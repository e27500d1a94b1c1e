package io.credential.webhook.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.TransactionException;

/**
 * Writes together what several callers bring at the same time, so that they share a round trip and a commit: whoever comes
 * while another writes waits, and one of those who wait then writes for all. A caller alone waits for nobody. Thread-safe.
 *
 * @param <T> what is written
 * @param <R> what comes of it
 */
final class GroupWriter<T, R> {

    private final Function<List<T>, List<R>> writer;
    private final int maxCount;
    private final ToLongFunction<T> size;
    private final long maxSize;

    private final Queue<Item<T, R>> waiting = new ArrayDeque<>();
    private boolean writing;

    /**
     * @param writer writes all or none within a bounded time, and returns what came of each
     * @param maxCount how many are written at once
     * @param size of one; together they have {@code maxSize} at most, but for one that is larger by itself
     */
    GroupWriter(Function<List<T>, List<R>> writer, int maxCount, ToLongFunction<T> size, long maxSize) {
        this.writer = writer;
        this.maxCount = maxCount;
        this.size = size;
        this.maxSize = maxSize;
    }

    /**
     * Writes one.
     *
     * @throws RuntimeException what the writer has thrown
     */
    R write(T value) {
        Item<T, R> item = new Item<>(value);
        boolean leads;
        synchronized (waiting) {
            waiting.add(item);
            leads = !writing;
            writing = true;
        }
        if (leads || item.awaitTurn()) {
            lead();
        }
        return item.result();
    }

    /** Whoever leads is the first of those who wait, and so writes its own. */
    private void lead() {
        List<Item<T, R>> group = nextGroup();
        try {
            writeAll(group);
        } finally {
            passOn();
        }
    }

    private List<Item<T, R>> nextGroup() {
        List<Item<T, R>> group = new ArrayList<>();
        long total = 0;
        synchronized (waiting) {
            while (!waiting.isEmpty() && group.size() < maxCount) {
                total += size.applyAsLong(waiting.element().value);
                if (total > maxSize && !group.isEmpty()) {
                    break;
                }
                group.add(waiting.remove());
            }
        }
        return group;
    }

    private void writeAll(List<Item<T, R>> group) {
        try {
            List<R> results =
                    writer.apply(group.stream().map(item -> item.value).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).written(results.get(i));
            }
        } catch (DataAccessResourceFailureException | QueryTimeoutException | TransactionException e) {
            // Those who wait would wait as long for the same failure, one group after the other.
            group.forEach(item -> item.failed(e));
            takeWaiting().forEach(item -> item.failed(e));
        } catch (RuntimeException e) {
            // One that the database refuses must not keep the others from being written.
            if (group.size() == 1) {
                group.get(0).failed(e);
            } else {
                group.forEach(item -> writeAll(List.of(item)));
            }
        } catch (Error e) {
            group.forEach(item -> item.failed(e));
        }
    }

    private List<Item<T, R>> takeWaiting() {
        synchronized (waiting) {
            List<Item<T, R>> taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        }
    }

    private void passOn() {
        Item<T, R> next;
        synchronized (waiting) {
            next = waiting.peek();
            writing = next != null;
        }
        if (next != null) {
            next.turn.complete(true);
        }
    }

    private static final class Item<T, R> {

        private final T value;
        private final CompletableFuture<Boolean> turn = new CompletableFuture<>();
        private final CompletableFuture<R> result = new CompletableFuture<>();

        Item(T value) {
            this.value = value;
        }

        /** Waits until it has been written, or is the one to write. */
        boolean awaitTurn() {
            return turn.join();
        }

        void written(R written) {
            result.complete(written);
            turn.complete(false);
        }

        void failed(Throwable failure) {
            result.completeExceptionally(failure);
            turn.complete(false);
        }

        R result() {
            try {
                return result.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw e;
            }
        }
    }
}
