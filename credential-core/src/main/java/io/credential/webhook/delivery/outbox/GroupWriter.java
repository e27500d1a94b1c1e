package io.credential.webhook.delivery.outbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

/**
 * Writes together what several callers bring at the same time, so that they share a round trip and a commit: whoever comes
 * while another writes waits, and one of those who wait then writes for all. A caller alone waits for nobody. Thread-safe.
 *
 * @param <T> what is written
 * @param <R> its result
 */
final class GroupWriter<T, R> {

    private final Function<List<T>, List<R>> writer;
    private final int maxCount;
    private final ToLongFunction<T> size;
    private final long maxSize;

    private final Queue<Item<T, R>> waiting = new ArrayDeque<>();
    private boolean writing;

    /**
     * @param writer writes all or none within a bounded time, and returns the result of each
     * @param maxCount how many are written at once
     * @param size of one value; the values of a group have at most {@code maxSize} together, unless a single value is larger
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
            lead(item);
        }
        return item.result();
    }

    /** Whoever leads is the first of those who wait, and so writes its own. */
    private void lead(Item<T, R> own) {
        try {
            writeAll(nextGroup());
        } catch (Throwable e) { // whatever it is, nobody may wait for ever
            own.failed(e);
        } finally {
            passOn(own);
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
            writeTogether(group);
        } catch (DataIntegrityViolationException e) {
            if (group.size() == 1) {
                fail(group, e);
            } else {
                writeOneByOne(group);
            }
        } catch (DataAccessResourceFailureException | TransactionException e) {
            // Those who wait would wait as long for the same failure, one group after the other.
            fail(group, e);
            fail(takeWaiting(), e);
        } catch (Throwable e) {
            fail(group, e);
        }
    }

    private void writeTogether(List<Item<T, R>> group) {
        List<R> results = writer.apply(group.stream().map(item -> item.value).toList());
        for (int i = 0; i < group.size(); i++) {
            group.get(i).written(results.get(i));
        }
    }

    /** One that the database refuses must not keep the others from being written. */
    private void writeOneByOne(List<Item<T, R>> group) {
        for (int i = 0; i < group.size(); i++) {
            List<Item<T, R>> one = group.subList(i, i + 1);
            try {
                writeTogether(one);
            } catch (DataIntegrityViolationException e) {
                fail(one, e);
            } catch (Throwable e) {
                fail(group.subList(i, group.size()), e);
                return;
            }
        }
    }

    private static <T, R> void fail(List<Item<T, R>> items, Throwable failure) {
        items.forEach(item -> item.failed(failure));
    }

    private List<Item<T, R>> takeWaiting() {
        synchronized (waiting) {
            List<Item<T, R>> taken = List.copyOf(waiting);
            waiting.clear();
            return taken;
        }
    }

    private void passOn(Item<T, R> own) {
        Item<T, R> next;
        synchronized (waiting) {
            waiting.remove(own); // is still there only if it could not be written
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
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw e;
            }
        }
    }
}
