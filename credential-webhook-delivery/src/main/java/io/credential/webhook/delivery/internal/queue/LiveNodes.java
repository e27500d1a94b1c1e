package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The nodes that have a lease, as far as this one knows. Those that claim pending deliveries divide what all of them may
 * send together: in the order of their leases, each has its own share, and the shares add up to the whole. If there are
 * none, all nodes divide it. A node that joins others has no share for two seconds, until the others have noticed it and have
 * reduced theirs. Thread-safe.
 */
public final class LiveNodes {

    /** The others scan every second. */
    static final Duration SETTLING = Duration.ofSeconds(2);

    /** If the database answers, a node sees the others, and has its share, long before. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private volatile Position position = Position.ALONE;
    private @Nullable String own;
    private long joinedAt;

    /** @param onChange called when the share of this node may have changed */
    public LiveNodes(LongSupplier nanoTime, Runnable onChange) {
        this.nanoTime = nanoTime;
        this.onChange = onChange;
    }

    /**
     * @param number the number of this node, from 0
     * @param of how many nodes have a share; 0 if this node has none
     */
    private record Position(int number, int of) {

        static final Position ALONE = new Position(0, 1);
        static final Position NO_SHARE = new Position(0, 0);
    }

    /** Notes that this node has acquired a lease, or claims pending deliveries from now on. */
    synchronized void joined(String lease, Map<String, NodeLeases.Node> all) {
        own = lease;
        joinedAt = nanoTime.getAsLong();
        position = all.keySet().stream().allMatch(lease::equals) ? Position.ALONE : Position.NO_SHARE;
    }

    /** Notes that this node has no lease any more. */
    synchronized void left() {
        own = null;
        notifyAll();
    }

    /** Notes which nodes have a lease, including this one. */
    void seen(String lease, Map<String, NodeLeases.Node> all) {
        boolean changed;
        synchronized (this) {
            if (!lease.equals(own)) {
                return;
            }
            Position before = position;
            boolean settles = all.size() > 1 && nanoTime.getAsLong() - joinedAt < SETTLING.toNanos();
            position = settles && before.of() == 0 ? before : position(lease, all);
            changed = !position.equals(before);
            notifyAll();
        }
        if (changed) {
            onChange.run();
        }
    }

    private static Position position(String lease, Map<String, NodeLeases.Node> all) {
        boolean anyWorks = all.values().stream().anyMatch(NodeLeases.Node::works);
        List<String> sharing = all.entrySet().stream()
                .filter(node -> node.getValue().works() || !anyWorks)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        int number = sharing.indexOf(lease);
        return number < 0 ? Position.NO_SHARE : new Position(number, sharing.size());
    }

    /**
     * Waits until this node has a share if it has joined others, at most ten seconds. A caller that gives its lease up between
     * its rounds joins them in each, and would never have a share if it did not wait.
     *
     * @return whether this node had no share before and has one now
     */
    public synchronized boolean awaitShare() {
        long deadline = nanoTime.getAsLong() + LONGEST_WAIT.toNanos();
        boolean waited = false;
        while (own != null && position.of() == 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - nanoTime.getAsLong());
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            waited = true;
        }
        return waited && own != null;
    }

    /** Returns the share of this node in a number of requests to an endpoint. What cannot be divided is spread by the id. */
    public int share(String endpointId, int whole) {
        Position now = position;
        if (now.of() == 0) {
            return 0;
        }
        int turn = Math.floorMod(now.number() + endpointId.hashCode(), now.of());
        return whole / now.of() + (turn < whole % now.of() ? 1 : 0);
    }
}
