package io.credential.webhook.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * Decides when an attempt may begin: so many at once in all, so many to one endpoint, and a bounded number waiting for
 * their turn. Attempts that load their payload have a budget of bytes; one that exceeds it runs while no other has loaded
 * any. An endpoint that does not answer fills its own lane and no other. Lanes with something to do take turns.
 * Thread-safe; runs nothing itself.
 */
final class Lanes {

    private final int maxRunning;
    private final int maxRunningPerLane;
    private final int maxWaiting;
    private final int maxWaitingPerLane;
    private final long maxLoadedBytes;
    private final Executor executor;
    private final Runnable onRoomAgain;

    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<Lane> ready = new LinkedHashSet<>();
    private int running;
    private int waiting;
    private long loadedBytes;
    private boolean foundFull;
    private boolean closed;

    /**
     * @param executor begins attempts
     * @param onRoomAgain told, under no lock, when there is room again where a claim found none
     */
    Lanes(DispatcherOptions options, Executor executor, Runnable onRoomAgain) {
        this.maxRunning = options.maxInFlight();
        this.maxRunningPerLane = options.maxInFlightPerEndpoint();
        this.maxWaiting = options.maxWaiting();
        this.maxWaitingPerLane =
                Math.max(options.batchSize(), maxRunningPerLane * DispatcherOptions.WAITING_PER_RUNNING);
        this.maxLoadedBytes = options.loadedPayloadBytes();
        this.executor = executor;
        this.onRoomAgain = onRoomAgain;
    }

    /**
     * Lets an attempt begin as soon as there is room; {@link #end} must follow when it has ended.
     *
     * @return false if no more attempts can wait; this one then never starts
     */
    boolean begin(String endpointId, Task attempt) {
        synchronized (this) {
            Lane lane = lanes.computeIfAbsent(endpointId, Lane::new);
            if (closed || !lane.takes()) {
                forgetIfIdle(lane);
                return false;
            }
            if (!lane.mayRun() || running >= maxRunning || !lane.waiting.isEmpty() || mustWaitForBytes(attempt)) {
                lane.waiting.add(attempt);
                waiting++;
                if (lane.mayRun()) {
                    ready.add(lane);
                }
                return true;
            }
            count(lane, attempt);
        }
        executor.execute(attempt::begin);
        return true;
    }

    /** An attempt has ended; the next ones may begin. */
    void end(String endpointId, Task attempt) {
        List<Task> next = new ArrayList<>();
        boolean roomAgain;
        synchronized (this) {
            Lane lane = lanes.get(endpointId);
            if (lane == null) {
                throw new IllegalStateException("Nothing runs for " + endpointId);
            }
            lane.running--;
            running--;
            loadedBytes -= attempt.bytesToLoad();
            if (!lane.waiting.isEmpty()) {
                ready.add(lane);
            }
            for (Task task = next(); task != null; task = next()) {
                next.add(task);
            }
            roomAgain = noteRoomAgain(lane);
            forgetIfIdle(lane);
        }
        next.forEach(task -> executor.execute(task::begin));
        if (roomAgain) {
            onRoomAgain.run();
        }
    }

    /**
     * How much can be claimed at the moment. Lanes that are more than half full have no room: claims are worth their
     * while in batches. When such a lane has room again, {@code onRoomAgain} tells.
     */
    synchronized Room room() {
        if (closed) {
            return Room.NONE;
        }
        Map<String, Integer> free = new HashMap<>();
        lanes.forEach((endpointId, lane) -> {
            lane.foundFull = isMoreThanHalfOf(maxWaitingPerLane, lane.waiting.size());
            free.put(endpointId, lane.foundFull ? 0 : lane.free());
        });
        foundFull = isMoreThanHalfOf(maxWaiting, waiting);
        return new Room(foundFull ? 0 : maxRunning + maxWaiting - running - waiting, laneSize(), free);
    }

