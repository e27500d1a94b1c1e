package io.credential.internal.notification;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.credential.internal.concurrent.OwnedSchedule;

/**
 * Sends messages on its own thread, with at most 20 NOTIFYs per second: messages that are added meanwhile share the next
 * one. Messages that could not be sent are sent again. Thread-safe.
 */
final class NotificationSender {

    static final Duration PAUSE = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(NotificationSender.class);

    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final String node;
    private final NotificationChannel channel;
    private final LongSupplier nanoTime;
    private final OwnedSchedule thread;
    private final WaitingMessages waiting = new WaitingMessages();
    private boolean running;
    private boolean failing;

    /** @param stopDeadline how long {@link #stop} may take to send what is waiting */
    NotificationSender(String node, NotificationChannel channel, LongSupplier nanoTime, Duration stopDeadline) {
        this.node = node;
        this.channel = channel;
        this.nanoTime = nanoTime;
        this.thread = new OwnedSchedule("credential-notification-sender", stopDeadline, this::run);
    }

    void start() {
        synchronized (this) {
            running = true;
        }
        thread.start(Duration.ZERO, PAUSE_AFTER_FAILURE);
    }

    /** Sends what is waiting, unless that takes too long, and stops. */
    void stop() {
        synchronized (this) {
            running = false;
            notifyAll();
        }
        thread.stop();
    }

    synchronized void add(Message message) {
        waiting.add(message);
        notifyAll();
    }

    synchronized int waiting() {
        return waiting.size();
    }

    private void run() {
        try {
            for (List<Message> next = next(); !next.isEmpty(); next = next()) {
                pause(send(next) ? PAUSE : PAUSE_AFTER_FAILURE);
            }
        } catch (InterruptedException e) {
            LOG.debug("The sender of notifications was interrupted", e);
        }
    }

    /** Waits for messages; returns an empty list after {@link #stop}, when none is left or none can be sent. */
    private synchronized List<Message> next() throws InterruptedException {
        while (running && waiting.isEmpty()) {
            wait();
        }
        return running || !failing ? waiting.take() : List.of();
    }

    private synchronized void pause(Duration pause) throws InterruptedException {
        Pause.whileTrue(() -> running, this, pause, nanoTime);
    }

    private boolean send(List<Message> messages) {
        try {
            channel.send(new Payload(node, messages));
            sent(messages, true);
            return true;
        } catch (RuntimeException | Error e) {
            LOG.atLevel(failing ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log(
                            "Could not notify other nodes; retrying every {}. Until then, they find changes by polling",
                            PAUSE_AFTER_FAILURE);
            sent(messages, false);
            return false;
        }
    }

    private synchronized void sent(List<Message> messages, boolean successfully) {
        failing = !successfully;
        if (failing) {
            messages.forEach(waiting::add);
        }
    }
}
