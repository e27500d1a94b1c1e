package io.credential.architecture.planted.tests;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Breaks: a wait has a limit. A method reference is a call, too. */
public final class WaitsWithoutALimit {

    public List<String> answers(List<CompletableFuture<String>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }
}
