package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.benchmarks.cluster.Write.Kind;
import io.credential.benchmarks.node.DatabaseProxy;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;

/**
 * A durable PostgreSQL that can be restarted, and fail over to a replica. Triggers record every write to the keys and every
 * new term, in the transaction of the write: with the node that wrote and the lease as the database sees it then. They do
 * not depend on what a node believes.
 */
final class FaultDatabase implements Closeable {

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

    private final List<DatabaseProxy> proxies = new ArrayList<>();
    private PostgresServer primary;
    private @Nullable PostgresServer replica;

    private FaultDatabase(PostgresServer primary) {
        this.primary = primary;
    }

    /** Starts a server with the tables of the library and the write log. */
    static FaultDatabase start() throws IOException {
        PostgresServer server = PostgresServer.start();
        try {
            DataSource connections = new DriverManagerDataSource(server.jdbcUrl());
            new SchemaMigrator(CredentialDatabase.of(connections), SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA))
                    .run(SchemaMode.MIGRATE);
            new JdbcTemplate(connections).execute(WRITE_LOG);
            return new FaultDatabase(server);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Returns a proxy through which one node reaches this database, also after a failover. */
    DatabaseProxy newProxy() throws IOException {
        DatabaseProxy proxy = new DatabaseProxy(primary.jdbcUrl());
        proxies.add(proxy);
        return proxy;
    }

    /**
     * Restarts the server, and waits until it accepts connections.
     *
     * @param mode how it is shut down, {@code fast} or {@code immediate}
     */
    void restart(String mode) throws IOException, InterruptedException {
        primary.restart(mode);
    }

    /** Prepares one failover: from now on, every commit waits for a replica. */
    void startReplica() throws IOException, InterruptedException {
        replica = primary.startReplica();
    }

    /**
     * Crashes the server, promotes its replica, and redirects the proxies, as a virtual address would be.
     *
     * @param outage between the crash and the promotion
     */
    void failOver(Duration outage) throws IOException, InterruptedException {
        PostgresServer promoted = Objects.requireNonNull(replica, "There is no replica");
        primary.crash();
        Thread.sleep(outage.toMillis());
        promoted.promote();
        primary = promoted;
        replica = null;
        proxies.forEach(proxy -> proxy.redirect(promoted.port()));
    }

    /** Returns the version of the server. */
    String version() {
        return primary.client().sql("show server_version").query(String.class).single();
    }

    /** Returns all committed writes in the order of their commits. */
    List<Write> writes() {
        return primary.client()
                .sql(FIND_WRITES)
                .query((row, number) -> new Write(
                        Kind.valueOf(row.getString("kind")),
                        row.getString("node"),
                        row.getString("holder"),
                        row.getLong("epoch"),
                        row.getString("key_id")))
                .list();
    }

    @Override
    public void close() {
        if (replica != null) {
            replica.close();
        }
        primary.close();
    }
}
