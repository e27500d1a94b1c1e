package io.credential.storage.internal;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

import ch.qos.logback.classic.Level;

import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

class RepeatedWorkTests {

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(RepeatedWork.class);

    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    private final RepeatedWork work = new RepeatedWork("Could not work", () -> {
        RuntimeException next = failure.get();
        if (next != null) {
            throw next;
        }
    });

    @Test
    void runWhenTheDatabaseFailsThenWarnsOnceUntilItWorks() {
        failure.set(new DataAccessResourceFailureException("away"));
        work.run();
        work.run();
        failure.set(null);
        work.run();
        failure.set(new DataAccessResourceFailureException("away"));
        work.run();

        assertThat(logged.lines(Level.WARN))
                .hasSize(2)
                .allMatch(line -> line.contains("Could not work (the database does not answer)"));
    }

    @Test
    void runWhenAnythingElseFailsThenLogsAnError() {
        failure.set(new IllegalStateException("a bug"));
        work.run();

        assertThat(logged.lines(Level.ERROR)).singleElement().asString().contains("Could not work");
    }

    @Test
    void runWhenABugFollowsAnOutageThenIsLoggedAsWell() {
        failure.set(new DataAccessResourceFailureException("away"));
        work.run();
        failure.set(new IllegalStateException("a bug"));
        work.run();
        work.run();

        assertThat(logged.lines(Level.ERROR)).hasSize(1);
    }
}
