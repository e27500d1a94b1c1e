package io.credential.architecture.planted.tests;

import java.util.concurrent.CompletableFuture;

/** Breaks: tasks have threads of their own. */
public final class UsesTheCommonPool {

    public CompletableFuture<String> ask() {
        return CompletableFuture.supplyAsync(() -> "answer");
    }
}
