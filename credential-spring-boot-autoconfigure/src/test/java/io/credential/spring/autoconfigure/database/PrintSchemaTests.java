package io.credential.spring.autoconfigure.database;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.auditlog.AuditLog;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.dispatcher.Receiver;
import io.credential.spring.security.ApiKeyRateLimits;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What the command prints is run by the owner of the tables; the application is another user. */
class PrintSchemaTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final String user = "App-" + UUID.randomUUID(); // not valid without quotes
    private final String quotedUser = '"' + user + '"';

    @BeforeEach
    void createUser() throws SQLException {
        execute("create role " + quotedUser);
        execute("grant " + quotedUser + " to current_user");
        execute("revoke create on schema public from public");
    }

    @AfterEach
    void removeUser() throws SQLException {
        execute("drop owned by " + quotedUser);
        execute("drop role " + quotedUser);
        database.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int run(Map<String, Object> configuration, String... arguments) {
        StandardEnvironment environment = new StandardEnvironment();
        Map<String, Object> properties = new HashMap<>(configuration);
        properties.put("spring.config.location", "optional:classpath:/no-such-directory/");
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return new PrintSchema(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), environment)
                .run(List.of(arguments));
    }

    private String printed(Map<String, Object> configuration, String... arguments) {
        assertThat(run(configuration, arguments)).isZero();
        assertThat(err.size()).isZero();
        return out.toString(UTF_8);
    }

    /** The configuration of an application with every product. */
    private static Map<String, Object> everything() {
        return Map.of(
                "credential.api-keys.registries.live.rate-limit.limit", "5",
                "credential.audit.jdbc.enabled", "true",
                "credential.webhook.inbound.partner.nonce-store", "jdbc");
    }

    /** An application whose connections have only the rights of the user. */
    private ApplicationContextRunner application() {
        String separator = database.jdbcUrl().contains("?") ? "&" : "?";
        return StarterRunner.unconfigured()
                .withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl() + separator + "options=-c%20role=" + user,
                        "credential.storage.schema=validate",
                        "credential.keyring.location=file:" + StarterRunner.keyring(directory),
                        "credential.api-keys.registries.live.rate-limit.limit=5",
                        "credential.api-keys.rate-limits.store=jdbc",
                        "credential.audit.jdbc.enabled=true",
                        DISPATCHER + "allow-internal-destinations=true",
                        DISPATCHER + "dispatch-wait=1m");
    }

    @Test
    void sqlWhenRunByOwnerThenApplicationWorksAsUser() throws Exception {
        execute(printed(everything(), user));

        try (Receiver receiver = new Receiver()) {
            application().run(single -> assertThat(single).hasNotFailed()); // creates the keyring
            application().withPropertyValues("credential.mode=cluster").run(node -> {
                useKeys(node);
                useWebhooks(node, receiver);
                useNonces(node);
                assertThat(node.getBean(AuditLog.class).verify().findings()).isEmpty();
            });
        }
    }

    private static void useKeys(ApplicationContext node) {
        ApiKeyRegistry registry = node.getBean(ApiKeyRegistry.class);
        String token = registry.issue(IssueRequest.forOwner("owner")).key();
        ApiKey key = registry.verify(token).orElseThrow();
        assertThat(node.getBean(ApiKeyRateLimits.class).tryAcquire(key)).isPresent();
        registry.revoke(key.id());
        assertThat(registry.verify(token)).isEmpty();
        registry.purgeExpired();
        registry.resealSealedColumns();
    }

    private static void useWebhooks(ApplicationContext node, Receiver receiver) {
        JdbcWebhookDispatcher dispatcher = node.getBean(JdbcWebhookDispatcher.class);
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", receiver.url(), "secret of the tests", "*"));
        DispatchResult result = dispatcher.dispatch("order.created", "{}");
        assertThat(result.delivered()).isEqualTo(1);

        BulkJob job = dispatcher.deliveries().retryAll(DeliveryQuery.all());
        Patience.until(() -> {
            dispatcher.continueJobs();
            return dispatcher.deliveries().openJobs().isEmpty();
        });
        assertThat(dispatcher.deliveries().job(job.id())).isPresent();
        dispatcher
                .deliveries()
                .erasePayloads(ErasureQuery.ofEvent(result.deliveries().get(0).eventId()));
        dispatcher.resealSecrets();
        dispatcher.removeExpired();
        dispatcher.removeEndpoint("shop");
        dispatcher.dlq().purge(DeadLetterQuery.all());
    }

    private static void useNonces(ApplicationContext node) {
        JdbcNonceStore nonces = new JdbcNonceStore(node.getBean(CredentialDatabase.class));
        nonces.rememberedSince("partner", Duration.ofMinutes(1));
        assertThat(nonces.checkAndInsert("00ff", Instant.now().plusSeconds(60))).isTrue();
    }

    @Test
    void sqlThenUserCannotChangeHistoryAndAuditLog() throws SQLException {
        execute(printed(everything(), user));

        List<String> unchangeable = CredentialDatabase.of(database.dataSource())
                .jdbc()
                .sql("select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
                        + " and not has_table_privilege(:user, oid, 'UPDATE, DELETE') order by relname")
                .param("user", user)
                .query((row, index) -> row.getString(1))
                .list();

        assertThat(unchangeable)
                .containsExactly(
                        "_credential_audit_log", "_credential_schema_history", "_credential_webhook_schema_history");
    }

    @Test
    void sqlWhenNoUserThenGrantsNothing() throws SQLException {
        execute(printed(everything()));

        application().run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("could not be read", "permission denied");
            assertThat(analysis.getAction()).contains(PrintSchema.class.getName());
        });
    }

    @Test
    void sqlWhenTablesAreNamedThenUsesTheNames() {
        assertThat(printed(Map.of(
                        DISPATCHER + "endpoints-table", "shop_endpoints",
                        DISPATCHER + "deliveries-table", "shop_deliveries")))
                .contains("create table shop_endpoints", "create table shop_events", "shop_schema_history")
                .doesNotContain("_credential_webhook");
    }

    @Test
    void sqlWhenDispatcherIsDisabledThenHasNoTablesOfIt() {
        assertThat(printed(Map.of(DISPATCHER + "enabled", "no")))
                .contains("create table _credential_leases")
                .doesNotContain("webhook");
    }

    @Test
    void sqlThenHasOnlyTablesOfConfiguredProducts() {
        assertThat(printed(Map.of("credential.audit.jdbc.enabled", "true")))
                .contains("create table _credential_audit_log")
                .doesNotContain("_credential_api_keys", "_credential_rate_limits", "_credential_nonces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--user", "one two"})
    void printWhenArgumentsAreWrongThenExplains(String arguments) {
        assertThat(run(Map.of(), arguments.split(" ", -1))).isEqualTo(1);

        assertThat(out.size()).isZero();
        assertThat(err.toString(UTF_8)).contains("database user", "--help");
    }

    @Test
    void printWhenPropertyIsWrongThenExplains() {
        assertThat(run(Map.of(DISPATCHER + "endpoints-table", "a-b"))).isEqualTo(1);

        assertThat(out.size()).isZero();
        assertThat(err.toString(UTF_8)).contains("endpointsTable");
    }

    @Test
    void helpThenPrintsArguments() {
        assertThat(run(Map.of(), "--help")).isZero();

        assertThat(out.toString(UTF_8)).contains("<user>");
    }
}
