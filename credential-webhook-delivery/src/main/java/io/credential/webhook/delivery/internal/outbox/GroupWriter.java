package io.credential.webhook.delivery.internal.outbox;

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
 * Writes the values of concurrent callers together, so that they share a round trip and a commit: callers that come while
 * another writes wait, and one of them then writes for all. A single caller does not wait. Thread-safe.
 *
 * @param <T> a value
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
     * @param writer writes all or none within a limited time, and returns the results in the same order
     * @param maxCount how many values are written at once
     * @param size returns the size of a value
     * @param maxSize the largest total size of the values that are written at once; a larger value is written alone
     */
    GroupWriter(Function<List<T>, List<R>> writer, int maxCount, ToLongFunction<T> size, long maxSize) {
        this.writer = writer;
        this.maxCount = maxCount;
        this.size = size;
        this.maxSize = maxSize;
    }

    /**
     * Writes a value.
     *
     * @throws RuntimeException if the writer throws it
     */
    R write(T value) {
        Item<T, R> item = new Item<>(value);
        boolean leads;
        synchronized (waiting) {
            waiting.add(item);
            leads = !writing;
            writing = true;
        }
        if (leads || item.turn.join()) {
            lead(item);
        }
        return item.result();
    }

    /**
     * The leader is the first of the waiting callers, so its own value is in the group. If its thread was interrupted, the
     * writer would fail for the others as well.
     */
    private void lead(Item<T, R> own) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            writeAll(nextGroup());
        } catch (Throwable e) { // no caller may wait forever
            own.failed(e);
        } finally {
            passOn(own);
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
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
            fail(group, e);
            if (!Thread.currentThread().isInterrupted()) {
                // The waiting callers would only wait for the same failure, one group after the other.
                fail(takeWaiting(), e);
            }
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

    /** A value that the database rejects must not keep the others from being written. */
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
            waiting.remove(own); // present only if it could not be written
            next = waiting.peek();
            writing = next != null;
        }
        if (next != null) {
            next.turn.complete(true);
        }
    }

    private static final class Item<T, R> {

        private final T value;
        /** True for the next leader; false once the value has been written or has failed. */
        private final CompletableFuture<Boolean> turn = new CompletableFuture<>();

        private final CompletableFuture<R> result = new CompletableFuture<>();

        Item(T value) {
            this.value = value;
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
