package io.credential.architecture.planted.tests;

/** Breaks: no time is measured. */
public final class MeasuresTime {

    public long now() {
        return System.nanoTime();
    }
}