    /** How many can be running and waiting. */
    int size() {
        return maxRunning + maxWaiting;
    }

    /** Lets attempts begin again. */
    synchronized void open() {
        closed = false;
    }

    /** Starts no further attempts and abandons the waiting ones. */
    void close() {
        List<Task> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            lanes.values().forEach(lane -> {
                left.addAll(lane.waiting);
                lane.waiting.clear();
            });
            ready.clear();
            waiting = 0;
        }
        left.forEach(Task::abandon);
    }

    private @Nullable Task next() {
        if (running >= maxRunning) {
            return null;
        }
        Lane lane = firstThatFits();
        if (lane == null) {
            return null;
        }
        ready.remove(lane);
        Task next = lane.waiting.remove();
        count(lane, next);
        waiting--;
        if (!lane.waiting.isEmpty() && lane.mayRun()) {
            ready.add(lane);
        }
        return next;
    }

    /** Only tasks that need no bytes overtake one that waits for bytes, so that it gets them in the end. */
    private @Nullable Lane firstThatFits() {
        boolean bytesAreAwaited = false;
        for (Lane lane : ready) {
            Task head = lane.waiting.element();
            if (head.bytesToLoad() == 0 || (!bytesAreAwaited && fits(head))) {
                return lane;
            }
            bytesAreAwaited = true;
        }
        return null;
    }

    /** Lanes are ready while there are places to run only when they wait for bytes. */
    private boolean mustWaitForBytes(Task attempt) {
        return attempt.bytesToLoad() > 0 && (!ready.isEmpty() || !fits(attempt));
    }

    private boolean fits(Task attempt) {
        return loadedBytes == 0 || loadedBytes + attempt.bytesToLoad() <= maxLoadedBytes;
    }

    private void count(Lane lane, Task attempt) {
        lane.running++;
        running++;
        loadedBytes += attempt.bytesToLoad();
    }

    /** Whether what a claim found full has room again; told once. */
    private boolean noteRoomAgain(Lane lane) {
        boolean roomAgain = false;
        if (lane.foundFull && !isMoreThanHalfOf(maxWaitingPerLane, lane.waiting.size())) {
            lane.foundFull = false;
            roomAgain = true;
        }
        if (foundFull && !isMoreThanHalfOf(maxWaiting, waiting)) {
            foundFull = false;
            roomAgain = true;
        }
        return roomAgain;
    }

    private static boolean isMoreThanHalfOf(int most, int number) {
        return 2 * number > most;
    }

    private void forgetIfIdle(Lane lane) {
        if (lane.running == 0 && lane.waiting.isEmpty()) {
            lanes.remove(lane.endpointId);
        }
    }

    private int laneSize() {
        return maxRunningPerLane + maxWaitingPerLane;
    }

    /** Something that takes a place in a lane. */
    interface Task {

        /** The size of the payload that it reads when it begins; 0 for none. */
        int bytesToLoad();

        /** Begins it; {@link Lanes#end} must follow. */
        void begin();

        /** It will not begin. */
        void abandon();
    }

    /**
     * Room for claims.
     *
     * @param total in all
     * @param perEndpoint for each endpoint that {@code free} does not name
     * @param free for these
     */
    record Room(int total, int perEndpoint, Map<String, Integer> free) {

        static final Room NONE = new Room(0, 0, Map.of());
    }

    private final class Lane {

        private final String endpointId;
        private final ArrayDeque<Task> waiting = new ArrayDeque<>();
        private int running;
        private boolean foundFull;

        Lane(String endpointId) {
            this.endpointId = endpointId;
        }

        boolean mayRun() {
            return running < maxRunningPerLane;
        }

        boolean takes() {
            return free() > 0 && (running + waiting.size() < maxRunningPerLane || Lanes.this.waiting < maxWaiting);
        }

        int free() {
            return laneSize() - running - waiting.size();
        }
    }
}
