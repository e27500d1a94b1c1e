package io.credential.spring.autoconfigure.cluster;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.cluster.Leadership;
import io.credential.cluster.LeadershipRequiredException;
import io.credential.cluster.LeaseLeadership;
import io.credential.spring.autoconfigure.CredentialPhases;

/**
 * Takes part in the election while the context runs. A closed lease cannot be opened again, so each start of the
 * context is a new incarnation of the node. Thread-safe.
 */
final class ElectedLeadership implements Leadership, SmartLifecycle {

    private final Function<Consumer<OptionalLong>, LeaseLeadership> incarnations;
    private final Supplier<LeadershipEvents> eventsOfIncarnation;
    private volatile @Nullable LeaseLeadership incarnation;
    private @Nullable LeadershipEvents events;

    ElectedLeadership(
            Function<Consumer<OptionalLong>, LeaseLeadership> incarnations,
            Supplier<LeadershipEvents> eventsOfIncarnation) {
        this.incarnations = incarnations;
        this.eventsOfIncarnation = eventsOfIncarnation;
    }

    @Override
    public boolean isLeader() {
        LeaseLeadership current = incarnation;
        return current != null && current.isLeader();
    }

    @Override
    public void requireLeader() {
        LeaseLeadership current = incarnation;
        if (current == null) {
            throw new LeadershipRequiredException(null);
        }
        current.requireLeader();
    }

    @Override
    public synchronized void start() {
        if (incarnation == null) {
            LeadershipEvents opened = eventsOfIncarnation.get();
            LeaseLeadership next = incarnations.apply(opened);
            next.start();
            incarnation = next;
            events = opened;
        }
    }

    /** Releases the lease until the next start. What is still running is then refused with the URL of the new leader. */
    synchronized void handOver() {
        LeaseLeadership current = incarnation;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public synchronized void stop() {
        handOver();
        incarnation = null;
        LeadershipEvents closing = events;
        if (closing != null) {
            closing.close();
            events = null;
        }
    }

    @Override
    public boolean isRunning() {
        return incarnation != null;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.LEADERSHIP;
    }
}
