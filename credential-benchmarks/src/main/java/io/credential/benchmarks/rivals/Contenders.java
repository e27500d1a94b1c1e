package io.credential.benchmarks.rivals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Contenders that take turns. The first is the dispatcher. */
final class Contenders implements AutoCloseable {

    private final List<Contender> all = new ArrayList<>();

    private Contenders() {}

    /** @param setup makes what a contender gets, from the name of its database */
    static Contenders start(List<Function<Setup, Contender>> factories, Function<String, Setup> setup) {
        Contenders started = new Contenders();
        try {
            for (Function<Setup, Contender> factory : factories) {
                started.all.add(factory.apply(setup.apply("contender_" + started.all.size())));
            }
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    Contender ours() {
        return all.get(0);
    }

    List<Contender> others() {
        return List.copyOf(all.subList(1, all.size()));
    }

    @Override
    public void close() {
        all.forEach(Contender::close);
    }
}
