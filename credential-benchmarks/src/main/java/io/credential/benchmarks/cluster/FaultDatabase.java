package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;

import io.credential.benchmarks.cluster.Write.Kind;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;

/**
 * A durable PostgreSQL that can be restarted. Triggers record every write to the keys and every new term, in the
 * transaction of the write: with the node that wrote and the lease as the database sees it then. They do not depend on
 * what a node believes.
 */
final class FaultDatabase implements Closeable {

    private static final Duration RESTART_LIMIT = Duration.ofMinutes(2);

    private static final String WRITE_LOG = """
            create table fault_run_writes (
                seq     bigserial primary key,
                kind    text   not null,
                node    text   not null,
                holder  text   not null,
                epoch   bigint not null,
                key_id  text
            );

            create function fault_run_log_key() returns trigger language plpgsql as $$
            declare
                kind text := 'OTHER';
            begin
                if tg_op = 'INSERT' then
                    kind := 'ISSUE';
                elsif old.revoked_at is null and new.revoked_at is not null then
                    kind := 'REVOKE';
                elsif old.secret_hash <> new.secret_hash then
                    kind := 'ROTATE';
                end if;
                insert into fault_run_writes (kind, node, holder, epoch, key_id)
                select kind, current_setting('application_name'), split_part(holder, '/', 1), epoch, new.id
                from _credential_leases where name = 'registry';
                return null;
            end $$;

            create function fault_run_log_term() returns trigger language plpgsql as $$
            begin
                insert into fault_run_writes (kind, node, holder, epoch)
                values ('TERM', current_setting('application_name'), split_part(new.holder, '/', 1), new.epoch);
                return null;
            end $$;

            create trigger fault_run_issued after insert on _credential_api_keys
                for each row execute function fault_run_log_key();
            -- Every node writes last uses, which the row MAC does not cover.
            create trigger fault_run_changed after update on _credential_api_keys
                for each row when (old.row_mac is distinct from new.row_mac) execute function fault_run_log_key();
            create trigger fault_run_first_term after insert on _credential_leases
                for each row when (new.name = 'registry') execute function fault_run_log_term();
            create trigger fault_run_next_term after update on _credential_leases
                for each row when (new.name = 'registry' and old.epoch <> new.epoch) execute function fault_run_log_term();
            """;

    private static final String FIND_WRITES = """
            select kind, node, holder, epoch, key_id from fault_run_writes
            order by pg_xact_commit_timestamp(xmin), seq""";

    private final EmbeddedPostgres server;
    private final JdbcClient client;
    private final String binaries;
    private final String data;

    private FaultDatabase(EmbeddedPostgres server) {
        this.server = server;
        this.client = JdbcClient.create(server.getPostgresDatabase());
        this.binaries = client.sql("select setting from pg_config where name = 'BINDIR'")
                .query(String.class)
                .single();
        this.data = client.sql("show data_directory").query(String.class).single();
    }

    /** Starts a server with the tables of the library and the write log. */
    static FaultDatabase start() throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("track_commit_timestamp", "on")
                .start();
        try {
            new SchemaMigrator(CredentialDatabase.of(server.getPostgresDatabase())).run(SchemaMode.MIGRATE);
            new JdbcTemplate(server.getPostgresDatabase()).execute(WRITE_LOG);
            return new FaultDatabase(server);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Returns a proxy through which one node reaches this database. */
    DatabaseProxy newProxy() throws IOException {
        return new DatabaseProxy(server.getJdbcUrl("postgres", "postgres"), server.getPort());
    }

    /**
     * Shuts the server down, starts it again with the same settings, and waits until it accepts connections.
     *
     * @param mode how it is shut down, {@code fast} or {@code immediate}
     */
    void restart(String mode) throws IOException, InterruptedException {
        // PostgreSQL does not run as root, so the embedded server does not either.
        List<String> command = new ArrayList<>(LinuxUtils.isUnshareAvailable() ? List.of("unshare", "-U") : List.of());
        command.addAll(List.of(binaries + "/pg_ctl", "restart", "-w", "-D", data, "-m", mode));
        command.addAll(List.of("-t", Long.toString(RESTART_LIMIT.toSeconds()), "-l", data + "/fault-run.log"));
        Process restart = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!restart.waitFor(2 * RESTART_LIMIT.toSeconds(), TimeUnit.SECONDS) || restart.exitValue() != 0) {
            restart.destroyForcibly();
            throw new IOException("PostgreSQL could not be restarted; see " + data + "/fault-run.log");
        }
    }

    /** Returns all committed writes in the order of their commits. */
    List<Write> writes() {
        return client.sql(FIND_WRITES)
                .query((row, number) -> new Write(
                        Kind.valueOf(row.getString("kind")),
                        row.getString("node"),
                        row.getString("holder"),
                        row.getLong("epoch"),
                        row.getString("key_id")))
                .list();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
