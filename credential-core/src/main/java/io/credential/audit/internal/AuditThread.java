package io.credential.audit.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.internal.concurrent.DaemonThreads;

/**
 * Calls audit sinks on a separate thread, for callers that must not wait for a sink. At most 10,000 events wait;
 * further ones are rejected. The thread ends when it is idle. Thread-safe.
 */
public final class AuditThread implements Executor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditThread.class);

    private static final int MAX_WAITING = 10_000;
    private static final Duration CLOSE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final ThreadPoolExecutor executor;
    private final AtomicLong rejected = new AtomicLong();
    private final LostEvents lost = new LostEvents();

    /** @param name the name of the thread, which starts with the first event */
    public AuditThread(String name) {
        this(DaemonThreads.single(name, new ArrayBlockingQueue<>(MAX_WAITING)));
    }

    /** @param executor has one thread */
    public AuditThread(ThreadPoolExecutor executor) {
        this.executor = executor;
    }

    /**
     * Runs the task after all earlier ones.
     *
     * @throws RejectedExecutionException if too many wait, no thread can be created, or it is closed
     */
    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            rejected.incrementAndGet();
            throw e;
        }
    }

    /** Returns how many tasks wait. */
    public int waiting() {
        return executor.getQueue().size();
    }

    /** Returns how many tasks were rejected so far. */
    public long rejected() {
        return rejected.get();
    }

    /**
     * Has the sink record the event after all earlier ones, up to 10 ms later, under the MDC of the calling thread. What the
     * sink throws is counted and logged.
     *
     * @throws RejectedExecutionException if too many wait, no thread can be created, or it is closed
     */
    public void record(AuditSink sink, AuditEvent event) {
        @Nullable Map<String, String> context = MDC.getCopyOfContextMap();
        execute(() -> {
            try {
                if (context != null) {
                    MDC.setContextMap(context);
                }
                sink.record(event);
            } catch (Throwable e) {
                lost.add(event.name(), e);
            } finally {
                MDC.clear();
            }
            letEventsGather();
        });
    }

    /** Returns a sink that records events in the given one on this thread. Returns {@link AuditSink#none()} unchanged. */
    public AuditSink inFrontOf(AuditSink sink) {
        return sink == NoAuditSink.INSTANCE ? sink : event -> record(sink, event);
    }

    /** Waking this thread for each event would cost its callers more than recording the event themselves. */
    private void letEventsGather() {
        if (executor.getQueue().isEmpty() && !executor.isShutdown()) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** Waits up to five seconds for queued events to be recorded. */
    @Override
    public void close() {
        List<Runnable> dropped = DaemonThreads.close(executor, CLOSE);
        if (dropped != null) {
            LOG.warn("The audit sink did not take every event in time; at least {} were lost", dropped.size());
        }
    }
}
