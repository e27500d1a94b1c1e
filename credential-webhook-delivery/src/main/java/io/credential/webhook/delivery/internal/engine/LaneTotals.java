package io.credential.webhook.delivery.internal.engine;

/**
 * Counts what runs and waits in all lanes together, and keeps a place for a silent endpoint that a claim has found due: on a
 * saturated node, others take each place that is freed before a claim could see it. Not thread-safe.
 */
final class LaneTotals {

    private final LaneLimits limits;
    private int running;
    private int runningUnproven;
    private int runningSilent;
    private int waiting;
    private int waitingUnproven;
    private long loadedBytes;
    private int claims;
    /** The number of the last claim for which a place is kept for a silent endpoint. */
    private int placeIsKeptUntil = -1;

    LaneTotals(LaneLimits limits) {
        this.limits = limits;
    }

    int running() {
        return running;
    }

    int waiting() {
        return waiting;
    }

    void addRunning(Lane.State state, int attempts) {
        running += attempts;
        switch (state) {
            case UNPROVEN -> runningUnproven += attempts;
            case SILENT -> runningSilent += attempts;
            case ANSWERING -> {}
        }
    }

    void addWaiting(Lane.State state, int attempts) {
        waiting += attempts;
        if (state == Lane.State.UNPROVEN) {
            waitingUnproven += attempts;
        }
    }

    void addLoaded(long bytes) {
        loadedBytes += bytes;
    }

    boolean fits(long bytes) {
        return loadedBytes == 0 || loadedBytes + bytes <= limits.maxLoadedBytes;
    }

    boolean mayRun() {
        return running < limits.maxRunning;
    }

    boolean mayWait(Lane.State state) {
        return waiting < limits.maxWaiting
                && (state == Lane.State.ANSWERING || waitingUnproven < limits.maxWaitingUnproven);
    }

    /** Returns how many attempts can still begin or wait. */
    int free() {
        return limits.size() - running - waiting;
    }

    /** Returns how many attempts of lanes that are not silent can begin. */
    int freeRunning() {
        return limits.maxRunning - running - (isPlaceKept() ? 1 : 0);
    }

    /** Returns how many places of unproven lanes are left for one that has this many already. */
    int leftForUnproven(int own) {
        return limits.maxRunningUnproven - (runningUnproven + runningSilent - own);
    }

    int freeWaitingUnproven() {
        return limits.maxWaitingUnproven - waitingUnproven;
    }

    int capacityForSilent() {
        return Math.min(limits.maxRunningSilent - runningSilent, limits.maxRunning - running);
    }

    boolean maySilentRun() {
        return capacityForSilent() > 0;
    }

    /** Small claims are inefficient. */
    boolean isWaitingFull() {
        return LaneLimits.isMoreThanHalfOf(limits.maxWaiting, waiting);
    }

    boolean isUnprovenFull() {
        return LaneLimits.isMoreThanHalfOf(limits.maxWaitingUnproven, waitingUnproven);
    }

    void beginClaim() {
        claims++;
    }

    void keepPlaceForSilent() {
        placeIsKeptUntil = claims + 1;
    }

    void releasePlaceForSilent() {
        placeIsKeptUntil = claims - 1;
    }

    /** If nothing runs, no place is kept: no attempt would end, and so none that waits would begin. */
    private boolean isPlaceKept() {
        return claims <= placeIsKeptUntil && runningSilent < limits.maxRunningSilent && running > 0;
    }
}
