package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A PostgreSQL server for one test that stops and starts it under load: port and data stay the same. Always embedded,
 * whatever the other tests run on. Thread-safe.
 */
public final class RestartablePostgres implements AutoCloseable {

    private final Path dataDirectory;
    private final int port;
    private EmbeddedPostgres server;

    private RestartablePostgres(Path dataDirectory, int port) {
        this.dataDirectory = dataDirectory;
        this.port = port;
    }

    /** A new server, started. */
    public static RestartablePostgres started() {
        try {
            RestartablePostgres postgres =
                    new RestartablePostgres(Files.createTempDirectory("credential-postgres"), freePort());
            postgres.start();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the server accepts connections; does nothing when it runs. */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        try {
            server = EmbeddedPostgres.builder()
                    .setDataDirectory(dataDirectory)
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    .setPGStartupWait(Patience.LIMIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server and every connection to it; does nothing when it is stopped. */
    public synchronized void stop() {
        if (server == null) {
            return;
        }
        try {
            server.close();
            server = null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
    }

    @Override
    public synchronized void close() {
        stop();
        try {
            FileSystemUtils.deleteRecursively(dataDirectory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
