package io.credential.benchmarks.rivals;

import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

import io.credential.benchmarks.Load;
import io.credential.benchmarks.Turns;

/** Lets the contenders take turns. The others are paused meanwhile. */
final class Race {

    static final int CALLERS = 16;

    /** The name of the highest rate of the others in a round. */
    static final String BEST = "best of the others";

    /** The name of the rate of transactions that insert a row and publish nothing: no contender can be faster. */
    static final String TRANSACTIONS = "transactions without events";

    private static final long POLL_MILLIS = 5;

    private final Runnable transaction;
    private final Contenders contenders;
    private final CountedTransport transport;
    private final int deliveries;

    /** @param transaction inserts a row of the application */
    Race(Runnable transaction, Contenders contenders, CountedTransport transport, int deliveries) {
        this.transaction = transaction;
        this.contenders = contenders;
        this.transport = transport;
        this.deliveries = deliveries;
    }

    /** Measures from the first transaction until all events are settled, and the transactions without an event. */
    void publishAndSettle(Turns turns) throws InterruptedException, ExecutionException {
        turns.add(
                TRANSACTIONS,
                new Load(CALLERS, deliveries, number -> transaction.run()).run().perSecond());
        take(turns, contender -> {
            long start = System.nanoTime();
            contender.resume();
            publish(contender);
            return start;
        });
    }

    /** Measures how fast events are settled that are stored. */
    void settleStored(Turns turns) throws InterruptedException, ExecutionException {
        take(turns, contender -> {
            publish(contender);
            long start = System.nanoTime();
            contender.resume();
            return start;
        });
    }

    private void take(Turns turns, Turn turn) throws InterruptedException, ExecutionException {
        turns.add(contenders.ours().name(), rate(contenders.ours(), turn));
        double best = 0;
        for (Contender other : contenders.others()) {
            double rate = rate(other, turn);
            turns.add(other.name(), rate);
            best = Math.max(best, rate);
        }
        turns.add(BEST, best);
    }

    private double rate(Contender contender, Turn turn) throws InterruptedException, ExecutionException {
        long before = transport.accepted();
        long start = turn.begin(contender);
        await(contender, () -> transport.accepted() - before >= deliveries);
        await(contender, contender::settled);
        double seconds = (System.nanoTime() - start) / 1e9;
        contender.pause();
        return deliveries / seconds;
    }

    private void publish(Contender contender) throws InterruptedException, ExecutionException {
        new Load(CALLERS, deliveries, number -> contender.publish()).run();
    }

    private static void await(Contender contender, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        "Events of " + contender.name() + " are still open after " + Load.LIMIT);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private interface Turn {

        /** Publishes and resumes; returns the {@link System#nanoTime} from which the turn is measured. */
        long begin(Contender contender) throws InterruptedException, ExecutionException;
    }
}
