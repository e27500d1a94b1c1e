package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.notification.NodeNotifications;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.TestDispatcherOptions;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/** The tables of a dispatcher in a real database, empty at first, and rows that are put there by hand. */
public final class DispatcherRows {

    /** When everything is created unless a test says otherwise. */
    public static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    public static final DispatcherTables DEFAULT_TABLES =
            DispatcherTables.named(DispatcherTables.DEFAULT_ENDPOINTS, DispatcherTables.DEFAULT_DELIVERIES);

    private static final HexFormat HEX = HexFormat.of();

    public final CredentialDatabase database;
    public final DispatcherTables tables;
    private long serial;

    public DispatcherRows(TestDatabase test) {
        this(test, DEFAULT_TABLES);
    }

    public DispatcherRows(TestDatabase test, DispatcherTables tables) {
        this.database =
                test.migrate(tables.scripts(SqlDialect.valueOf(test.kind().name())));
        this.tables = tables;
        Stream.of(
                        "{endpoints}",
                        "{subscriptions}",
                        "{events}",
                        "{deliveries}",
                        "{attempts}",
                        "{jobs}",
                        "{job_items}",
                        "{hourly_counts}",
                        "{last_outcomes}")
                .forEach(table -> sql("DELETE FROM " + table).update());
    }

    /** What the parts of a dispatcher with these tables share. */
    public DispatcherContext context(InstantSource clock) {
        return context(database, tables, clock);
    }

    /** What the parts of a dispatcher with these tables share, by way of a database that may fail. */
    public static DispatcherContext context(CredentialDatabase database, DispatcherTables tables, InstantSource clock) {
        return new DispatcherContext(
                TestDispatcherOptions.withCapacity(100, 256, 16, 1024 * 1024),
                database,
                tables,
                NodeNotifications.none(),
                ObservationRegistry.NOOP,
                clock,
                new SecureRandom());
    }

    public JdbcClient.StatementSpec sql(String sql) {
        return database.jdbc().sql(tables.in(sql));
    }

    /** An event named {@code order.paid}; returns its id. */
    public String event(Instant createdAt) {
        String id = HEX.toHexDigits(createdAt.toEpochMilli(), 12) + HEX.toHexDigits(serial++, 12) + "00000000";
        sql("""
                INSERT INTO {events} (event_id, event_type, payload, created_at)
                VALUES (:id, 'order.paid', :payload, :createdAt)""")
                .param("id", id)
                .param("payload", "{}".getBytes(StandardCharsets.UTF_8))
                .param("createdAt", createdAt.toEpochMilli())
                .update();
        return id;
    }

    /** Stores an event with one delivery; returns the id of the delivery. */
    public String delivery(String endpointId, DeliveryStatus status) {
        return delivery(event(NEW_YEAR), endpointId, status);
    }

    /** A delivery as old as its event; whatever came of it came a second later. */
    public String delivery(String eventId, String endpointId, DeliveryStatus status) {
        String id = eventId.substring(0, 24) + HEX.toHexDigits(serial++, 8);
        long createdAt = Long.parseLong(eventId.substring(0, 12), 16);
        boolean claimed = status == DeliveryStatus.IN_FLIGHT;
        sql("""
                INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at,
                    claimed_at, claim_token, claim_owner, delivered_at, dead_at, response_status, last_error, created_at)
                VALUES (:id, :eventId, :endpointId, :status, 1, :createdAt,
                    CAST(:claimedAt AS BIGINT), CAST(:claimToken AS BIGINT), CAST(:claimOwner AS TEXT),
                    CAST(:deliveredAt AS BIGINT), CAST(:deadAt AS BIGINT), NULL, NULL, :createdAt)""")
                .param("id", id)
                .param("eventId", eventId)
                .param("endpointId", endpointId)
                .param("status", status.text())
                .param("createdAt", createdAt)
                .param("claimedAt", claimed ? createdAt + 1000 : null)
                .param("claimToken", claimed ? 7L : null)
                .param("claimOwner", claimed ? "node" : null)
                .param("deliveredAt", status == DeliveryStatus.DELIVERED ? createdAt + 1000 : null)
                .param("deadAt", status == DeliveryStatus.DEAD ? createdAt + 1000 : null)
                .update();
        return id;
    }

    /** An attempt that failed with a 500. */
    public void attempt(String deliveryId, int number, Instant startedAt) {
        sql("""
                INSERT INTO {attempts} (delivery_id, claim_token, attempt, started_at, duration, request_headers,
                    response_status, phase, reason, error, response_headers, response_body)
                VALUES (:id, :token, :number, :startedAt, 1500, :headers, 500, 'response', 'http-status', 'status 500',
                    'server: x', 'sorry')""")
                .param("headers", "X-Webhook-Attempt: 1\nWebhook-Signature: t=1: 2")
                .param("id", deliveryId)
                .param("token", startedAt.toEpochMilli() * 31 + number)
                .param("number", number)
                .param("startedAt", startedAt.toEpochMilli())
                .update();
    }

    /** Changes a delivery; {@code set} is an assignment such as {@code last_error = 'x'}. */
    public void change(String deliveryId, String set) {
        int changed = sql("UPDATE {deliveries} SET " + set + " WHERE delivery_id = :id")
                .param("id", deliveryId)
                .update();
        if (changed != 1) {
            throw new AssertionError("no such delivery: " + deliveryId);
        }
    }

    /** What is stored in a column of a delivery, as text. */
    public String stored(String deliveryId, String column) {
        return sql("SELECT " + column + " FROM {deliveries} WHERE delivery_id = :id")
                .param("id", deliveryId)
                .query((row, index) -> row.getString(1))
                .list()
                .get(0);
    }

    /** The ids in a table such as {@code {events}}, in their order. */
    public List<String> ids(String column, String table) {
        return sql("SELECT " + column + " FROM " + table + " ORDER BY " + column)
                .query((row, index) -> row.getString(1))
                .list();
    }
}
