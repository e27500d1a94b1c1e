package io.credential.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when told. Thread-safe. */
public final class MutableClock implements InstantSource {

    private final AtomicReference<Instant> now;

    public MutableClock(Instant start) {
        this.now = new AtomicReference<>(start);
    }

    /** A clock at 2026-01-01T00:00:00Z. */
    public static MutableClock atNewYear() {
        return new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Moves the clock; a negative duration moves it back. */
    public Instant advance(Duration by) {
        return now.updateAndGet(instant -> instant.plus(by));
    }

    public void set(Instant instant) {
        now.set(instant);
    }
}
