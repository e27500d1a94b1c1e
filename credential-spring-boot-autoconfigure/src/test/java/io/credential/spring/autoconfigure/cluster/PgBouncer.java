package io.credential.spring.autoconfigure.cluster;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.credential.testing.Patience;
import io.credential.testing.Programs;

import static org.assertj.core.api.Assertions.assertThat;

/** PgBouncer, which is installed on the machine, in transaction mode in front of a server on this machine. */
final class PgBouncer implements AutoCloseable {

    private static final String PROGRAM = "pgbouncer";

    /** So few that sessions of different clients must share them. */
    static final int SERVER_CONNECTIONS = 4;

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static boolean isInstalled() {
        return Programs.works(PROGRAM, "--version");
    }

    /** Starts it in front of the server on this port; returns when it answers. */
    static PgBouncer inFrontOf(int serverPort, Path directory) throws IOException {
        int port = freePort();
        // It gives up the rights of root, and must read its files without them.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path users = Files.writeString(directory.resolve("users.txt"), "\"postgres\" \"\"\n");
        Path settings = Files.writeString(
                directory.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                """.formatted(serverPort, port, users, SERVER_CONNECTIONS));
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--quiet"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("--user", "nobody"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("pgbouncer.log").toFile())
                .start();
        PgBouncer bouncer = new PgBouncer(process, port);
        Patience.until(() -> !process.isAlive() || bouncer.answers());
        assertThat(process.isAlive())
                .as(Files.readString(directory.resolve("pgbouncer.log")))
                .isTrue();
        return bouncer;
    }

    /** Before version 1.21, it knows no prepared statements that outlive a transaction. */
    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0";
    }

    @Override
    public void close() {
        process.destroy();
        Patience.exitValue(process);
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(jdbcUrl())) {
            return connection.isValid(0);
        } catch (SQLException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
