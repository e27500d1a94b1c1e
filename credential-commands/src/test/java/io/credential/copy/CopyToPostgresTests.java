package io.credential.copy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.ListOptions;
import io.credential.apikey.Rotation;
import io.credential.copy.CopyFixture.App;
import io.credential.copy.CopyFixture.Run;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.HookReceiver.Hook;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** An application goes on with PostgreSQL where it stopped with its SQLite file. */
class CopyToPostgresTests {

    @AutoClose
    private final CopyFixture fixture = new CopyFixture();

    @Test
    void copyThenEveryTokenIsVerifiedAsBefore() {
        Map<String, String> tokens = fixture.onSqlite(app -> tokens(app.registry()));
        fixture.clock.advance(Duration.ofMinutes(1)); // one has expired
        Map<String, Optional<ApiKey>> before = fixture.onSqlite(app -> verified(app, tokens));

        copied();

        Map<String, Optional<ApiKey>> after = fixture.onPostgres(app -> verified(app, tokens));
        assertThat(after).isEqualTo(before);
        assertThat(after.entrySet().stream()
                        .filter(entry -> entry.getValue().isPresent())
                        .map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("active", "rotating", "rotating-old", "rotated");
    }

    @Test
    void copyThenKeysAreListedAsBefore() {
        ListOptions all = ListOptions.defaults().withRevoked().withExpired();
        fixture.withSqlite(app -> tokens(app.registry()));
        List<ApiKey> before = fixture.onSqlite(app -> app.registry().list(all).keys());

        copied();

        assertThat(before).hasSize(6);
        assertThat(fixture.<List<ApiKey>>onPostgres(
                        app -> app.registry().list(all).keys()))
                .isEqualTo(before);
        assertThat(fixture.<List<ApiKey>>onPostgres(app -> app.registry().listForOwner("owner")))
                .isNotEmpty()
                .isEqualTo(fixture.<List<ApiKey>>onSqlite(app -> app.registry().listForOwner("owner")));
    }

    @Test
    void copyThenEveryTableHasTheSameRows() {
        fixture.withSqlite(app -> {
            tokens(app.registry());
            String delivery = deliveries(app);
            BulkJob job = app.dispatcher().deliveries().retryAll(DeliveryQuery.all());
            app.sql("INSERT INTO _credential_webhook_job_items (job_id, delivery_id, status, redeliveries) VALUES ('"
                    + job.id() + "', '" + delivery + "', 'pending', 0)");
            app.dispatcher().flushStatistics();
            app.sql(
                    "INSERT INTO _credential_api_key_usage (namespace, id, day, requests, rejected_by_rate,"
                            + " rejected_by_scope, rejected_by_network, rejected_by_quota) VALUES ('ns', '00ff', 20000, 1, 0, 0, 0, 0)");
            app.sql(
                    "INSERT INTO _credential_api_key_terms (namespace, term, created_at, id) VALUES ('ns', 'i1.k.00', 1, '00ff')");
            app.nonces().checkAndInsert("00ff", fixture.clock.instant().plusSeconds(60));
            app.nonces().rememberedSince("partner", Duration.ofMinutes(6));
            app.sql(
                    "INSERT INTO _credential_webhook_inbox (webhook_id, sender, deduplication_id, body, status, attempts,"
                            + " received_at, next_attempt_at) VALUES ('00ff', 'stripe', 'evt_1', x'00ff7b', 'pending', 1, 1, 2)");
            app.sql(
                    "INSERT INTO _credential_audit_log (chain, seq, recorded_at, name, outcome, resource_kind, attributes,"
                            + " digest, mac) VALUES (1, 1, 1, 'audit.open', 'success', 'audit-log', '{}', 'digest', 'mac')");
        });

        copied();

        fixture.withSqlite(app -> {
            CredentialDatabase target = CredentialDatabase.of(fixture.target.dataSource());
            CopiedTables tables = CopiedTables.in(app.database(), List.of(DispatcherRows.DEFAULT_TABLES));
            assertThat(tables.names())
                    .isEqualTo(new CopiedTables(CopiedTables.ALL_SCRIPTS, tables.dispatchers()).names());
            for (String table : tables.names()) {
                List<String> rows = CopyFixture.rows(app.database(), table);
                assertThat(rows).as(table).isNotEmpty();
                assertThat(CopyFixture.rows(target, table)).as(table).isEqualTo(rows);
            }
        });
    }

    @Test
    void copyWhenApplicationHasNoKeysThenCopiesTheRest() {
        fixture.withSqlite(app -> {
            fixture.endpoint(app, "shop");
            app.sql("DROP TABLE _credential_api_keys");
            app.sql("DROP TABLE _credential_api_key_tickets");
            app.sql("DROP TABLE _credential_api_key_totals");
            app.sql("DROP TABLE _credential_api_key_terms");
            app.sql("DELETE FROM _credential_schema_history WHERE script LIKE 'V1\\_%' ESCAPE '\\'");
        });

        copied();

        CredentialDatabase target = CredentialDatabase.of(fixture.target.dataSource());
        assertThat(CopyFixture.rows(target, "_credential_webhook_endpoints")).hasSize(1);
        assertThat(target.hasTable("_credential_api_keys")).isFalse();
    }

    @Test
    void copyThenPendingDeliveryIsSentAndVerified() throws Exception {
        String pending = fixture.onSqlite(this::deliveries);
        copied();
        fixture.receiver.answering("/failing", 200);
        fixture.clock.advance(Duration.ofHours(1));

        var unused = fixture.onPostgres(app -> app.dispatcher().processRetries());

        List<Hook> hooks = fixture.receiver.hooks("/failing");
        Hook sent = hooks.get(hooks.size() - 1);
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", CopyFixture.SECRET)
                .clock(fixture.clock)
                .build();
        assertThat(verifier.verify(sent.body().getBytes(StandardCharsets.UTF_8), sent.headers()))
                .isNotNull();
        assertThat(status(pending)).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void copyWhenInFlightThenTakenOverAndSent() {
        String inFlight = fixture.onSqlite(app -> {
            String id = deliveries(app);
            assertThat(app.sql("UPDATE _credential_webhook_deliveries SET status = 'in-flight', claim_token = 7,"
                            + " claim_owner = 'killed', claimed_at = " + fixture.clock.millis()
                            + " WHERE delivery_id = '" + id + "'"))
                    .isEqualTo(1);
            app.sql("INSERT INTO _credential_leases (name, holder, epoch, expires_at)"
                    + " VALUES ('webhook-dispatcher/killed', 'killed', 1, 1)");
            return id;
        });
        copied();
        fixture.receiver.answering("/failing", 200);
        fixture.clock.advance(Duration.ofHours(1));

        var unused = fixture.onPostgres(app -> {
            app.dispatcher().start();
            app.dispatcher().poll();
            Patience.until(() -> app.dispatcher()
                    .deliveries()
                    .get(inFlight)
                    .orElseThrow()
                    .status()
                    .equals(DeliveryStatus.DELIVERED));
            return app.dispatcher();
        });
    }

    @Test
    void copyThenReplayedNonceIsRejected() {
        Instant expiry = fixture.clock.instant().plusSeconds(60);
        Instant since = fixture.onSqlite(app -> {
            assertThat(app.nonces().checkAndInsert("00ff", expiry)).isTrue();
            return app.nonces().rememberedSince("partner", Duration.ofMinutes(6));
        });
        copied();
        fixture.clock.advance(Duration.ofSeconds(30));

        assertThat(fixture.<Boolean>onPostgres(app -> app.nonces().checkAndInsert("00ff", expiry)))
                .isFalse();
        assertThat(fixture.<Instant>onPostgres(app -> app.nonces().rememberedSince("partner", Duration.ofMinutes(6))))
                .isEqualTo(since);
    }

    @Test
    void copyThenNewRowsDoNotCollide() {
        DispatchOptions once = DispatchOptions.none().withIdempotencyKey("order-1");
        fixture.withSqlite(app -> {
            fixture.endpoint(app, "partner");
            app.dispatcher().dispatch("order.paid", "{}", once);
        });
        copied();

        var unused = fixture.onPostgres(app -> {
            app.registry().issue(IssueRequest.forOwner("owner"));
            app.dispatcher().dispatch("order.paid", "{}", once); // already dispatched
            app.dispatcher().dispatch("order.paid", "{}");
            return assertThat(app.dispatcher().deliveries().list(DeliveryQuery.all()))
                    .hasSize(2);
        });
    }

    @Test
    void copyWhenApplicationWasKilledThenLogIsCopied() throws IOException {
        Path killed = Files.createDirectory(fixture.directory.resolve("killed"));
        try (HikariDataSource pool = SqliteDataSource.pooled(fixture.file)) {
            fixture.on(
                    pool, tables("_credential_webhook_"), app -> app.registry().issue(IssueRequest.forOwner("owner")));
            for (String name : List.of("credential.db", "credential.db-wal")) {
                Files.copy(fixture.directory.resolve(name), killed.resolve(name));
            }
        }
        assertThat(killed.resolve("credential.db-wal")).isNotEmptyFile();

        Run run = fixture.copy("--from", killed.resolve("credential.db").toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("_credential_api_keys: 1 of 1 rows");
    }

    @Test
    void copyWhenSeveralDispatchersThenAllAreCopied() {
        try (HikariDataSource pool = SqliteDataSource.pooled(fixture.file)) {
            for (String stem : List.of("first_", "Second_")) {
                fixture.on(pool, tables(stem), app -> {
                    fixture.endpoint(app, "partner");
                    return app.dispatcher().dispatch("order.paid", "{}");
                });
            }
        }

        Run run = fixture.copy(
                "--endpoints-table",
                "first_endpoints",
                "--deliveries-table",
                "first_deliveries",
                "--endpoints-table",
                "Second_endpoints",
                "--deliveries-table",
                "Second_deliveries");

        assertThat(run.err()).isEmpty();
        for (String stem : List.of("first_", "Second_")) {
            fixture.on(fixture.target.dataSource(), tables(stem), app -> {
                assertThat(app.dispatcher().deliveries().list(DeliveryQuery.all()))
                        .hasSize(1);
                return app;
            });
        }
    }

    @Test
    void copyWhenKeyringIsInTheEnvironmentThenRead() throws IOException {
        fixture.withSqlite(app -> app.registry().issue(IssueRequest.forOwner("owner")));
        fixture.environment.put(
                CopyOptions.KEYRING,
                "base64:" + Base64.getEncoder().encodeToString(Files.readAllBytes(fixture.keyring)));

        Run run = fixture.run("--from", fixture.file.toString(), "--to", fixture.target.jdbcUrlWithoutPassword());

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void copyThenPrintsWhatWasVerifiedAndCopied() {
        fixture.withSqlite(app -> {
            tokens(app.registry());
            deliveries(app);
        });

        assertThat(copied().out().lines())
                .startsWith("Verified 6 API keys and 2 webhook endpoints")
                .contains("_credential_api_keys: 6 of 6 rows", "_credential_webhook_deliveries: 3 of 3 rows")
                .last()
                .asString()
                .startsWith("Copied ")
                .endsWith(" rows of 17 tables to "
                        + fixture.target.jdbcUrlWithoutPassword().replaceAll("\\?.*", ""));
    }

    @Test
    void helpThenPrintsOptions() {
        Run run = fixture.run("--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("--from", "--to", "--user", "--keyring", "PGPASSWORD");
    }

    private Run copied() {
        Run run = fixture.copy();
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run;
    }

    /** Keys in every state, by what became of them. */
    private Map<String, String> tokens(ApiKeyRegistry registry) {
        Map<String, String> tokens = new LinkedHashMap<>();
        IssueRequest request = IssueRequest.forOwner("owner").scopes("read").metadata(Map.of("plan", "Größe ☃"));
        for (String state : List.of("active", "disabled", "revoked", "rotating-old", "rotated-old")) {
            tokens.put(state, registry.issue(request.name(state)).key());
        }
        tokens.put(
                "expired",
                registry.issue(request.expiresAt(fixture.clock.instant().plusSeconds(30)))
                        .key());
        registry.disable(id(registry, Objects.requireNonNull(tokens.get("disabled"))));
        registry.revoke(id(registry, Objects.requireNonNull(tokens.get("revoked"))));
        tokens.put(
                "rotating",
                registry.rotate(
                                id(registry, Objects.requireNonNull(tokens.get("rotating-old"))),
                                Rotation.graceful(Duration.ofDays(1)))
                        .key());
        tokens.put(
                "rotated",
                registry.rotate(id(registry, Objects.requireNonNull(tokens.get("rotated-old"))), Rotation.immediate())
                        .key());
        return tokens;
    }

    private static String id(ApiKeyRegistry registry, String token) {
        return registry.verify(token).orElseThrow().id();
    }

    private static Map<String, Optional<ApiKey>> verified(App app, Map<String, String> tokens) {
        Map<String, Optional<ApiKey>> verified = new LinkedHashMap<>();
        tokens.forEach((state, token) -> verified.put(state, app.registry().verify(token)));
        return verified;
    }

    /** One that is delivered, one that is dead, and one that is pending, whose id is returned. */
    private String deliveries(App app) {
        for (String endpoint : List.of("partner", "failing", "gone")) {
            fixture.endpoint(app, endpoint);
        }
        fixture.receiver.answering("/failing", 500).answering("/gone", 500);
        app.dispatcher().dispatch("order.paid", "{\"name\":\"Größe ☃\"}");
        app.dispatcher().removeEndpoint("gone");
        List<Delivery> deliveries = app.dispatcher().deliveries().list(DeliveryQuery.all());
        assertThat(deliveries.stream().map(delivery -> delivery.status().text()))
                .containsExactlyInAnyOrder("delivered", "dead", "pending");
        return deliveries.stream()
                .filter(delivery -> delivery.status() == DeliveryStatus.PENDING)
                .findFirst()
                .orElseThrow()
                .deliveryId();
    }

    private DeliveryStatus status(String deliveryId) {
        return fixture.onPostgres(app ->
                app.dispatcher().deliveries().get(deliveryId).orElseThrow().status());
    }

    private static DispatcherTables tables(String stem) {
        return DispatcherTables.named(stem + "endpoints", stem + "deliveries");
    }
}
