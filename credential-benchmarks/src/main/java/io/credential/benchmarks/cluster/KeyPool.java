package io.credential.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The tokens of a run. A key is changed by one client at a time, which takes it and puts it back. Thread-safe. */
final class KeyPool {

    private static final int RECENT = 200;

    private final List<Key> changeable = new ArrayList<>();
    private final List<Key> all = new ArrayList<>();

    /** Adds a token that a node has just returned. */
    synchronized void add(Key key) {
        all.add(key);
        changeable.add(key);
    }

    /** Returns a key to the pool whose token is the same as before. */
    synchronized void putBack(Key key) {
        changeable.add(key);
    }

    /** Returns a key that nobody else changes; empty if there is none. */
    synchronized Optional<Key> take() {
        if (changeable.isEmpty()) {
            return Optional.empty();
        }
        int index = ThreadLocalRandom.current().nextInt(changeable.size());
        Key last = changeable.remove(changeable.size() - 1);
        return Optional.of(index == changeable.size() ? last : changeable.set(index, last));
    }

    /** Returns any token, valid or not: half of the time, one of the latest. */
    synchronized Optional<Key> any() {
        if (all.isEmpty()) {
            return Optional.empty();
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int first = random.nextBoolean() ? Math.max(0, all.size() - RECENT) : 0;
        return Optional.of(all.get(random.nextInt(first, all.size())));
    }

    /** Returns every token, valid or not. */
    synchronized List<Key> all() {
        return List.copyOf(all);
    }
}
