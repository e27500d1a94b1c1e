package io.credential.spring.autoconfigure.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.notification.NodeNotifications;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.dispatcher.Receiver;
import io.credential.testing.Patience;
import io.credential.testing.RestartablePostgres;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Behind a proxy that pools transactions, everything works, but notifications do not arrive. */
class PgBouncerTests {

    /**
     * Settings, a role and locks that outlive a transaction; without what the proxy sets for each of its clients. Flyway
     * leaves the schema of the tables at the front of the search path of a connection, so names mean the same as before.
     */
    private static final String LEFT_BEHIND = """
            SELECT concat_ws(', ',
                (SELECT string_agg(name || '=' || setting, ', ') FROM pg_settings
                 WHERE source = 'session' AND setting <> reset_val AND name NOT IN ('application_name',
                    'client_encoding', 'DateStyle', 'extra_float_digits', 'search_path', 'standard_conforming_strings',
                    'TimeZone')),
                CASE WHEN current_schema() <> 'public' THEN 'schema ' || current_schema() END,
                CASE WHEN current_user <> session_user THEN 'role ' || current_user END,
                (SELECT string_agg('lock ' || objid, ', ') FROM pg_locks WHERE locktype = 'advisory'))""";

    @TempDir
    private Path directory;

    @TempDir
    private Path settings;

    private RestartablePostgres postgres;
    private PgBouncer bouncer;

    @BeforeEach
    void startServerAndProxy() throws IOException {
        assumeTrue(PgBouncer.isInstalled(), "pgbouncer is not installed");
        postgres = RestartablePostgres.started();
        int port = URI.create(postgres.jdbcUrl().substring("jdbc:".length())).getPort();
        bouncer = PgBouncer.inFrontOf(port, settings);
        // Makes the keyring, which no node of a cluster does.
        application().run(context -> assertThat(context).hasNotFailed());
    }

    @AfterEach
    void stopBoth() {
        if (bouncer != null) {
            bouncer.close();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void nodesWhenBehindProxyThenWorkByPolling(CapturedOutput output) {
        node("n1")
                .run(first -> node("n2").run(second -> {
                    Patience.until(() -> output.toString().contains("This node does not receive notifications"));
                    assertThat(output).contains("PgBouncer", "'credential.cluster.listen-url'");
                    assertThat(first.getBean(NodeNotifications.class).isListening())
                            .isFalse();

                    Patience.until(first.getBean(Leadership.class)::isLeader);
                    IssuedApiKey key = first.getBean(ApiKeyRegistry.class).issue(IssueRequest.forOwner("user-42"));
                    assertThat(second.getBean(ApiKeyRegistry.class).verify(key.key()))
                            .isPresent();
                    assertDelivers(
                            first.getBean(JdbcWebhookDispatcher.class), second.getBean(JdbcWebhookDispatcher.class));
                    assertSessionsAreUnchanged(first.getBean(DataSource.class));

                    first.close();
                    Patience.until(second.getBean(Leadership.class)::isLeader);
                    assertThat(second.getBean(ApiKeyRegistry.class).revoke(key.id()))
                            .isTrue();
                }));
    }

    @Test
    void nodesWhenListenUrlAvoidsProxyThenNotified() {
        ApplicationContextRunner node =
                node("n1").withPropertyValues("credential.cluster.listen-url=" + postgres.jdbcUrl());
        node.run(first -> {
            assertThat(first).hasNotFailed();
            Patience.until(first.getBean(NodeNotifications.class)::isListening);
        });
    }

    private static void assertDelivers(JdbcWebhookDispatcher first, JdbcWebhookDispatcher second) throws IOException {
        try (Receiver receiver = new Receiver()) {
            first.registerEndpoint(EndpointRegistration.of("shop", receiver.url(), "secret of the tests", "*"));
            assertThat(second.dispatch("order.created", "{}").delivered()).isOne();

            first.stop(Duration.ZERO);
            first.enqueue("order.created", "{}"); // only stored there: the other node has to find it
            Patience.until(() -> second.deliveries()
                            .list(DeliveryQuery.all().withStatus(DeliveryStatus.DELIVERED))
                            .size()
                    == 2);
        }
    }

    /** Nothing that was set for one session has stayed in a connection that others use after it. */
    private static void assertSessionsAreUnchanged(DataSource pool) throws SQLException {
        Set<String> found = new HashSet<>();
        List<Connection> held = new ArrayList<>();
        try {
            for (int i = 0; i < PgBouncer.SERVER_CONNECTIONS - 1; i++) {
                Connection connection = pool.getConnection();
                held.add(connection);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(LEFT_BEHIND)) {
                    row.next();
                    found.add(row.getString(1));
                }
            }
        } finally {
            for (Connection connection : held) {
                connection.rollback();
                connection.close();
            }
        }
        assertThat(found).containsExactly("");
    }

    private ApplicationContextRunner node(String name) {
        return application()
                .withPropertyValues(
                        "credential.mode=cluster",
                        "credential.cluster.node-id=" + name,
                        "credential.cluster.advertised-url=https://" + name + ".example.org",
                        "credential.cluster.lease-duration=20s");
    }

    private ApplicationContextRunner application() {
        return StarterRunner.unconfigured()
                .withPropertyValues(
                        "spring.datasource.url=" + bouncer.jdbcUrl(),
                        "credential.api-keys.registries.live.prefix=bk",
                        "credential.keyring.location=file:" + StarterRunner.keyring(directory),
                        "credential.webhook.dispatcher.allow-internal-destinations=true",
                        "credential.webhook.dispatcher.dispatch-wait=1m");
    }
}
