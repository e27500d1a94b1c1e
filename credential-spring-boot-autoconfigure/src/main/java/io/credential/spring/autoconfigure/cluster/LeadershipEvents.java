package io.credential.spring.autoconfigure.cluster;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

import io.credential.concurrent.DaemonThreads;

/**
 * Publishes changes of the leadership as events on its own thread, so that no listener delays the election or makes it
 * fail. If listeners are slower than the changes, those in between are left out. Can be opened again. Thread-safe.
 */
final class LeadershipEvents implements Consumer<OptionalLong>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeadershipEvents.class);

    private static final String THREAD = "credential-leadership-events";
    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

    private final String nodeId;
    private final ApplicationEventPublisher publisher;
    private final Duration closeDeadline;
    private volatile OptionalLong current = OptionalLong.empty();
    private volatile @Nullable Publication publication;

    LeadershipEvents(String nodeId, ApplicationEventPublisher publisher) {
        this(nodeId, publisher, CLOSE_DEADLINE);
    }

    /** @param closeDeadline how long {@link #close()} waits for listeners */
    LeadershipEvents(String nodeId, ApplicationEventPublisher publisher, Duration closeDeadline) {
        this.nodeId = nodeId;
        this.publisher = publisher;
        this.closeDeadline = closeDeadline;
    }

    /** Begins to publish changes; this node is not the leader yet. */
    void open() {
        current = OptionalLong.empty();
        publication = new Publication();
    }

    /** @param epoch the epoch under which this node is the leader; empty if it is not */
    @Override
    public void accept(OptionalLong epoch) {
        OptionalLong before = current;
        current = epoch;
        Publication opened = publication;
        if (opened != null && !epoch.equals(before)) {
            opened.thread.execute(opened);
        }
    }

    /** Waits for listeners, then interrupts them. Does nothing if it is not open. */
    @Override
    public void close() {
        Publication closing = publication;
        publication = null;
        if (closing != null
                && DaemonThreads.close(closing.thread, closeDeadline) != null
                && !Thread.currentThread().isInterrupted()) {
            LOG.warn("A listener of leadership events did not return within {} and is interrupted", closeDeadline);
        }
    }

    /** Has its own state, so that a listener that ignores its interruption cannot affect what is published later. */
    private final class Publication implements Runnable {

        /** A task that waits will publish the latest state, so that no second one need wait. */
        private final ThreadPoolExecutor thread = DaemonThreads.single(THREAD, new ArrayBlockingQueue<>(1));

        private OptionalLong published = OptionalLong.empty();

        Publication() {
            thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
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
