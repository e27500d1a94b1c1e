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
 * their turn. An endpoint that does not answer fills its own lane and no other. Lanes with something to do take turns.
 * Thread-safe; runs nothing itself.
 */
final class Lanes {

    /** A lane may have several times as many waiting as running, so that a fast one does not wait for the next claim. */
    private static final int WAITING_PER_RUNNING = 4;

    private final int maxRunning;
    private final int maxRunningPerLane;
    private final int maxWaiting;
    private final int maxWaitingPerLane;
    private final Executor executor;
    private final Runnable onRoomAgain;

    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<Lane> ready = new LinkedHashSet<>();
    private int running;
    private int waiting;
    private boolean foundFull;
    private boolean closed;

    /**
     * @param batch how many may wait in a lane at least
     * @param executor begins attempts
     * @param onRoomAgain told, under no lock, when there is room again where a claim found none
     */
    Lanes(int maxRunning, int maxRunningPerLane, int batch, Executor executor, Runnable onRoomAgain) {
        this.maxRunning = maxRunning;
        this.maxRunningPerLane = maxRunningPerLane;
        this.maxWaiting = Math.max(batch, maxRunning * WAITING_PER_RUNNING);
        this.maxWaitingPerLane = Math.max(batch, maxRunningPerLane * WAITING_PER_RUNNING);
        this.executor = executor;
        this.onRoomAgain = onRoomAgain;
    }

    /**
     * Lets an attempt begin as soon as there is room; {@link #end} must follow when it has ended.
     *
     * @return false when there is no room to wait either; then nothing will begin
     */
    boolean begin(String endpointId, Task attempt) {
        synchronized (this) {
            Lane lane = lanes.computeIfAbsent(endpointId, Lane::new);
            if (closed || !lane.takes()) {
                forgetIfIdle(lane);
                return false;
            }
            if (!lane.mayRun() || running >= maxRunning) {
                lane.waiting.add(attempt);
                waiting++;
                if (lane.mayRun()) {
                    ready.add(lane);
                }
                return true;
            }
            lane.running++;
            running++;
        }
        executor.execute(attempt::begin);
        return true;
    }

    /** An attempt has ended; the next one may begin. */
    void end(String endpointId) {
        Task next;
        boolean roomAgain;
        synchronized (this) {
            Lane lane = lanes.get(endpointId);
            if (lane == null) {
                throw new IllegalStateException("Nothing runs for " + endpointId);
            }
            lane.running--;
            running--;
            if (!lane.waiting.isEmpty()) {
                ready.add(lane);
            }
            next = next();
            roomAgain = noteRoomAgain(lane);
            forgetIfIdle(lane);
        }
        if (next != null) {
            executor.execute(next::begin);
        }
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

    /** Lets nothing begin any more, and what waits be abandoned. */
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
        if (running >= maxRunning || ready.isEmpty()) {
            return null;
        }
        Lane lane = ready.iterator().next();
        ready.remove(lane);
        Task next = lane.waiting.remove();
        lane.running++;
        running++;
        waiting--;
        if (!lane.waiting.isEmpty() && lane.mayRun()) {
            ready.add(lane);
        }
        return next;
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
