package io.credential.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;

/** The calls of a run, and its clock. Thread-safe. */
final class CallLog {

    private final long origin = System.nanoTime();
    private final List<Call> calls = new ArrayList<>();

    /** Returns the nanoseconds since the start of the run. */
    long now() {
        return System.nanoTime() - origin;
    }

    synchronized void add(Call call) {
        calls.add(call);
    }

    synchronized int size() {
        return calls.size();
    }

    /** Returns the calls after the first ones. */
    synchronized List<Call> since(int first) {
        return List.copyOf(calls.subList(first, calls.size()));
    }
}
