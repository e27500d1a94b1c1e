package io.credential.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

/** Runs work on new threads; a failure on any of them fails the test. */
public final class InParallel {

    private InParallel() {}

    /** Repeats the work so many rounds on each thread; counts how often it said true. */
    public static int countSuccesses(int threads, int rounds, Work work) {
        return run(threads, () -> {
                    int successes = 0;
                    for (int round = 1; round <= rounds; round++) {
                        if (work.run(round)) {
                            successes++;
                        }
                    }
                    return successes;
                })
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Runs the work on each thread, all starting together. */
    public static <T extends @Nullable Object> List<T> run(int threads, Callable<T> work) {
        return run(Collections.nCopies(threads, work));
    }

    /** Runs each task on a thread, all starting together; returns the results in the order of the tasks. */
    public static <T extends @Nullable Object> List<T> run(List<? extends Callable<T>> tasks) {
        ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
        try {
            CyclicBarrier start = new CyclicBarrier(tasks.size());
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> task : tasks) {
                futures.add(executor.submit(() -> {
                    Patience.await(start);
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(Patience.join(future));
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** Runs the work on another thread, and waits for it. */
    public static <T extends @Nullable Object> T elsewhere(Callable<T> work) {
        return run(1, work).get(0);
    }

    /** Runs the action on another thread, and waits for it. */
    public static void elsewhere(Runnable action) {
        var unused = elsewhere(Executors.callable(action));
    }

    /** One round; true when it is to be counted. */
    @FunctionalInterface
    public interface Work {
        boolean run(int round) throws Exception;
    }
}
