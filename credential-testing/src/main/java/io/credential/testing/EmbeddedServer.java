package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** An embedded PostgreSQL; the library stops it when the JVM ends. */
final class EmbeddedServer {

    private EmbeddedServer() {}

    /** Starts a server and returns its URL. */
    @SuppressWarnings("resource") // runs until the JVM ends
    static String start() {
        try {
            return EmbeddedPostgres.builder()
                    .setPGStartupWait(Patience.LIMIT)
                    .start()
                    .getJdbcUrl("postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
