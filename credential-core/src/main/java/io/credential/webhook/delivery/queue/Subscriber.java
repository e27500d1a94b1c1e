package io.credential.webhook.delivery.queue;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.PayloadFormat;

/**
 * The destination of a delivery, as it was stored when it was read.
 *
 * @param secretCell the sealed secret
 * @param audience null for none
 * @since 0.1.0
 */
public record Subscriber(
        String url, String secretCell, @Nullable String audience, PayloadFormat payloadFormat) {

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
                row.getString(audienceColumn),
                PayloadFormat.ofText(format).orElseThrow());
    }

    /** Without the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "Subscriber";
    }
}
