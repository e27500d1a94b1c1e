package io.credential.spring.autoconfigure.cluster;

import org.springframework.context.SmartLifecycle;

import io.credential.spring.autoconfigure.CredentialPhases;

/** Hands the leadership over before the context waits for running requests and deliveries. Thread-safe. */
final class LeadershipHandover implements SmartLifecycle {

    private final ElectedLeadership leadership;

    LeadershipHandover(ElectedLeadership leadership) {
        this.leadership = leadership;
    }

    @Override
    public void start() {
        // The leadership has started in its own phase.
    }

    @Override
    public void stop() {
        leadership.handOver();
    }

    @Override
    public boolean isRunning() {
        return leadership.isRunning();
    }

    @Override
    public int getPhase() {
        return CredentialPhases.HANDOVER;
    }
}
