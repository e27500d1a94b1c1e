package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** An embedded PostgreSQL; the library stops it when the JVM ends. */
final class EmbeddedServer {

    static final Duration START_UP_WAIT = Duration.ofSeconds(60);

    private EmbeddedServer() {}

    /** Starts a server and returns its URL. */
    @SuppressWarnings("resource") // runs until the JVM ends
    static String start() {
        try {
            return EmbeddedPostgres.builder()
                    .setPGStartupWait(START_UP_WAIT)
                    .start()
                    .getJdbcUrl("postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
