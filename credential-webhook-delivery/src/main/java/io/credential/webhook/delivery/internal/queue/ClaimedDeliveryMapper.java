package io.credential.webhook.delivery.internal.queue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/** Reads claimed deliveries together with their event and endpoint. Deliveries of the same event share its payload. */
final class ClaimedDeliveryMapper implements RowMapper<ClaimedDelivery> {

    /** Joins a table that has the columns of a claimed delivery. Payloads larger than {@code :inline} are not read. */
    static final String COLUMNS_AND_JOINS = """
            c.delivery_id, c.event_id, c.endpoint_id, c.audience, c.attempts, c.takeovers, c.next_attempt_at, c.created_at,
                v.event_type, v.trace_parent, length(v.payload) AS payload_size,
                CASE WHEN length(v.payload) <= :inline THEN v.payload END AS payload,
                e.audience AS endpoint_audience,\s""" + Subscriber.COLUMNS + """

            FROM %s c
            JOIN {events} v ON v.event_id = c.event_id
            LEFT JOIN {endpoints} e ON e.endpoint_id = c.endpoint_id""";

    private final Claim claim;
    private final boolean requested;
    private final Map<String, Payload> payloads = new HashMap<>();

    /** @param requested whether a user asked for the attempts */
    ClaimedDeliveryMapper(Claim claim, boolean requested) {
        this.claim = claim;
        this.requested = requested;
    }

    @Override
    public ClaimedDelivery mapRow(ResultSet row, int number) throws SQLException {
        return new ClaimedDelivery(
                row.getString("delivery_id"),
                row.getString("event_id"),
                row.getString("endpoint_id"),
                row.getString("event_type"),
                row.getInt("attempts") + 1,
                row.getInt("takeovers"),
                row.getLong("next_attempt_at"),
                row.getLong("created_at"),
                claim,
                requested,
                row.getString("audience"),
                Subscriber.read(row, "endpoint_audience"),
                row.getInt("payload_size"),
                payload(row),
                row.getString("trace_parent"));
    }

    private @Nullable Payload payload(ResultSet row) throws SQLException {
        String eventId = row.getString("event_id");
        Payload known = payloads.get(eventId);
        if (known != null) {
            return known;
        }
        byte[] bytes = row.getBytes("payload");
        if (bytes == null) {
            return null;
        }
        Payload payload = Payload.stored(bytes);
        payloads.put(eventId, payload);
        return payload;
    }
}
