package io.credential.webhook.delivery.internal.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherOptions;

/**
 * Decides when an attempt may begin. Limits how many attempts run at once, in total and to one endpoint, and how many wait.
 * Attempts that load their payload share a budget of bytes; one that exceeds it runs while no other has loaded any. Lanes
 * with waiting attempts take turns.
 *
 * <p>Endpoints that do not answer must not take the places of others. The more places are taken, the fewer one lane gets.
 * Endpoints that have not answered yet share three quarters of the places, and half of the waiting ones. Endpoints whose
 * last attempt timed out share one quarter: of each, one attempt at a time runs, and none waits. If a claim finds one of
 * them due, a place is kept for it until the next claim has ended. Each answer doubles how many attempts of an endpoint may run at
 * once, up to the limit. Thread-safe.
 */
final class Lanes {

    private final LaneLimits limits;
    private final LaneTotals totals;
    private final EndpointMemory memory = new EndpointMemory();
    private final Executor executor;
    private final Runnable onFreedCapacity;
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<Lane> ready = new LinkedHashSet<>();
    private boolean foundFull;
    private boolean foundUnprovenFull;
    private boolean foundSilentFull;
    private boolean closed;

    /**
     * @param executor begins attempts
     * @param onFreedCapacity called outside the lock when there is capacity again after a claim found none
     */
    Lanes(DispatcherOptions options, Executor executor, Runnable onFreedCapacity) {
        this.limits = new LaneLimits(options);
        this.totals = new LaneTotals(limits);
        this.executor = executor;
        this.onFreedCapacity = onFreedCapacity;
    }

    /** What an attempt shows about its endpoint. */
    enum Answer {
        /** It answered in time, with any status. */
        ANSWERED,
        TIMED_OUT,
        /** Unknown: the attempt did not begin, or failed at once. */
        NONE
    }

    /** An attempt that takes a place in a lane. */
    interface Task {

        /** Returns how many bytes are loaded when the attempt begins, always the same number; 0 if none are. */
        long bytesToLoad();

        void begin();

        /** Called in place of {@link #begin} if the attempt will not begin. */
        void abandon();
    }

    /**
     * Begins an attempt as soon as there is capacity. Call {@link #end} when it has ended.
     *
     * @return false if no more attempts can wait; the attempt is then never begun
     */
    boolean begin(String endpointId, Task attempt) {
        synchronized (this) {
            Lane lane = lanes.computeIfAbsent(endpointId, this::newLane);
            if (closed || !lane.takes()) {
                forgetIfIdle(lane);
                return false;
            }
            if (!lane.mayRun() || lane.hasWaiting() || mustWaitForBytes(attempt)) {
                lane.await(attempt);
                ready.add(lane);
                return true;
            }
            lane.begin(attempt);
        }
        executor.execute(attempt::begin);
        return true;
    }

    /** Ends an attempt, and begins those that now may. */
    void end(String endpointId, Task attempt, Answer answer) {
        List<Task> next = new ArrayList<>();
        List<Task> left = new ArrayList<>();
        boolean freed;
        synchronized (this) {
            Lane lane = lanes.get(endpointId);
            if (lane == null) {
                throw new IllegalStateException("Nothing runs for " + endpointId);
            }
            lane.end(attempt);
            lane.learn(answer);
            if (answer == Answer.TIMED_OUT) {
                lane.abandonWaiting(left);
                ready.remove(lane);
            }
            for (Task task = next(); task != null; task = next()) {
                next.add(task);
            }
            freed = noteFreedCapacity(lane);
            forgetIfIdle(lane);
        }
        left.forEach(Task::abandon);
        next.forEach(task -> executor.execute(task::begin));
        if (freed) {
            onFreedCapacity.run();
        }
    }

    /** Returns whether the last attempt of an endpoint timed out. */
    synchronized boolean isSilent(String endpointId) {
        Lane lane = lanes.get(endpointId);
        return lane == null ? memory.isSilent(endpointId) : lane.isSilent();
    }

    /**
     * Returns how many deliveries can be claimed; 0 if more than half of the waiting places are taken, because small claims
     * are inefficient. {@code onFreedCapacity} is called when there is capacity again.
     */
    synchronized int capacity() {
        foundFull = totals.isWaitingFull();
        return closed || foundFull ? 0 : totals.free();
    }

    /** The same for one endpoint. */
    synchronized int capacity(String endpointId) {
        Lane known = lanes.get(endpointId);
        Lane lane = known == null ? newLane(endpointId) : known;
        if (lane.isUnproven() && totals.isUnprovenFull()) {
            foundUnprovenFull = true;
            return !lane.hasWaiting() && lane.mayRun() ? 1 : 0;
        }
        lane.foundFull = lane.isFull();
        foundSilentFull |= lane.isKeptWaiting();
        return lane.foundFull ? 0 : lane.free();
    }

