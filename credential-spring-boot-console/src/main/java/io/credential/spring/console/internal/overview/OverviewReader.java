package io.credential.spring.console.internal.overview;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.spring.console.internal.web.OverviewPart;

/**
 * Reads the parts of the overview for all who look at it. The first time, all parts are read. From then on, each request reads
 * at most one of them again, the one that was read longest ago, if that was at least five seconds ago: an open overview costs
 * two statements in five seconds, however many are open. Thread-safe.
 */
final class OverviewReader {

    private static final Logger LOG = LoggerFactory.getLogger(OverviewReader.class);

    private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile State state;

    /** @param nanoTime as {@link System#nanoTime} */
    OverviewReader(List<OverviewPart<?>> parts, InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.state = new State(
                parts.stream()
                        .sorted(Comparator.comparingInt(OverviewPart::order))
                        .<PartReading<?>>map(PartReading::unread)
                        .collect(Collectors.toUnmodifiableList()),
                null);
    }

    /**
     * What is known.
     *
     * @param failingSince since when the database does not answer; null if it does
     */
    record State(List<PartReading<?>> parts, @Nullable Instant failingSince) {}

    /** Returns the parts. Does not wait for a reading that another request has begun, unless nothing was read yet. */
    State read() {
        boolean waits = isUnread(state);
        if (waits) {
            reading.lock();
        } else if (!reading.tryLock()) {
            return state;
        }
        try {
            if (!waits || isUnread(state)) { // otherwise another request has read it meanwhile
                state = next(state);
            }
        } finally {
            reading.unlock();
        }
        return state;
    }

    private static boolean isUnread(State state) {
        return state.failingSince() == null && state.parts().stream().anyMatch(PartReading::isUnread);
    }

    private State next(State before) {
        List<PartReading<?>> parts = new ArrayList<>(before.parts());
        try {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).isUnread()) {
                    parts.set(i, parts.get(i).reread(nanoTime.getAsLong()));
                }
            }
            readOldest(parts);
            return new State(List.copyOf(parts), null);
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("Could not read the overview of the console", e);
            Instant since = before.failingSince();
            return new State(List.copyOf(parts), since == null ? clock.instant() : since);
        }
    }

    private void readOldest(List<PartReading<?>> parts) {
        long now = nanoTime.getAsLong();
        parts.stream()
                .max(Comparator.comparingLong(part -> now - part.readAt()))
                .filter(oldest -> now - oldest.readAt() >= FRESH_NANOS)
                .ifPresent(oldest -> parts.set(parts.indexOf(oldest), oldest.reread(now)));
    }
}
