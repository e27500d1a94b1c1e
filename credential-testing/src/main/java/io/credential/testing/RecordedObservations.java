package io.credential.testing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

/** A registry that remembers the observations that have ended, and how many run. Thread-safe. */
public final class RecordedObservations implements ObservationHandler<Observation.Context> {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();

    public RecordedObservations() {
        registry.observationConfig().observationHandler(this);
    }

    public ObservationRegistry registry() {
        return registry;
    }

    /** The low-cardinality keys of each observation with a name that has ended. */
    public List<Map<String, String>> tags(String name) {
        return ended.stream()
                .filter(context -> name.equals(context.getName()))
                .map(context -> context.getLowCardinalityKeyValues().stream()
                        .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue)))
                .toList();
    }

    /** The values of all keys of all observations that have ended. */
    public List<String> values() {
        return ended.stream()
                .flatMap(context -> context.getAllKeyValues().stream())
                .map(KeyValue::getValue)
                .toList();
    }

    /** The errors of all observations that have ended. */
    public List<Throwable> errors() {
        return ended.stream()
                .flatMap(context -> Stream.ofNullable(context.getError()))
                .toList();
    }

    public int running() {
        return running.get();
    }

    @Override
    public void onStart(Observation.Context context) {
        running.incrementAndGet();
    }

    @Override
    public void onStop(Observation.Context context) {
        ended.add(context);
        running.decrementAndGet();
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
