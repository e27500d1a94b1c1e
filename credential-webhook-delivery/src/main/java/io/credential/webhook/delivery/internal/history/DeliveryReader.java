package io.credential.webhook.delivery.internal.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.HeaderText;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;

/** Reads deliveries and their attempts. Thread-safe. */
final class DeliveryReader {

    private static final int MAX_ATTEMPTS_SHOWN = 1000;

    /** Sorts after every hexadecimal digit, so that all ids with a prefix sort before the prefix followed by it. */
    static final String PAST_HEX = "g";

    private static final String SELECT = """
            SELECT d.delivery_id, d.event_id, d.endpoint_id, e.event_type, d.status, d.attempts, d.next_attempt_at,
                   d.claimed_at, d.delivered_at, d.response_status, d.last_error,
                   d.last_reason, d.created_at, d.erased_at
            FROM {deliveries} d JOIN {events} e ON e.event_id = d.event_id
            """;

    /** Whether a delivery is one of an audience; null for all. */
    static final String IS_OF_AUDIENCE = "(CAST(:audience AS TEXT) IS NULL OR d.audience = :audience)";

    private static final String FIND = SELECT + "WHERE d.delivery_id = :deliveryId AND " + IS_OF_AUDIENCE;

    private static final String OF_EVENT = SELECT + """
            WHERE d.delivery_id >= :first AND d.delivery_id < :past AND d.event_id = :eventId
            ORDER BY d.delivery_id""";

    private static final String PAYLOAD = """
            SELECT e.payload
            FROM {deliveries} d JOIN {events} e ON e.event_id = d.event_id
            WHERE d.delivery_id = :deliveryId AND d.erased_at IS NULL AND e.payload IS NOT NULL""";

    private static final String ATTEMPTS = """
            SELECT attempt, started_at, duration, request_headers, response_status, phase, reason, error, location,
                response_headers, response_body
            FROM {attempts}
            WHERE delivery_id = :deliveryId
              AND (CAST(:audience AS TEXT) IS NULL
                   OR EXISTS (SELECT 1 FROM {deliveries} d WHERE d.delivery_id = :deliveryId AND d.audience = :audience))
            ORDER BY started_at DESC, attempt DESC
            LIMIT :limit""";

    static final RowMapper<Delivery> DELIVERY = (row, index) -> new Delivery(
            row.getString(1),
            row.getString(2),
            row.getString(3),
            row.getString(4),
            status(row.getString(5), row.getString(1)),
            row.getInt(6),
            Instant.ofEpochMilli(row.getLong(7)),
            time(row, 8),
            time(row, 9),
            number(row, 10),
            row.getString(11),
            FailureReason.ofText(row.getString(12)).orElse(null),
            Instant.ofEpochMilli(row.getLong(13)),
            time(row, 14));

    private static final RowMapper<DeliveryAttempt> ATTEMPT = (row, index) -> new DeliveryAttempt(
            row.getInt(1),
            Instant.ofEpochMilli(row.getLong(2)),
            Duration.ofMillis(row.getLong(3)),
            HeaderText.ofText(row.getString(4)),
            number(row, 5),
            FailurePhase.ofText(row.getString(6)).orElse(null),
            FailureReason.ofText(row.getString(7)).orElse(null),
            row.getString(8),
            row.getString(9),
            HeaderText.ofText(row.getString(10)),
            row.getString(11));

    private final JdbcClient jdbc;
    private final DispatcherTables tables;

    DeliveryReader(CredentialDatabase database, DispatcherTables tables) {
        this.jdbc = database.jdbc();
        this.tables = tables;
    }

    Optional<Delivery> find(String deliveryId) {
        return find(deliveryId, null);
    }

    /** @param audience whose delivery it must be; null for any */
    Optional<Delivery> find(String deliveryId, @Nullable String audience) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return Optional.empty();
        }
        return jdbc.sql(tables.in(FIND))
                .param("deliveryId", deliveryId)
                .param("audience", audience)
                .query(DELIVERY)
                .optional();
    }

    /** Returns the deliveries of an event in the order of their ids. */
    List<Delivery> ofEvent(String eventId) {
        if (!DispatcherRules.isId(eventId)) {
            return List.of();
        }
        String prefix = EventIdGenerator.deliveryPrefix(eventId);
        return jdbc.sql(tables.in(OF_EVENT))
                .param("first", prefix)
                .param("past", prefix + PAST_HEX)
                .param("eventId", eventId)
                .query(DELIVERY)
                .list();
    }

    /** Returns the payload; empty for an unknown delivery, or if it was erased. */
    Optional<byte[]> payload(String deliveryId) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return Optional.empty();
        }
        return jdbc.sql(tables.in(PAYLOAD))
                .param("deliveryId", deliveryId)
                .query((row, index) -> row.getBytes(1))
                .optional();
    }

    /** Returns up to 1000 attempts, the latest first. */
    List<DeliveryAttempt> attempts(String deliveryId) {
        return attempts(deliveryId, null);
    }

    /** @param audience whose delivery it must be; null for any */
    List<DeliveryAttempt> attempts(String deliveryId, @Nullable String audience) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return List.of();
        }
        return jdbc.sql(tables.in(ATTEMPTS))
                .param("deliveryId", deliveryId)
                .param("audience", audience)
                .param("limit", MAX_ATTEMPTS_SHOWN)
                .query(ATTEMPT)
                .list();
    }

    private static DeliveryStatus status(String text, String deliveryId) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() -> new IllegalStateException("The delivery " + deliveryId + " has an unknown status"));
    }

    static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(value);
    }

    static @Nullable Integer number(ResultSet row, int column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
