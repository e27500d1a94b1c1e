package io.credential.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs one thing over and over on some threads for a while. */
final class Load {

    private final int threads;
    private final Duration duration;
    private final Runnable work;

    Load(int threads, Duration duration, Runnable work) {
        this.threads = threads;
        this.duration = duration;
        this.work = work;
    }

    /** How often it ran a second, over all threads. */
    double perSecond() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long start = System.nanoTime();
            long end = start + duration.toNanos();
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                counts.add(pool.submit(() -> countUntil(end)));
            }
            long total = 0;
            for (Future<Long> count : counts) {
                total += count.get();
            }
            return total / ((System.nanoTime() - start) / 1e9);
        } finally {
            pool.shutdown();
        }
    }

    private long countUntil(long end) {
        long count = 0;
        while (System.nanoTime() < end) {
            work.run();
            count++;
        }
        return count;
    }
}
