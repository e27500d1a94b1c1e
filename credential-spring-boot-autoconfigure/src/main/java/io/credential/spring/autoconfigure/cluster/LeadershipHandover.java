package io.credential.spring.autoconfigure.cluster;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.spring.autoconfigure.CredentialPhases;

/** Hands the leadership over before the context waits for running requests and deliveries. Thread-safe. */
final class LeadershipHandover implements SmartLifecycle {

    private final @Nullable ElectedLeadership leadership;

    /** @param leadership null if a test has replaced it by a mock */
    LeadershipHandover(@Nullable ElectedLeadership leadership) {
        this.leadership = leadership;
    }

    @Override
    public void start() {
        // The leadership has started in its own phase.
    }

    @Override
    public void stop() {
        if (leadership != null) {
            leadership.handOver();
        }
    }

    @Override
    public boolean isRunning() {
        return leadership != null && leadership.isRunning();
    }

    @Override
    public int getPhase() {
        return CredentialPhases.HANDOVER;
    }
}
