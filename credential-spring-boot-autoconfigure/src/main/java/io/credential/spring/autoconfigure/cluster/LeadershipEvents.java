package io.credential.spring.autoconfigure.cluster;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

import io.credential.concurrent.DaemonThreads;

/**
 * Publishes changes of the leadership as events on its own thread, so that no listener delays the election or makes it
 * fail. If listeners are slower than the changes, those in between are left out. Thread-safe.
 */
final class LeadershipEvents implements Consumer<OptionalLong>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeadershipEvents.class);

    private static final String THREAD = "credential-leadership-events";
    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final String nodeId;
    private final ApplicationEventPublisher publisher;
    private final Duration closeDeadline;

    /** A task that waits will publish the latest state, so that no second one need wait. */
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(1),
            DaemonThreads.named(THREAD),
            new ThreadPoolExecutor.DiscardPolicy());

    private volatile OptionalLong current = OptionalLong.empty();
    private OptionalLong published = OptionalLong.empty();

    LeadershipEvents(String nodeId, ApplicationEventPublisher publisher) {
        this(nodeId, publisher, CLOSE_DEADLINE);
    }

    /** @param closeDeadline how long {@link #close()} waits for listeners */
    LeadershipEvents(String nodeId, ApplicationEventPublisher publisher, Duration closeDeadline) {
        this.nodeId = nodeId;
        this.publisher = publisher;
        this.closeDeadline = closeDeadline;
        thread.allowCoreThreadTimeOut(true);
    }

    /** @param epoch the epoch under which this node is the leader; empty if it is not */
    @Override
    public void accept(OptionalLong epoch) {
        OptionalLong before = current;
        current = epoch;
        if (!epoch.equals(before)) {
            thread.execute(this::publish);
        }
    }

    /** Waits for listeners, then interrupts them. */
    @Override
    public void close() {
        if (DaemonThreads.close(thread, closeDeadline) != null
                && !Thread.currentThread().isInterrupted()) {
            LOG.warn("A listener of leadership events did not return within {} and is interrupted", closeDeadline);
        }
    }

    private void publish() {
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
