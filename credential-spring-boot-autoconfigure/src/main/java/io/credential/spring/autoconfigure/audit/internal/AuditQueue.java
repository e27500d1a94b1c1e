package io.credential.spring.autoconfigure.audit.internal;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Lazy;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditThread;
import io.credential.spring.autoconfigure.internal.CredentialPhases;

/**
 * Records the audit events of requests on a separate thread while the context runs, so that requests do not wait for
 * the audit sink. If the queue is full, or the thread has stopped, the calling thread records the event. The calling
 * thread also records every event of a change, because a crash right after a change must not lose its record.
 * Thread-safe.
 */
@Lazy(false)
public final class AuditQueue implements SmartLifecycle {

    static final String THREAD_NAME = "credential-audit";

    private final AtomicLong failed = new AtomicLong();
    private volatile @Nullable AuditThread thread;

    /** Returns a sink that passes events to the given one through this queue; {@link AuditSink#none()} as it is. */
    public AuditSink inFrontOf(AuditSink sink) {
        if (sink.equals(AuditSink.none())) {
            return sink; // callers tell it apart, and create no events for it
        }
        if (sink instanceof AppendingAuditSink both) {
            return new AppendingAuditSink(both.log(), inFrontOf(both.others())); // the log has its own queue
        }
        AuditSink counted = counted(sink);
        return event -> {
            if (sink instanceof LoggingAuditSink log && !log.isLogged(event)) {
                return;
            }
            if (!enqueue(counted, event)) {
                counted.record(event);
            }
        };
    }

    private AuditSink counted(AuditSink sink) {
        return event -> {
            try {
                sink.record(event);
            } catch (Throwable e) {
                failed.incrementAndGet();
                throw e;
            }
        };
    }

    /** Returns how many events wait. */
    public int waiting() {
        AuditThread running = thread;
        return running == null ? 0 : running.waiting();
    }

    /** Returns how many events were lost because a sink threw an exception. */
    public long failed() {
        return failed.get();
    }

    private boolean enqueue(AuditSink sink, AuditEvent event) {
        AuditThread running = thread;
        if (running == null || !isRequestEvent(event)) {
            return false;
        }
        try {
            running.record(sink, event);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private static boolean isRequestEvent(AuditEvent event) {
        return switch (event.name()) {
            case "apikey.verify", "apikey.redeem", "apikey.authorize", "webhook.verify" -> true;
            default -> false;
        };
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            thread = new AuditThread(THREAD_NAME);
        }
    }

    /** Waits up to five seconds until the queued events are recorded. */
    @Override
    public synchronized void stop() {
        AuditThread stopped = thread;
        thread = null;
        if (stopped != null) {
            stopped.close();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.AUDIT;
    }
}
