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

    /** How many events a transaction publishes whose duration is not measured. */
    static final int STORED_TOGETHER = 50;

    private static final long POLL_MILLIS = 5;

    private final Runnable transaction;
    private final Contenders contenders;
    private final CountedTransport transport;

    /** @param transaction inserts a row of the application */
    Race(Runnable transaction, Contenders contenders, CountedTransport transport) {
        this.transaction = transaction;
        this.contenders = contenders;
        this.transport = transport;
    }

    /** Measures from the first transaction until all events are settled, and the transactions without an event. */
    void publishAndSettle(int events, Turns turns) throws InterruptedException, ExecutionException {
        turns.add(
                TRANSACTIONS,
                new Load(CALLERS, events, number -> transaction.run()).run().perSecond());
        take(events, turns, contender -> {
            contender.resume();
            long start = System.nanoTime();
            new Load(CALLERS, events, number -> contender.publish(1)).run();
            return start;
        });
    }

    /**
     * Measures how fast stored events are settled.
     *
     * @param events a multiple of {@value #STORED_TOGETHER}
     */
    void settleStored(int events, Turns turns) throws InterruptedException, ExecutionException {
        take(events, turns, contender -> {
            new Load(CALLERS, events / STORED_TOGETHER, number -> contender.publish(STORED_TOGETHER)).run();
            long start = System.nanoTime();
            contender.resume();
            return start;
        });
    }

    private void take(int events, Turns turns, Turn turn) throws InterruptedException, ExecutionException {
        turns.add(contenders.ours().name(), rate(events, contenders.ours(), turn));
        double best = 0;
        for (Contender other : contenders.others()) {
            double rate = rate(events, other, turn);
            turns.add(other.name(), rate);
            best = Math.max(best, rate);
        }
        turns.add(BEST, best);
    }

    private double rate(int events, Contender contender, Turn turn) throws InterruptedException, ExecutionException {
        long before = transport.accepted();
        long start = turn.begin(contender);
        await(contender, () -> transport.accepted() - before >= events);
        await(contender, contender::settled);
        double seconds = (System.nanoTime() - start) / 1e9;
        contender.pause();
        return events / seconds;
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
