package io.credential.webhook.delivery.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.DispatcherOptions;

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

    private static final int MAX_REMEMBERED = 10_000;

    private static final int SHARE_OF_THE_FREE = 4;

    private final int maxRunning;
    private final int maxRunningPerLane;
    private final int maxRunningUnproven;
    private final int maxRunningSilent;
    private final int maxWaiting;
    private final int maxWaitingUnproven;
    private final int maxWaitingPerLane;
    private final long maxLoadedBytes;

    /** Whether one lane is small compared with all; otherwise fairness would keep places free that no other lane needs. */
    private final boolean isWide;

    private final Executor executor;
    private final Runnable onFreedCapacity;

    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<Lane> ready = new LinkedHashSet<>();
    /** How many attempts may run at once, by endpoint; only for endpoints that have answered. */
    private final Map<String, Integer> answering = new LinkedHashMap<>();
    /** Endpoints whose last attempt timed out. */
    private final Set<String> silent = new LinkedHashSet<>();

    private int running;
    private int runningUnproven;
    private int runningSilent;
    private int waiting;
    private int waitingUnproven;
    private long loadedBytes;
    private boolean foundFull;
    private boolean foundUnprovenFull;
    private boolean foundSilentFull;
    private int claims;
    /** The number of the last claim for which a place is kept for a silent endpoint. */
    private int placeIsKeptUntil = -1;

    private boolean closed;

    /**
     * @param executor begins attempts
     * @param onFreedCapacity called outside the lock when there is capacity again after a claim found none
     */
    Lanes(DispatcherOptions options, Executor executor, Runnable onFreedCapacity) {
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
        this.executor = executor;
        this.onFreedCapacity = onFreedCapacity;
    }

    /**
     * Begins an attempt as soon as there is capacity. Call {@link #end} when it has ended.
     *
     * @return false if no more attempts can wait; the attempt is then never begun
     */
    boolean begin(String endpointId, Task attempt) {
        synchronized (this) {
            Lane lane = lanes.computeIfAbsent(endpointId, Lane::new);
            if (closed || !lane.takes()) {
                forgetIfIdle(lane);
                return false;
            }
            if (!lane.mayRun() || !lane.waiting.isEmpty() || mustWaitForBytes(attempt)) {
                lane.waiting.add(attempt);
                lane.addWaiting(1);
                ready.add(lane);
                return true;
            }
            count(lane, attempt);
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
            uncount(lane, attempt);
            lane.learn(answer, left);
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
        return lane == null ? silent.contains(endpointId) : lane.state == State.SILENT;
    }

    /**
     * Returns how many deliveries can be claimed; 0 if more than half of the waiting places are taken, because small claims
     * are inefficient. {@code onFreedCapacity} is called when there is capacity again.
     */
    synchronized int capacity() {
        foundFull = isMoreThanHalfOf(maxWaiting, waiting);
        return closed || foundFull ? 0 : maxRunning + maxWaiting - running - waiting;
    }

    /** The same for one endpoint. */
    synchronized int capacity(String endpointId) {
        Lane known = lanes.get(endpointId);
        Lane lane = known == null ? new Lane(endpointId) : known;
        if (lane.state == State.UNPROVEN && isUnprovenFull()) {
            foundUnprovenFull = true;
            return lane.waiting.isEmpty() && lane.mayRun() ? 1 : 0;
        }
        lane.foundFull = lane.isFull();
        noteIfKeptWaiting(lane);
        return lane.foundFull ? 0 : lane.free();
    }

    /** Returns {@link #capacity(String)} for one claim, which takes no more silent endpoints than can begin. */
    synchronized ToIntFunction<String> capacitiesOfOneClaim() {
        claims++;
        AtomicInteger silentLeft = new AtomicInteger(capacityForSilent());
        return endpointId -> {
            synchronized (this) {
                int capacity = capacity(endpointId);
                if (!isSilent(endpointId)) {
                    return capacity;
                }
                if (isIdle(endpointId)) {
                    keepPlaceForSilent();
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
        return !closed && running + waiting < maxRunning + maxWaiting;
    }

    /** Returns the endpoints for which no further attempt can begin or wait. */
    synchronized Set<String> full() {
        Set<String> full = new HashSet<>();
        lanes.forEach((endpointId, lane) -> {
            if (!lane.takes()) {
                lane.foundFull = true;
                noteIfKeptWaiting(lane);
                full.add(endpointId);
            }
        });
        if (!silent.isEmpty() && !maySilentRun()) {
            foundSilentFull = true;
            full.addAll(silent);
        }
        return full;
    }

    /**
     * Returns whether one of these endpoints answers, but has all the attempts that it may have here. Another node could
     * attempt more; an endpoint that timed out is silent for other nodes, too.
     */
    synchronized boolean isAnyFull(Collection<String> endpointIds) {
        return endpointIds.stream()
                .map(lanes::get)
                .anyMatch(lane -> lane != null && lane.state != State.SILENT && !lane.takes());
    }

    /** Returns how many attempts run. */
    synchronized int running() {
        return running;
    }

    /** Returns how many deliveries wait for their attempt. */
    synchronized int waiting() {
        return waiting;
    }

    /** Returns how many attempts can run and wait. */
    int size() {
        return maxRunning + maxWaiting;
    }

    synchronized void open() {
        closed = false;
    }

    /** Abandons the waiting attempts, and begins no others until {@link #open}. */
    void close() {
        List<Task> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            lanes.values().forEach(lane -> lane.abandonWaiting(left));
        }
        left.forEach(Task::abandon);
    }

    private @Nullable Task next() {
        Lane lane = running < maxRunning ? firstThatFits() : null;
        if (lane == null) {
            return null;
        }
        ready.remove(lane);
        Task next = lane.waiting.remove();
        count(lane, next);
        lane.addWaiting(-1);
        if (!lane.waiting.isEmpty()) {
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
            Task head = lane.waiting.element();
            if (head.bytesToLoad() == 0 || (!bytesAreAwaited && fits(head))) {
                return lane;
            }
            bytesAreAwaited = true;
        }
        return null;
    }

    /** A ready lane that may run waits only for bytes. */
    private boolean mustWaitForBytes(Task attempt) {
        return attempt.bytesToLoad() > 0 && (!fits(attempt) || ready.stream().anyMatch(Lane::mayRun));
    }

    private boolean fits(Task attempt) {
        return loadedBytes == 0 || loadedBytes + attempt.bytesToLoad() <= maxLoadedBytes;
    }

    private void count(Lane lane, Task attempt) {
        if (lane.state == State.SILENT) {
            releasePlaceForSilent();
        }
        lane.add(1);
        loadedBytes += attempt.bytesToLoad();
    }

    private void uncount(Lane lane, Task attempt) {
        lane.add(-1);
        loadedBytes -= attempt.bytesToLoad();
    }

    /** Returns whether something that a claim found full has capacity again; each time once. */
    private boolean noteFreedCapacity(Lane lane) {
        boolean freed = false;
        if (lane.foundFull && !lane.isFull()) {
            lane.foundFull = false;
            freed = true;
        }
        if (foundFull && !isMoreThanHalfOf(maxWaiting, waiting)) {
            foundFull = false;
            freed = true;
        }
        if (foundUnprovenFull && !isUnprovenFull()) {
            foundUnprovenFull = false;
            freed = true;
        }
        if (foundSilentFull && maySilentRun()) {
            foundSilentFull = false;
            freed = true;
        }
        return freed;
    }

    /** Without a running attempt, a silent lane gets capacity only when an attempt of another lane ends. */
    private void noteIfKeptWaiting(Lane lane) {
        foundSilentFull |= lane.state == State.SILENT && lane.running == 0 && !lane.mayRun();
    }

    private boolean maySilentRun() {
        return capacityForSilent() > 0;
    }

    private int capacityForSilent() {
        return Math.min(maxRunningSilent - runningSilent, maxRunning - running);
    }

    /** On a saturated node, others take each place that is freed before a claim could see it. */
    private void keepPlaceForSilent() {
        placeIsKeptUntil = claims + 1;
    }

    private boolean isIdle(String endpointId) {
        Lane lane = lanes.get(endpointId);
        return lane == null || lane.running == 0;
    }

    private void releasePlaceForSilent() {
        placeIsKeptUntil = claims - 1;
    }

    /** If nothing runs, no place is kept: no attempt would end, and so none that waits would begin. */
    private boolean isPlaceKept() {
        return claims <= placeIsKeptUntil && runningSilent < maxRunningSilent && running > 0;
    }

    private boolean isUnprovenFull() {
        return isMoreThanHalfOf(maxWaitingUnproven, waitingUnproven);
    }

    private static boolean isMoreThanHalfOf(int most, int number) {
        return 2 * number > most;
    }

    private void forgetIfIdle(Lane lane) {
        if (lane.running == 0 && lane.waiting.isEmpty()) {
            lanes.remove(lane.endpointId);
        }
    }

    private void rememberAnswering(Lane lane) {
        forget(lane.endpointId);
        answering.put(lane.endpointId, lane.cap);
        limit(answering.keySet());
    }

    private void rememberSilent(Lane lane) {
        forget(lane.endpointId);
        silent.add(lane.endpointId);
        limit(silent);
    }

    private void forget(String endpointId) {
        answering.remove(endpointId);
        silent.remove(endpointId);
    }

    /** Removes the oldest. */
    private static void limit(Set<String> endpointIds) {
        if (endpointIds.size() > MAX_REMEMBERED) {
            endpointIds.remove(endpointIds.iterator().next());
        }
    }

    private int laneSize() {
        return maxRunningPerLane + maxWaitingPerLane;
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

    private enum State {
        ANSWERING,
        UNPROVEN,
        SILENT
    }

    private final class Lane {

        private final String endpointId;
        private final ArrayDeque<Task> waiting = new ArrayDeque<>();
        private State state;
        private int cap;
        private int running;
        private boolean foundFull;

        Lane(String endpointId) {
            this.endpointId = endpointId;
            Integer remembered = answering.get(endpointId);
            if (remembered != null) {
                this.state = State.ANSWERING;
                this.cap = remembered;
            } else if (silent.contains(endpointId)) {
                this.state = State.SILENT;
                this.cap = 1;
            } else {
                this.state = State.UNPROVEN;
                this.cap = maxRunningPerLane;
            }
        }

        boolean mayRun() {
            return running < limit();
        }

        private int limit() {
            int free = maxRunning - Lanes.this.running - (isPlaceKept() ? 1 : 0);
            return switch (state) {
                case ANSWERING -> Math.min(cap, running + fairOf(free));
                case UNPROVEN -> Math.min(unprovenShare(), running + free);
                case SILENT -> maySilentRun() ? 1 : 0;
            };
        }

        /** All free places while there are plenty. */
        private int fairOf(int free) {
            return free >= 2 * maxRunningPerLane || !isWide
                    ? free
                    : Math.max(running == 0 ? Math.min(1, free) : 0, free / SHARE_OF_THE_FREE - running);
        }

        /** All while no other lane is unproven; falls with the square of what the others leave, so that many fit. */
        private int unprovenShare() {
            int left = maxRunningUnproven - (runningUnproven + runningSilent - running);
            if (left <= 0 || !isWide) {
                return Math.min(cap, left);
            }
            double share = (double) left / maxRunningUnproven;
            return Math.max(1, (int) (cap * share * share));
        }

        boolean takes() {
            return state == State.SILENT
                    ? running + waiting.size() == 0 && mayRun()
                    : running + waiting.size() < laneSize() && ((waiting.isEmpty() && mayRun()) || mayWait());
        }

        private boolean mayWait() {
            return Lanes.this.waiting < maxWaiting
                    && (state == State.ANSWERING || waitingUnproven < maxWaitingUnproven);
        }

        boolean isFull() {
            return state == State.SILENT ? !takes() : isMoreThanHalfOf(maxWaitingPerLane, waiting.size());
        }

        int free() {
            int free = (state == State.SILENT ? 1 : laneSize()) - running - waiting.size();
            return state == State.UNPROVEN
                    ? Math.min(free, maxWaitingUnproven - waitingUnproven + Math.max(0, limit() - running))
                    : free;
        }

        void learn(Answer answer, List<Task> left) {
            switch (answer) {
                case ANSWERED -> {
                    cap = Math.min(2 * cap, maxRunningPerLane);
                    turn(State.ANSWERING);
                    rememberAnswering(this);
                }
                case TIMED_OUT -> {
                    cap = 1;
                    turn(State.SILENT);
                    rememberSilent(this);
                    abandonWaiting(left);
                }
                case NONE -> {}
            }
        }

        private void turn(State next) {
            int own = running;
            int queued = waiting.size();
            add(-own);
            addWaiting(-queued);
            state = next;
            add(own);
            addWaiting(queued);
        }

        void addWaiting(int attempts) {
            Lanes.this.waiting += attempts;
            if (state == State.UNPROVEN) {
                waitingUnproven += attempts;
            }
        }

        void add(int attempts) {
            running += attempts;
            Lanes.this.running += attempts;
            switch (state) {
                case UNPROVEN -> runningUnproven += attempts;
                case SILENT -> runningSilent += attempts;
                case ANSWERING -> {}
            }
        }

        void abandonWaiting(List<Task> left) {
            left.addAll(waiting);
            addWaiting(-waiting.size());
            waiting.clear();
            ready.remove(this);
        }
    }
}