    /** Returns {@link #capacity(String)} for one claim, which takes no more silent endpoints than can begin. */
    synchronized ToIntFunction<String> capacitiesOfOneClaim() {
        totals.beginClaim();
        AtomicInteger silentLeft = new AtomicInteger(totals.capacityForSilent());
        return endpointId -> {
            synchronized (this) {
                int capacity = capacity(endpointId);
                if (!isSilent(endpointId)) {
                    return capacity;
                }
                Lane lane = lanes.get(endpointId);
                if (lane == null || lane.runsNone()) {
                    totals.keepPlaceForSilent();
                }
                if (capacity == 0 || silentLeft.getAndDecrement() > 0) {
                    return capacity;
                }
                foundSilentFull = true;
                return 0;
            }
        };
    }

    /** Returns whether another attempt can begin or wait. */
    synchronized boolean hasCapacity() {
        return !closed && totals.free() > 0;
    }

    /** Returns the endpoints for which no further attempt can begin or wait. */
    synchronized Set<String> full() {
        Set<String> full = new HashSet<>();
        lanes.forEach((endpointId, lane) -> {
            if (!lane.takes()) {
                lane.foundFull = true;
                foundSilentFull |= lane.isKeptWaiting();
                full.add(endpointId);
            }
        });
        if (!memory.silent().isEmpty() && !totals.maySilentRun()) {
            foundSilentFull = true;
            full.addAll(memory.silent());
        }
        return full;
    }

    /**
     * Returns whether one of these endpoints answers, but has all the attempts that it may have here. Another node could
     * attempt more; an endpoint that timed out is silent for other nodes, too.
     */
    synchronized boolean isAnyFull(Collection<String> endpointIds) {
        return endpointIds.stream().map(lanes::get).anyMatch(lane -> lane != null && !lane.isSilent() && !lane.takes());
    }

    /** Returns how many attempts run. */
    synchronized int running() {
        return totals.running();
    }

    /** Returns how many deliveries wait for their attempt. */
    synchronized int waiting() {
        return totals.waiting();
    }

    /** Returns how many attempts can run and wait. */
    int size() {
        return limits.size();
    }

    synchronized void open() {
        closed = false;
    }

    /** Abandons the waiting attempts, and begins no others until {@link #open}. */
    void close() {
        List<Task> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            ready.clear();
            lanes.values().forEach(lane -> lane.abandonWaiting(left));
        }
        left.forEach(Task::abandon);
    }

    private Lane newLane(String endpointId) {
        return new Lane(endpointId, limits, totals, memory);
    }

    private @Nullable Task next() {
        Lane lane = totals.mayRun() ? firstThatFits() : null;
        if (lane == null) {
            return null;
        }
        ready.remove(lane);
        Task next = lane.beginFirstWaiting();
        if (lane.hasWaiting()) {
            ready.add(lane);
        }
        return next;
    }

    /** Only tasks that load no bytes overtake one that waits for bytes, so that it eventually gets them. */
    private @Nullable Lane firstThatFits() {
        boolean bytesAreAwaited = false;
        for (Lane lane : ready) {
            if (!lane.mayRun()) {
                continue;
            }
            long bytes = lane.firstWaiting().bytesToLoad();
            if (bytes == 0 || (!bytesAreAwaited && totals.fits(bytes))) {
                return lane;
            }
            bytesAreAwaited = true;
        }
        return null;
    }

    /** A ready lane that may run waits only for bytes. */
    private boolean mustWaitForBytes(Task attempt) {
        long bytes = attempt.bytesToLoad();
        return bytes > 0 && (!totals.fits(bytes) || ready.stream().anyMatch(Lane::mayRun));
    }

    /** Returns whether something that a claim found full has capacity again; each time once. */
    private boolean noteFreedCapacity(Lane lane) {
        boolean freed = false;
        if (lane.foundFull && !lane.isFull()) {
            lane.foundFull = false;
            freed = true;
        }
        if (foundFull && !totals.isWaitingFull()) {
            foundFull = false;
            freed = true;
        }
        if (foundUnprovenFull && !totals.isUnprovenFull()) {
            foundUnprovenFull = false;
            freed = true;
        }
        if (foundSilentFull && totals.maySilentRun()) {
            foundSilentFull = false;
            freed = true;
        }
        return freed;
    }

    private void forgetIfIdle(Lane lane) {
        if (lane.runsNone() && !lane.hasWaiting()) {
            lanes.remove(lane.endpointId());
        }
    }
}
