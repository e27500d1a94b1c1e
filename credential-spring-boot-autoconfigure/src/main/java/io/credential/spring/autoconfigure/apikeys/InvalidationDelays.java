package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Passes on how long invalidations of cached keys took, to meters that are bound later than the registries are created.
 * Thread-safe.
 */
final class InvalidationDelays {

    private final List<Consumer<Duration>> meters = new CopyOnWriteArrayList<>();

    void addMeter(Consumer<Duration> meter) {
        meters.add(meter);
    }

    void record(Duration delay) {
        meters.forEach(meter -> meter.accept(delay));
    }
}
