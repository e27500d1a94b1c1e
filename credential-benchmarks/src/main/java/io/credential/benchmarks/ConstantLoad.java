package io.credential.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes calls at a constant rate until it is closed. A call that is late is made at once, and its payload says when it
 * was due, so that a slow call makes the latency of the next ones longer.
 */
public final class ConstantLoad implements AutoCloseable {

    private static final int THREADS = 8;

    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger made = new AtomicInteger();
    private final long start = NumberedPayload.now();
    private final long nanosPerCall;
    private final Call call;

    public ConstantLoad(int callsPerSecond, Call call) {
        this.nanosPerCall = TimeUnit.SECONDS.toNanos(1) / callsPerSecond;
        this.call = call;
        for (int i = 0; i < THREADS; i++) {
            running.add(pool.submit(this::callUntilClosed));
        }
    }

    private Void callUntilClosed() throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            int number = next.getAndIncrement();
            long dueAt = start + number * nanosPerCall;
            TimeUnit.NANOSECONDS.sleep(dueAt - NumberedPayload.now());
            call.make(new NumberedPayload(number, dueAt));
            made.incrementAndGet();
        }
        return null;
    }

    /** Returns how many calls have returned. Fails when one of them has failed. */
    public int made() throws ExecutionException, InterruptedException {
        for (Future<?> thread : running) {
            if (thread.isDone()) {
                thread.get();
            }
        }
        return made.get();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    public interface Call {

        void make(NumberedPayload payload);
    }
}
