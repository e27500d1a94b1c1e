package io.credential.architecture.planted.tests;

import java.util.concurrent.CompletableFuture;

/** Breaks: a wait has a limit. */
public final class WaitsWithoutALimit {

    public String answer(CompletableFuture<String> answer) {
        return answer.join();
    }
}
