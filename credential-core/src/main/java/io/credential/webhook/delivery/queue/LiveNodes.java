package io.credential.webhook.delivery.queue;

import java.time.Duration;
import java.util.Collection;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The nodes that have a lease, as far as this one knows. They divide what all of them may send together: in the order of
 * their leases, each has its own share, and the shares add up to the whole. A node that joins others has no share for two
 * seconds, until the others have noticed it and have reduced theirs. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LiveNodes {

    /** The others look every second. */
    static final Duration SETTLING = Duration.ofSeconds(2);

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
     * @param of how many nodes there are; 0 if this node has no share yet
     */
    private record Position(int number, int of) {

        static final Position ALONE = new Position(0, 1);
        static final Position SETTLING = new Position(0, 0);
    }

    /**
     * Notes that this node has acquired a lease.
     *
     * @param others how many other nodes have one
     */
    synchronized void joined(String lease, int others) {
        own = lease;
        joinedAt = nanoTime.getAsLong();
        position = others == 0 ? Position.ALONE : Position.SETTLING;
    }

    /** Notes which nodes have a lease besides this one. */
    void seen(String lease, Collection<String> others) {
        boolean changed;
        synchronized (this) {
            if (!lease.equals(own)) {
                return;
            }
            Position before = position;
            boolean settles = before.of() == 0 && nanoTime.getAsLong() - joinedAt < SETTLING.toNanos();
            int number = (int)
                    others.stream().filter(other -> other.compareTo(lease) < 0).count();
            position = settles && !others.isEmpty() ? before : new Position(number, others.size() + 1);
            changed = !position.equals(before);
        }
        if (changed) {
            onChange.run();
        }
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
