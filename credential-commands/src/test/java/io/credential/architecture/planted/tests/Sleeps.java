package io.credential.architecture.planted.tests;

/** Breaks: nothing sleeps. */
public final class Sleeps {

    public void rest() throws InterruptedException {
        Thread.sleep(1);
    }
}
