package io.credential.internal.notification;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.credential.internal.concurrent.OwnedSchedule;

/**
 * Listens on one connection and its own thread, and reconnects after a failure. The connection must prove that it
 * listens: a message that this node sends to itself over another connection has to arrive. A proxy that pools
 * transactions accepts a LISTEN, but passes nothing on. Thread-safe.
 */
final class NotificationReceiver {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationReceiver.class);

    private static final String PING = "ping";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /**
     * Of a node that has never received a notification. It is long because, behind a proxy that pools transactions, each
     * attempt leaves a LISTEN on a connection that others use.
     */
    private static final Duration PAUSE_WITHOUT_PROOF = Duration.ofHours(1);

    /** A single proof is missing also if the server is slow. */
    static final int ATTEMPTS_TO_PROVE = 3;

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

    private final String node;
    private final NotificationChannel channel;
    private final DataSource connections;
    private final Subscriptions subscriptions;
    private final NotificationTiming timing;
    private final Duration trustedFor;
    private final LongSupplier nanoTime;
    private final RandomGenerator random;
    private final OwnedSchedule thread =
            new OwnedSchedule("credential-notification-listener", STOP_DEADLINE, this::run);

    private boolean running;
    private @Nullable ListeningSession session;
    private volatile boolean listening;
    private volatile long provenAt;
    private long pings;
    private boolean outageReported;
    private boolean provenBefore;
    private int missingProofs;
    private Duration pause;

    /** @param connections gives the connection to listen on */
    NotificationReceiver(
            String node,
            NotificationChannel channel,
            DataSource connections,
            Subscriptions subscriptions,
            NotificationTiming timing,
            LongSupplier nanoTime,
            RandomGenerator random) {
        this.node = node;
        this.channel = channel;
        this.connections = connections;
        this.subscriptions = subscriptions;
        this.timing = timing;
        this.trustedFor = timing.heartbeat().plus(ANSWER_WITHIN);
        this.pause = timing.firstPause();
        this.nanoTime = nanoTime;
        this.random = random;
    }

    void start() {
        synchronized (this) {
            running = true;
        }
        thread.start(Duration.ZERO, timing.firstPause());
    }

    void stop() {
        ListeningSession open;
        synchronized (this) {
            running = false;
            open = session;
            notifyAll();
        }
        if (open != null) {
            open.abort();
        }
        thread.stop();
    }

    boolean isListening() {
        return listening && nanoTime.getAsLong() - provenAt < trustedFor.toNanos();
    }

    private void run() {
        try {
            while (isRunning()) {
                pause(jittered(listenOnce()));
            }
        } catch (InterruptedException e) {
            LOG.debug("The listener for notifications was interrupted", e);
        }
    }

    private synchronized boolean isRunning() {
        return running;
    }

    /** Listens until the connection breaks, and returns how long to wait before the next one. */
    private Duration listenOnce() {
        try (ListeningSession open = ListeningSession.open(connections, channel.name(), ANSWER_WITHIN)) {
            return enter(open) ? listenOn(open) : Duration.ZERO;
        } catch (SQLException | RuntimeException | LinkageError e) {
            if (isRunning()) {
                reportOutage(e);
            }
            return nextPause();
        } finally {
            leave();
        }
    }

    private Duration listenOn(ListeningSession open) throws SQLException {
        try {
            if (!prove(open)) {
                if (provenBefore) {
                    throw new SQLException("The connection does not receive notifications");
                }
                return pauseWithoutProof();
            }
            while (isRunning()) {
                listen(open);
            }
            return Duration.ZERO;
        } finally {
            listening = false; // At once: to close the connection and to log why it broke takes longer.
        }
    }

    /** Returns false if {@link #stop} was called meanwhile. */
    private synchronized boolean enter(ListeningSession open) {
        session = open;
        return running;
    }

    private synchronized void leave() {
        session = null;
    }

    /** Returns whether a message over another connection arrives at this one. */
    private boolean prove(ListeningSession open) throws SQLException {
        Payload ping = nextPing();
        long sentAt = nanoTime.getAsLong();
        channel.send(ping);
        return awaitPing(open, ping, sentAt);
    }

    /** Passes messages on until a heartbeat is due, then checks that this connection still receives them. */
    private void listen(ListeningSession open) throws SQLException {
        long heartbeat = timing.heartbeat().toNanos();
        long end = nanoTime.getAsLong() + heartbeat;
        for (long left = heartbeat; left > 0 && isRunning(); left = end - nanoTime.getAsLong()) {
            open.await(Duration.ofNanos(left)).forEach(this::received);
        }
        if (isRunning()) {
            Payload ping = nextPing();
            long sentAt = nanoTime.getAsLong();
            // Over this connection, because all those of the pool may be in use for longer than a heartbeat.
            open.send(ping);
            if (!awaitPing(open, ping, sentAt)) {
                throw new SQLException("The connection no longer receives notifications");
            }
        }
    }

    /** @param sentAt before the ping was sent: its arrival proves nothing about what was sent to this node later */
    private boolean awaitPing(ListeningSession open, Payload ping, long sentAt) throws SQLException {
        long end = nanoTime.getAsLong() + ANSWER_WITHIN.toNanos();
        for (long left = ANSWER_WITHIN.toNanos(); left > 0; left = end - nanoTime.getAsLong()) {
            List<Payload> arrived = open.await(Duration.ofNanos(left));
            boolean proven = arrived.contains(ping);
            if (proven && !listening) {
                // Before the messages: those that arrived earlier than the proof are only now known to be lost.
                subscriptions.missed();
            }
            if (proven || listening) {
                arrived.forEach(this::received);
            }
            if (proven) {
                proven(sentAt);
                return true;
            }
        }
        return false;
    }

    private void proven(long sentAt) {
        provenAt = sentAt;
        if (listening) {
            return;
        }
        listening = true;
        provenBefore = true;
        pause = timing.firstPause();
        if (outageReported) {
            outageReported = false;
            LOG.info("Notifications of other nodes arrive again");
        }
    }

    private void received(Payload payload) {
        if (!payload.sender().equals(node)) {
            payload.messages().forEach(subscriptions::received);
        }
    }

    private Payload nextPing() {
        return new Payload(node, List.of(new Message(PING, Long.toString(++pings))));
    }

    /** Warns after the last attempt of the first series. */
    private Duration pauseWithoutProof() {
        missingProofs = Math.min(missingProofs, ATTEMPTS_TO_PROVE) + 1;
        if (missingProofs < ATTEMPTS_TO_PROVE) {
            return nextPause();
        }
        LOG.atLevel(missingProofs > ATTEMPTS_TO_PROVE ? Level.DEBUG : Level.WARN)
                .log(
                        "This node does not receive notifications: {} in a row that it sent to itself did not arrive, each within {}."
                                + " The connection probably leads through a proxy that pools transactions, such as PgBouncer, or"
                                + " to another database than the DataSource. Everything else works; the node notices changes of other nodes when it polls."
                                + " To receive notifications, set 'credential.cluster.listen-url' to a JDBC URL that leads to"
                                + " the same database without the proxy",
                        ATTEMPTS_TO_PROVE,
                        ANSWER_WITHIN);
        return PAUSE_WITHOUT_PROOF;
    }

    private void reportOutage(Throwable cause) {
        LOG.atLevel(outageReported ? Level.DEBUG : Level.WARN)
                .setCause(cause)
                .log("This node cannot listen for notifications of other nodes; it polls, and keeps trying to connect");
        outageReported = true;
    }

    private Duration nextPause() {
        Duration next = pause;
        pause = next.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? next.multipliedBy(2) : LONGEST_PAUSE;
        return next;
    }

    /** Half of it to all of it, so that the nodes do not all connect at once after an outage. */
    private Duration jittered(Duration longest) {
        return longest.isZero()
                ? longest
                : Duration.ofMillis(random.nextLong(longest.toMillis() / 2, longest.toMillis() + 1));
    }

    private synchronized void pause(Duration duration) throws InterruptedException {
        Pause.whileTrue(() -> running, this, duration, nanoTime);
    }
}
