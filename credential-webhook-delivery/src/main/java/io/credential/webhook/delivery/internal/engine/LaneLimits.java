package io.credential.webhook.delivery.internal.engine;

import io.credential.webhook.delivery.internal.DispatcherOptions;

/** How many attempts may run and wait, in total and in one lane. */
final class LaneLimits {

    final int maxRunning;
    final int maxRunningPerLane;
    final int maxRunningUnproven;
    final int maxRunningSilent;
    final int maxWaiting;
    final int maxWaitingUnproven;
    final int maxWaitingPerLane;
    final long maxLoadedBytes;

    /** Whether one lane is small compared with all; otherwise fairness would keep places free that no other lane needs. */
    final boolean isWide;

    LaneLimits(DispatcherOptions options) {
        this.maxRunning = options.maxInFlight();
        this.maxRunningPerLane = options.maxInFlightPerEndpoint();
        this.isWide = maxRunning >= 4 * maxRunningPerLane;
        this.maxRunningUnproven = isWide ? maxRunning - maxRunning / 4 : maxRunning;
        this.maxRunningSilent = Math.max(1, maxRunning / 4);
        this.maxWaiting = options.maxWaiting();
        this.maxWaitingUnproven = isWide ? maxWaiting / 2 : maxWaiting;
        this.maxWaitingPerLane =
                Math.max(options.batchSize(), maxRunningPerLane * DispatcherOptions.WAITING_PER_RUNNING);
        this.maxLoadedBytes = options.loadedPayloadBytes();
    }

    /** Returns how many attempts can run and wait. */
    int size() {
        return maxRunning + maxWaiting;
    }

    /** Returns how many attempts of one lane can run and wait. */
    int laneSize() {
        return maxRunningPerLane + maxWaitingPerLane;
    }

    static boolean isMoreThanHalfOf(int most, int number) {
        return 2 * number > most;
    }
}
