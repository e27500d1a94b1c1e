package io.credential.architecture.planted.tests;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Breaks: waits are patient. */
public final class WaitsForALimitedTime {

    public boolean hurry(CountDownLatch latch) throws InterruptedException {
        return latch.await(1, TimeUnit.SECONDS);
    }
}
