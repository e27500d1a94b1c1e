package io.credential.webhook.delivery.queue;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.PayloadFormat;

/**
 * The destination of a delivery, as it was stored when it was read.
 *
 * @param secretCell the sealed secret
 * @param headersCell the sealed headers; null for none
 * @param audience null for none
 * @param paused whether deliveries are held
 * @param failing whether it is recorded that every attempt fails
 * @since 0.1.0
 */
public record Subscriber(
        String url,
        String secretCell,
        @Nullable String headersCell,
        @Nullable String audience,
        PayloadFormat payloadFormat,
        boolean paused,
        boolean failing) {

    /** The columns of the endpoint {@code e} that {@link #read} needs, besides the audience. */
    public static final String COLUMNS =
            "e.url, e.secret, e.headers, e.payload_format, e.paused_at IS NOT NULL AS paused, e.failing_since IS NOT NULL AS failing";

    /**
     * Reads an endpoint from a row; returns null if the row has none.
     *
     * @throws SQLException if a column is missing
     */
    public static @Nullable Subscriber read(ResultSet row, String audienceColumn) throws SQLException {
        String url = row.getString("url");
        if (url == null) {
            return null;
        }
        String format = row.getString("payload_format");
        return new Subscriber(
                url,
                row.getString("secret"),
                row.getString("headers"),
                row.getString(audienceColumn),
                PayloadFormat.ofText(format).orElseThrow(),
                row.getBoolean("paused"),
                row.getBoolean("failing"));
    }

    /** Without the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "Subscriber";
    }
}
