package io.credential.spring.autoconfigure.dispatcher.internal;

/** Lets tests look at the backlog without waiting for the next time that it is read. */
public final class DispatcherWatches {

    private DispatcherWatches() {}

    /** Reads the backlog now, unless it was read just now. */
    public static void refresh(DispatcherWatch watch) {
        watch.refresh();
    }
}
