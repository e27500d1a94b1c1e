package io.credential.architecture.planted.internal.concurrent;

/** Breaks: threads are created in one place. */
public final class InheritsThreadLocals {

    public Thread create(Runnable task) {
        return new Thread(task, "inherits");
    }
}
