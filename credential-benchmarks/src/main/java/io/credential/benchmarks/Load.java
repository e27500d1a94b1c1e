package io.credential.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Makes calls on some threads, until all are made or the time is up.
 *
 * @param call gets the number of the call, from 0
 */
public record Load(int threads, int calls, Duration limit, IntConsumer call) {

    /** The limit for work that always ends unless something is broken. */
    public static final Duration LIMIT = Duration.ofMinutes(10);

    public Load(int threads, int calls, IntConsumer call) {
        this(threads, calls, LIMIT, call);
    }

    public Result run() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            AtomicInteger next = new AtomicInteger();
            long start = System.nanoTime();
            long end = start + limit.toNanos();
            List<Future<Integer>> counts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                counts.add(pool.submit(() -> callUntil(end, next)));
            }
            int total = 0;
            for (Future<Integer> count : counts) {
                total += count.get();
            }
            return new Result(threads, total, (System.nanoTime() - start) / 1e9);
        } finally {
            pool.shutdownNow();
        }
    }

    private int callUntil(long end, AtomicInteger next) {
        int made = 0;
        while (System.nanoTime() < end) {
            int number = next.getAndIncrement();
            if (number >= calls) {
                break;
            }
            call.accept(number);
            made++;
        }
        return made;
    }

    public record Result(int threads, int calls, double seconds) {

        public double perSecond() {
            return calls / seconds;
        }

        /** The time of one call on one thread. */
        public double millisPerCall() {
            return 1000 * seconds * threads / calls;
        }
    }
}
