package io.credential.webhook.signature;

import java.time.Duration;

/** Waits between two attempts. */
@FunctionalInterface
interface Pause {

    void await(Duration length) throws InterruptedException;
}
