package io.credential.spring.autoconfigure.cluster;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeadershipRequiredException;
import io.credential.internal.cluster.LeaseLeadership;
import io.credential.spring.autoconfigure.internal.CredentialPhases;

/**
 * Takes part in the election while the context runs. A closed lease cannot be opened again, so each start of the
 * context is a new incarnation of the node. Thread-safe.
 */
final class ElectedLeadership implements Leadership, SmartLifecycle {

    private final Function<Consumer<OptionalLong>, LeaseLeadership> incarnations;
    private final LeadershipEvents events;
    private volatile @Nullable LeaseLeadership incarnation;

    ElectedLeadership(Function<Consumer<OptionalLong>, LeaseLeadership> incarnations, LeadershipEvents events) {
        this.incarnations = incarnations;
        this.events = events;
    }

    @Override
    public OptionalLong epoch() {
        LeaseLeadership current = incarnation;
        return current == null ? OptionalLong.empty() : current.epoch();
    }

    @Override
    public void requireLeader() {
        LeaseLeadership current = incarnation;
        if (current == null) {
            throw new LeadershipRequiredException(null, null);
        }
        current.requireLeader();
    }

    @Override
    public synchronized void start() {
        if (incarnation == null) {
            LeaseLeadership next = incarnations.apply(events.open());
            next.start();
            incarnation = next;
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
        events.close();
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
