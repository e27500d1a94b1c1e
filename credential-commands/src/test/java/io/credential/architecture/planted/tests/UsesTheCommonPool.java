package io.credential.architecture.planted.tests;

import java.util.concurrent.CompletableFuture;

/** Breaks: each task runs on its own thread. */
public final class UsesTheCommonPool {

    public CompletableFuture<String> ask() {
        return CompletableFuture.supplyAsync(() -> "answer");
    }
}
