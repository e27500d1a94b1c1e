package io.credential.architecture.planted.tests;

/** Breaks: threads are waited for. */
public class ListsThreads {

    public int count() {
        return Thread.getAllStackTraces().size();
    }
}
