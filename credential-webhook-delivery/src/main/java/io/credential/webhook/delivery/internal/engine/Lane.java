package io.credential.webhook.delivery.internal.engine;

import java.util.ArrayDeque;
import java.util.List;

/** The attempts of one endpoint that run and wait. Not thread-safe. */
final class Lane {

    private static final int SHARE_OF_THE_FREE = 4;

    private final String endpointId;
    private final LaneLimits limits;
    private final LaneTotals totals;
    private final EndpointMemory memory;
    private final ArrayDeque<Lanes.Task> waiting = new ArrayDeque<>();
    private State state;
    private int cap;
    private int running;

    /** Whether a claim has found no capacity here. */
    boolean foundFull;

    Lane(String endpointId, LaneLimits limits, LaneTotals totals, EndpointMemory memory) {
        this.endpointId = endpointId;
        this.limits = limits;
        this.totals = totals;
        this.memory = memory;
        Integer remembered = memory.capOf(endpointId);
        if (remembered != null) {
            this.state = State.ANSWERING;
            this.cap = remembered;
        } else if (memory.isSilent(endpointId)) {
            this.state = State.SILENT;
            this.cap = 1;
        } else {
            this.state = State.UNPROVEN;
            this.cap = limits.maxRunningPerLane;
        }
    }

    /** What is known of the endpoint. */
    enum State {
        ANSWERING,
        UNPROVEN,
        SILENT
    }

    String endpointId() {
        return endpointId;
    }

    boolean isSilent() {
        return state == State.SILENT;
    }

    boolean isUnproven() {
        return state == State.UNPROVEN;
    }

    boolean runsNone() {
        return running == 0;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    Lanes.Task firstWaiting() {
        return waiting.element();
    }

    void begin(Lanes.Task attempt) {
        if (isSilent()) {
            totals.releasePlaceForSilent();
        }
        add(1);
        totals.addLoaded(attempt.bytesToLoad());
    }

    void end(Lanes.Task attempt) {
        add(-1);
        totals.addLoaded(-attempt.bytesToLoad());
    }

    void await(Lanes.Task attempt) {
        waiting.add(attempt);
        totals.addWaiting(state, 1);
    }

    Lanes.Task beginFirstWaiting() {
        Lanes.Task first = waiting.remove();
        begin(first);
        totals.addWaiting(state, -1);
        return first;
    }

    void abandonWaiting(List<Lanes.Task> left) {
        left.addAll(waiting);
        totals.addWaiting(state, -waiting.size());
        waiting.clear();
    }

    void learn(Lanes.Answer answer) {
        switch (answer) {
            case ANSWERED -> {
                cap = Math.min(2 * cap, limits.maxRunningPerLane);
                become(State.ANSWERING);
                memory.answered(endpointId, cap);
            }
            case TIMED_OUT -> {
                cap = 1;
                become(State.SILENT);
                memory.timedOut(endpointId);
            }
            case NONE -> {}
        }
    }

    private void become(State next) {
        int own = running;
        int queued = waiting.size();
        add(-own);
        totals.addWaiting(state, -queued);
        state = next;
        add(own);
        totals.addWaiting(state, queued);
    }

    private void add(int attempts) {
        running += attempts;
        totals.addRunning(state, attempts);
    }

    boolean mayRun() {
        return running < limit();
    }

    private int limit() {
        int free = totals.freeRunning();
        return switch (state) {
            case ANSWERING -> Math.min(cap, running + fairOf(free));
            case UNPROVEN -> Math.min(unprovenShare(), running + free);
            case SILENT -> totals.maySilentRun() ? 1 : 0;
        };
    }

    /** All free places while there are plenty. */
    private int fairOf(int free) {
        return free >= 2 * limits.maxRunningPerLane || !limits.isWide
                ? free
                : Math.max(running == 0 ? Math.min(1, free) : 0, free / SHARE_OF_THE_FREE - running);
    }

    /** All while no other lane is unproven; falls with the square of what the others leave, so that many fit. */
    private int unprovenShare() {
        int left = totals.leftForUnproven(running);
        if (left <= 0 || !limits.isWide) {
            return Math.min(cap, left);
        }
        double share = (double) left / limits.maxRunningUnproven;
        return Math.max(1, (int) (cap * share * share));
    }

    boolean takes() {
        return isSilent()
                ? running + waiting.size() == 0 && mayRun()
                : running + waiting.size() < limits.laneSize()
                        && ((waiting.isEmpty() && mayRun()) || totals.mayWait(state));
    }

    boolean isFull() {
        return isSilent() ? !takes() : LaneLimits.isMoreThanHalfOf(limits.maxWaitingPerLane, waiting.size());
    }

    /** Without a running attempt, a silent lane gets capacity only when an attempt of another lane ends. */
    boolean isKeptWaiting() {
        return isSilent() && running == 0 && !mayRun();
    }

    /** Returns how many more attempts can begin or wait. */
    int free() {
        int free = (isSilent() ? 1 : limits.laneSize()) - running - waiting.size();
        return isUnproven() ? Math.min(free, totals.freeWaitingUnproven() + Math.max(0, limit() - running)) : free;
    }
}
