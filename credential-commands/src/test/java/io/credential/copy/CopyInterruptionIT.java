package io.credential.copy;

import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.apikey.IssueRequest;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.ChildProcess;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.DispatcherRows;

import static org.assertj.core.api.Assertions.assertThat;

/** The command as a process that is killed, and one whose memory is small. */
class CopyInterruptionIT {

    private static final int EVENTS = 400;
    private static final int PAYLOAD_KIB = 512;
    private static final int MEGABYTES = 64; // less than all payloads

    @AutoClose
    private final CopyFixture fixture = new CopyFixture();

    @Test
    void copyWhenKilledInTheMiddleThenRepeated() throws Exception {
        fill(1, 1);
        new SchemaMigrator(fixture.target.database(), DispatcherRows.DEFAULT_TABLES.scripts(SqlDialect.POSTGRESQL))
                .run(SchemaMode.MIGRATE);
        try (Connection session = fixture.target.dataSource().getConnection();
                Statement statement = session.createStatement()) {
            statement.execute("""
                    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN new; END'""");
            statement.execute("""
                    CREATE TRIGGER wait_for_test BEFORE INSERT ON _credential_webhook_events
                    FOR EACH ROW EXECUTE FUNCTION wait_for_test()""");
            statement.execute("SELECT pg_advisory_lock(4711)");
            try (ChildProcess copy = start()) {
                Patience.until(() -> sessions("AND wait_event_type = 'Lock'") == 1);
                assertThat(copy.text()).contains("_credential_api_keys: 1 of 1 rows");
                copy.kill();
            }
            statement.execute("SELECT pg_advisory_unlock(4711)");
            Patience.until(() -> sessions("") == 0);
            statement.execute("DROP TRIGGER wait_for_test ON _credential_webhook_events");
        }
        assertThat(fixture.isTargetEmpty()).isTrue();

        try (ChildProcess copy = start()) {
            assertThat(copy.awaitEnd()).as(copy.text()).isZero();
        }

        assertThat(fixture.isTargetEmpty()).isFalse();
    }

    @Test
    void copyWhenRowsExceedMemoryThenCopied() {
        fill(EVENTS, PAYLOAD_KIB);

        try (ChildProcess copy = start()) {
            assertThat(copy.awaitEnd()).as(copy.text()).isZero();
            assertThat(copy.text()).contains("_credential_webhook_events: " + EVENTS + " of " + EVENTS + " rows");
        }
    }

    private void fill(int events, int kibibytes) {
        String payload = "\"" + "x".repeat(kibibytes * 1024) + "\"";
        fixture.withSqlite(app -> {
            fixture.endpoint(app, "partner");
            app.registry().issue(IssueRequest.forOwner("owner"));
            for (int event = 0; event < events; event++) {
                app.dispatcher().enqueue("order.paid", payload);
            }
        });
    }

    private int sessions(String condition) {
        return fixture.target
                .database()
                .jdbc()
                .sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'credential-copy' AND datname ="
                        + " current_database() " + condition)
                .query(Integer.class)
                .single();
    }

    private ChildProcess start() {
        List<String> arguments = new ArrayList<>(List.of("--from", fixture.file.toString()));
        arguments.addAll(
                List.of("--to", fixture.target.jdbcUrlWithoutPassword(), "--keyring", fixture.keyring.toString()));
        return ChildProcess.start(
                Map.of(CopyOptions.PASSWORD, fixture.target.password()),
                MEGABYTES,
                CopyToPostgres.class,
                arguments.toArray(String[]::new));
    }
}
