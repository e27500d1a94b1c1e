package io.credential.spring.autoconfigure.cluster;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

import io.credential.internal.concurrent.DaemonThreads;

/**
 * Publishes changes of the leadership as events on its own thread, so that no listener delays the election or makes it
 * fail. If listeners are slower than the changes, those in between are left out. Thread-safe.
 */
final class LeadershipEvents implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeadershipEvents.class);

    private static final String THREAD = "credential-leadership-events";
    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final String nodeId;
    private final ApplicationEventPublisher publisher;
    private final Duration closeDeadline;
    private final ThreadFactory threads;
    private @Nullable Publication publication;

    LeadershipEvents(String nodeId, ApplicationEventPublisher publisher) {
        this(nodeId, publisher, CLOSE_DEADLINE, DaemonThreads.named(THREAD));
    }

    /**
     * @param closeDeadline how long {@link #close()} waits for listeners
     * @param threads creates the thread that calls them
     */
    LeadershipEvents(
            String nodeId, ApplicationEventPublisher publisher, Duration closeDeadline, ThreadFactory threads) {
        this.nodeId = nodeId;
        this.publisher = publisher;
        this.closeDeadline = closeDeadline;
        this.threads = threads;
    }

    /** Returns a consumer of the epoch in which this node leads, or empty; after {@link #close()}, it does nothing. */
    synchronized Consumer<OptionalLong> open() {
        Publication opened = new Publication();
        publication = opened;
        return opened;
    }

    /** Publishes that this node no longer leads. Waits for listeners, then interrupts them. Does nothing if not open. */
    @Override
    public synchronized void close() {
        Publication closing = publication;
        publication = null;
        if (closing != null) {
            closing.accept(OptionalLong.empty());
            if (DaemonThreads.close(closing.thread, closeDeadline) != null
                    && !Thread.currentThread().isInterrupted()) {
                LOG.warn("A listener of leadership events did not return within {} and is interrupted", closeDeadline);
            }
        }
    }

    /** Has its own state, so that a renewal or a listener that returns late does not affect what is opened later. */
    private final class Publication implements Consumer<OptionalLong>, Runnable {

        /** A task that waits will publish the latest state, so that no second one need wait. */
        private final ThreadPoolExecutor thread = DaemonThreads.single(THREAD, new ArrayBlockingQueue<>(1));

        private volatile OptionalLong current = OptionalLong.empty();
        private OptionalLong published = OptionalLong.empty();

        Publication() {
            thread.setThreadFactory(threads);
            thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        }

        @Override
        public synchronized void accept(OptionalLong epoch) {
            OptionalLong before = current;
            if (epoch.equals(before)) {
                return;
            }
            current = epoch;
            try {
                thread.execute(this);
            } catch (RejectedExecutionException e) {
                current = before; // the next notification tries again
                LOG.error("No thread is available to publish a change of the leadership", e);
            }
        }

        @Override
        public void run() {
            OptionalLong now = current;
            if (now.equals(published)) {
                return;
            }
            published.ifPresent(epoch -> publish(new LeadershipRevokedEvent(nodeId, epoch)));
            now.ifPresent(epoch -> publish(new LeadershipGrantedEvent(nodeId, epoch)));
            published = now;
        }

        private void publish(Object event) {
            try {
                publisher.publishEvent(event);
            } catch (RuntimeException | Error e) {
                LOG.warn("A listener of {} failed", event, e);
            }
        }
    }
}
