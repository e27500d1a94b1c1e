package io.credential.webhook.inbox.internal;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.audit.internal.AuditTrail;
import io.credential.internal.concurrent.DaemonThreads;
import io.credential.storage.internal.SqlDialect;

/**
 * Processes stored webhooks, on threads that its owner starts and stops. A webhook that is stored on this node is processed at
 * once, one of another node or after a pause within a second. Thread-safe.
 */
public final class InboxWorker {

    private static final Logger LOG = LoggerFactory.getLogger(InboxWorker.class);

    /** How often each idle thread looks for webhooks that are due. */
    private static final Duration SCAN = Duration.ofSeconds(1);

    private final InboxQueue queue;
    private final InboxOptions options;
    private final InboxHandler handler;
    private final AuditTrail audit;
    private final int threads;
    private final Semaphore signals = new Semaphore(0);
    private final Map<String, Thread> inProgress = new ConcurrentHashMap<>();
    private final LongAdder processed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private @Nullable ExecutorService executor;
    private volatile boolean running;
    private final AtomicBoolean failing = new AtomicBoolean();

    InboxWorker(InboxQueue queue, SqlDialect dialect, InboxOptions options, InboxHandler handler, AuditTrail audit) {
        this.queue = queue;
        this.options = options;
        this.handler = handler;
        this.audit = audit;
        // A transaction on SQLite locks the file, so that more threads would only wait for each other.
        this.threads = dialect == SqlDialect.SQLITE ? 1 : options.threads();
    }

    /** Starts the threads; does nothing if they run. */
    public synchronized void start() {
        if (executor != null) {
            return;
        }
        running = true;
        ExecutorService starting = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(threads),
                DaemonThreads.named("credential-webhook-inbox"));
        for (int i = 0; i < threads; i++) {
            starting.execute(this::run);
        }
        executor = starting;
    }

    /** Waits for what is being processed, and interrupts it after the deadline. */
    public synchronized void stop(Duration deadline) {
        ExecutorService stopping = executor;
        if (stopping == null) {
            return;
        }
        executor = null;
        running = false;
        signals.release(threads);
        // What it interrupts is tried again later.
        var unused = DaemonThreads.close(stopping, deadline);
    }

    /** Has one more thread look for due webhooks. */
    void wake() {
        if (signals.availablePermits() < threads) {
            signals.release();
        }
    }

    private void run() {
        while (running) {
            try {
                if (!processDue()) {
                    var unused = signals.tryAcquire(SCAN.toMillis(), TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                LOG.debug("A thread of the inbox was interrupted", e); // it ends only when it is stopped
            }
        }
    }

    /** Returns whether there may be more. */
    private boolean processDue() {
        try {
            boolean found = processOne();
            failing.set(false);
            return found;
        } catch (RuntimeException | Error e) {
            if (failing.compareAndSet(false, true)) {
                LOG.error("Stored webhooks cannot be processed; this is tried again until it succeeds", e);
            }
            return false;
        }
    }

    /** Processes one webhook that is due, on this thread; returns false if there is none. */
    boolean processOne() {
        InboxQueue.Claim claimed = queue.claim().orElse(null);
        if (claimed == null) {
            return false;
        }
        wake(); // there may be more
        process(claimed);
        return true;
    }

    private void process(InboxQueue.Claim claimed) {
        if (claimed.attempt() > options.maxAttempts()) {
            // The nodes stopped in all attempts, or could not store their failure.
            bury(claimed, null);
            return;
        }
        Thread hanging = inProgress.putIfAbsent(claimed.id(), Thread.currentThread());
        if (hanging != null) {
            // Its transaction has been ended, or the webhook could not be claimed.
            hanging.interrupt();
            failed(claimed, new IllegalStateException("The attempt before still runs; it was interrupted"));
            return;
        }
        try {
            if (queue.finish(claimed, () -> handle(claimed))) {
                processed.increment();
            }
        } catch (RuntimeException | Error e) {
            failed(claimed, e instanceof HandlerException handlerFailure ? handlerFailure.failure : e);
        } finally {
            inProgress.remove(claimed.id());
            var unused = Thread.interrupted(); // was meant for the webhook
        }
    }

    private void handle(InboxQueue.Claim claimed) {
        try {
            handler.handle(claimed.message());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new HandlerException(e);
        }
    }

    private void failed(InboxQueue.Claim claimed, Throwable failure) {
        failed.increment();
        String sender = claimed.message().sender();
        if (claimed.attempt() >= options.maxAttempts()) {
            LOG.error(
                    "Webhook {} of '{}' is dead: all {} attempts to process it failed",
                    claimed.id(),
                    sender,
                    options.maxAttempts(),
                    failure);
            bury(claimed, failure.getClass().getName());
        } else {
            LOG.warn(
                    "Attempt {} to process webhook {} of '{}' failed",
                    claimed.attempt(),
                    claimed.id(),
                    sender,
                    failure);
            queue.retryLater(
                    claimed,
                    options.pauseMillis(claimed.attempt()),
                    failure.getClass().getName());
        }
    }

    private void bury(InboxQueue.Claim claimed, @Nullable String error) {
        if (queue.bury(claimed, error)) {
            audit.failure(
                    "webhook.inbox.dead",
                    "processing-failed",
                    claimed.id(),
                    Map.of("sender", claimed.message().sender(), "attempts", claimed.attempt()));
        }
    }

    /** Removes webhooks that finished before the retention. */
    public void removeExpired() {
        while (queue.removeExpired(options.retention())) {
            LOG.trace("Removed a batch of webhooks from the inbox");
        }
    }

    /** Counts webhooks that have not been processed. */
    public InboxBacklog backlog() {
        return queue.backlog();
    }

    /** Returns how many webhooks this node has processed. */
    public long processed() {
        return processed.sum();
    }

    /** Returns how many attempts to process a webhook have failed on this node. */
    public long failed() {
        return failed.sum();
    }

    /** Carries a checked exception out of the transaction, which it rolls back. */
    private static final class HandlerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Exception failure;

        HandlerException(Exception failure) {
            super(failure);
            this.failure = failure;
        }
    }
}
