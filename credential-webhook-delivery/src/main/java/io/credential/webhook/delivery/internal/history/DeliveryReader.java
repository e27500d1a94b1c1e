package io.credential.webhook.delivery.internal.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    private static final String DELIVERY_COLUMNS = """
            SELECT d.delivery_id, d.event_id, d.endpoint_id, e.event_type, d.status, d.attempts, d.next_attempt_at,
                   d.claimed_at, d.delivered_at, d.response_status, d.last_error,
                   d.last_reason, d.created_at, d.erased_at""";

    private static final int DELIVERY_COLUMN_COUNT = 14;

    private static final String FROM = """

            FROM {deliveries} d JOIN {events} e ON e.event_id = d.event_id
            """;

    private static final String SELECT = DELIVERY_COLUMNS + FROM;

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

    private static final String ATTEMPT_COLUMNS = """
            a.attempt, a.started_at, a.duration, a.request_headers, a.response_status, a.phase, a.reason, a.error, a.location,
                   a.response_headers, a.response_body""";

    private static final String LATEST = """

            ORDER BY a.started_at DESC, a.attempt DESC
            LIMIT :limit""";

    private static final String ATTEMPTS = "SELECT " + ATTEMPT_COLUMNS + """

            FROM {attempts} a
            WHERE a.delivery_id = :deliveryId
              AND (CAST(:audience AS TEXT) IS NULL
                   OR EXISTS (SELECT 1 FROM {deliveries} d WHERE d.delivery_id = :deliveryId AND d.audience = :audience))
            """ + LATEST;

    /** A row for each attempt; one without an attempt if there are none. */
    private static final String WITH_ATTEMPTS = DELIVERY_COLUMNS + ", " + ATTEMPT_COLUMNS + FROM + """
            LEFT JOIN {attempts} a ON a.delivery_id = d.delivery_id
            WHERE d.delivery_id = :deliveryId
            """ + LATEST;

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
                .query((row, index) -> attempt(row, 0))
                .list();
    }

    /**
     * Returns a delivery with its latest attempts, in one statement.
     *
     * @param limit the largest number of attempts
     */
    Optional<DeliveryWithAttempts> findWithAttempts(String deliveryId, int limit) {
        DispatcherRules.require("deliveryId", deliveryId);
        if (!DispatcherRules.isId(deliveryId)) {
            return Optional.empty();
        }
        return jdbc.sql(tables.in(WITH_ATTEMPTS))
                .param("deliveryId", deliveryId)
                .param("limit", limit)
                .query(DeliveryReader::withAttempts);
    }

    private static Optional<DeliveryWithAttempts> withAttempts(ResultSet row) throws SQLException {
        if (!row.next()) {
            return Optional.empty();
        }
        Delivery delivery = Objects.requireNonNull(DELIVERY.mapRow(row, 0));
        List<DeliveryAttempt> attempts = new ArrayList<>();
        do {
            if (number(row, DELIVERY_COLUMN_COUNT + 1) != null) {
                attempts.add(attempt(row, DELIVERY_COLUMN_COUNT));
            }
        } while (row.next());
        return Optional.of(new DeliveryWithAttempts(delivery, attempts));
    }

    /** @param before how many columns come before those of the attempt */
    private static DeliveryAttempt attempt(ResultSet row, int before) throws SQLException {
        return new DeliveryAttempt(
                row.getInt(before + 1),
                Instant.ofEpochMilli(row.getLong(before + 2)),
                Duration.ofMillis(row.getLong(before + 3)),
                HeaderText.ofText(row.getString(before + 4)),
                number(row, before + 5),
                FailurePhase.ofText(row.getString(before + 6)).orElse(null),
                FailureReason.ofText(row.getString(before + 7)).orElse(null),
                row.getString(before + 8),
                row.getString(before + 9),
                HeaderText.ofText(row.getString(before + 10)),
                row.getString(before + 11));
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
