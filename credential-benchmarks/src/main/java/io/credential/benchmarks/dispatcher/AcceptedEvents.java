package io.credential.benchmarks.dispatcher;

import java.io.UncheckedIOException;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.SampleClient.Mode;

/** Sends events to a sample that may be down at times, and remembers which were accepted. Thread-safe. */
final class AcceptedEvents {

    private static final long PAUSE_MILLIS = 20;

    private final SampleClient client;
    private final AtomicInteger next = new AtomicInteger();
    private final BitSet numbers = new BitSet();

    AcceptedEvents(SampleClient client) {
        this.client = client;
    }

    /** Sends events until one is accepted. A call without a response may have been accepted; its number is not reused. */
    void addOne() {
        while (true) {
            int number = next.getAndIncrement();
            try {
                client.send(number, Mode.RESPOND_ASYNC);
                synchronized (numbers) {
                    numbers.set(number);
                }
                return;
            } catch (UncheckedIOException e) {
                pause();
            }
        }
    }

    BitSet numbers() {
        synchronized (numbers) {
            return (BitSet) numbers.clone();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
