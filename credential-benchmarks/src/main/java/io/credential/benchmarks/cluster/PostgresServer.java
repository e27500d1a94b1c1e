package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.FileSystemUtils;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;

/**
 * A durable PostgreSQL server that ends with this JVM. It can be restarted and crash, and has streaming replicas. Its data
 * is deleted when it is closed.
 */
final class PostgresServer implements Closeable {

    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final Duration CONTROL_LIMIT = Duration.ofMinutes(2);
    private static final Duration STREAMING_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 50;
    private static final String REPLICA = "replica";

    private final EmbeddedPostgres server;
    private final Path data;
    private final JdbcClient client;
    private final String binaries;
    private final Thread hook = new Thread(this::end, "stop-postgres");
    private boolean ended;

    private PostgresServer(EmbeddedPostgres server, Path data) {
        this.server = server;
        this.data = data;
        this.client = JdbcClient.create(server.getPostgresDatabase());
        this.binaries = client.sql("select setting from pg_config where name = 'BINDIR'")
                .query(String.class)
                .single();
    }

    /** Starts an empty server. */
    static PostgresServer start() throws IOException {
        return start(Files.createTempDirectory("credential-fault-postgres"));
    }

    /** @param data an empty directory, or the data of a server */
    private static PostgresServer start(Path data) throws IOException {
        EmbeddedPostgres embedded = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(START_LIMIT)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("track_commit_timestamp", "on")
                .setServerConfig("wal_keep_size", "1GB") // A replica starts from where its copy began.
                .start();
        PostgresServer server = new PostgresServer(embedded, data);
        Runtime.getRuntime().addShutdownHook(server.hook);
        return server;
    }

    int port() {
        return server.getPort();
    }

    String jdbcUrl() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    JdbcClient client() {
        return client;
    }

    /**
     * Shuts the server down, starts it again with the same settings, and waits until it accepts connections.
     *
     * @param mode how it is shut down, {@code fast} or {@code immediate}
     */
    void restart(String mode) throws IOException, InterruptedException {
        control("restart", "-m", mode, "-l", data + "/fault-run.log");
    }

    /** Ends the server as a crash does. Its data is not used again. */
    void crash() throws IOException, InterruptedException {
        control("stop", "-m", "immediate");
        discard();
    }

    private synchronized void discard() throws IOException {
        ended = true;
        FileSystemUtils.deleteRecursively(data);
    }

    private void control(String action, String... options) throws IOException, InterruptedException {
        // PostgreSQL does not run as root, so the embedded server does not either.
        List<String> command = new ArrayList<>(LinuxUtils.isUnshareAvailable() ? List.of("unshare", "-U") : List.of());
        command.addAll(List.of(binaries + "/pg_ctl", action, "-w", "-D", data.toString()));
        command.addAll(List.of("-t", Long.toString(CONTROL_LIMIT.toSeconds())));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(2 * CONTROL_LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("PostgreSQL did not " + action + "; see " + data + "/fault-run.log");
        }
    }

    /**
     * Starts a replica, and waits until every commit of this server waits for it: a transaction that a client knows to be
     * committed is not lost if this server crashes.
     */
    PostgresServer startReplica() throws IOException, InterruptedException {
        PostgresServer replica = start(copyData());
        try {
            awaitReplica("streaming");
            client.sql("alter system set synchronous_standby_names = '" + REPLICA + "'")
                    .update();
            client.sql("select pg_reload_conf()").query().singleValue();
            awaitReplica("sync");
            return replica;
        } catch (IOException | InterruptedException | RuntimeException e) {
            replica.close();
            throw e;
        }
    }

    /** Copies the data of the running server, as a base backup does, to a new directory for a replica. */
    private Path copyData() throws IOException {
        Path copy = Files.createTempDirectory("credential-fault-postgres");
        // The session that begins a backup ends it.
        SingleConnectionDataSource session = new SingleConnectionDataSource(jdbcUrl(), true);
        try {
            JdbcTemplate backup = new JdbcTemplate(session);
            backup.queryForObject("select pg_backup_start('" + REPLICA + "', true)", Object.class);
            DataDirectory.copy(data, copy);
            String label = backup.queryForObject("select labelfile from pg_backup_stop(false)", String.class);
            Files.writeString(copy.resolve("backup_label"), label);
        } finally {
            session.destroy();
        }
        Files.createFile(copy.resolve("standby.signal"));
        // Replaces the settings of this server: after its promotion, the replica waits for no other one.
        Files.writeString(copy.resolve("postgresql.auto.conf"), """
                primary_conninfo = 'host=localhost port=%d user=postgres application_name=%s'
                """.formatted(port(), REPLICA));
        return copy;
    }

    /** @param state {@code streaming}, or {@code sync} for one that commits wait for */
    private void awaitReplica(String state) throws IOException, InterruptedException {
        long end = System.nanoTime() + STREAMING_LIMIT.toNanos();
        while (client.sql("select 1 from pg_stat_replication where :state in (state, sync_state)")
                .param("state", state)
                .query()
                .listOfRows()
                .isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IOException("The replica did not reach the state " + state);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Ends the recovery of a replica, which accepts writes when this method returns. */
    void promote() throws IOException {
        boolean promoted = client.sql("select pg_promote(true, " + CONTROL_LIMIT.toSeconds() + ")")
                .query(Boolean.class)
                .single();
        if (!promoted) {
            throw new IOException("The replica was not promoted within " + CONTROL_LIMIT);
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is ending.
        }
    }

    private synchronized void end() {
        if (ended) {
            return;
        }
        try {
            server.close();
            discard();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
