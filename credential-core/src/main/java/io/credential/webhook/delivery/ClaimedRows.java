package io.credential.webhook.delivery;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.springframework.jdbc.core.RowMapper;

/** Reads claimed deliveries together with their event and endpoint. */
final class ClaimedRows implements RowMapper<ClaimedDelivery> {

    /** Behind a {@code c} that has the columns of a claimed delivery. */
    static final String COLUMNS_AND_JOINS = """
            c.delivery_id, c.event_id, c.endpoint_id, c.attempts, c.next_attempt_at, c.created_at,
                v.event_type, v.payload, e.url, e.secret
            FROM %s c
            JOIN {events} v ON v.event_id = c.event_id
            LEFT JOIN {endpoints} e ON e.endpoint_id = c.endpoint_id""";

    private final Claim claim;

    ClaimedRows(Claim claim) {
        this.claim = claim;
    }

    @Override
    public ClaimedDelivery mapRow(ResultSet row, int number) throws SQLException {
        String url = row.getString("url");
        return new ClaimedDelivery(
                row.getString("delivery_id"),
                row.getString("event_id"),
                row.getString("endpoint_id"),
                row.getString("event_type"),
                row.getInt("attempts"),
                row.getLong("next_attempt_at"),
                row.getLong("created_at"),
                claim,
                url == null ? null : new Subscriber(url, row.getString("secret")),
                Payload.stored(row.getBytes("payload")));
    }
}
