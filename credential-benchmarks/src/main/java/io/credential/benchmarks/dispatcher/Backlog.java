package io.credential.benchmarks.dispatcher;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.LocalDispatcher;
import io.credential.storage.internal.CredentialDatabase;

/** Deliveries that are stored first and then delivered by a dispatcher that is started for them. */
final class Backlog {

    private static final int STORED_PER_TRANSACTION = 1000;

    private final BenchmarkDatabase benchmarked;
    private final CredentialDatabase database;
    private final LocalDispatcher dispatcher;

    Backlog(BenchmarkDatabase benchmarked, LocalDispatcher dispatcher) {
        this.benchmarked = benchmarked;
        this.database = benchmarked.open();
        this.dispatcher = dispatcher;
    }

    void store(int deliveries) {
        for (int first = 0; first < deliveries; first += STORED_PER_TRANSACTION) {
            int start = first;
            database.inTransaction(() -> {
                for (int i = start; i < Math.min(start + STORED_PER_TRANSACTION, deliveries); i++) {
                    dispatcher.enqueue(i);
                }
                return null;
            });
        }
    }

    double settledPerSecond(int deliveries) throws InterruptedException {
        long start = System.nanoTime();
        dispatcher.start();
        benchmarked.awaitSettled();
        double seconds = (System.nanoTime() - start) / 1e9;
        dispatcher.stop();
        return deliveries / seconds;
    }
}
