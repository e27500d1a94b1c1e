package io.credential.architecture.planted.webhook.delivery.internal.queue;

import io.credential.architecture.planted.webhook.delivery.internal.engine.Runs;

/** Breaks: the queue knows nothing of those who empty it. */
public final class RunsTheEngine {

    public Object engine() {
        return new Runs();
    }
}
