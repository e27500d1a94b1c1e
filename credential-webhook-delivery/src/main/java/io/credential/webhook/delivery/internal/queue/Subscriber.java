package io.credential.webhook.delivery.internal.queue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.PayloadFormat;

/**
 * The destination of a delivery, as it was stored when it was read.
 *
 * @param secrets the sealed secrets
 * @param headersCell the sealed headers; null for none
 * @param audience null for none
 * @param version rises when the endpoint is registered again or resumed
 * @param paused whether deliveries are held
 * @param failing whether it is recorded that all attempts fail
 * @param rateLimit how many requests it may get; null for any number
 */
public record Subscriber(
        String url,
        SecretCells secrets,
        @Nullable String headersCell,
        @Nullable String audience,
        PayloadFormat payloadFormat,
        int version,
        boolean paused,
        boolean failing,
        @Nullable RateLimit rateLimit) {

    /** The columns of the endpoint {@code e} that {@link #read} needs, besides the audience. */
    public static final String COLUMNS =
            "e.url, e.headers, e.payload_format, e.version, e.paused_at IS NOT NULL AS paused,"
                    + " e.failing_since IS NOT NULL AS failing, e.rate_limit, e.rate_window, " + SecretCells.COLUMNS;

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
                SecretCells.read(row),
                row.getString("headers"),
                row.getString(audienceColumn),
                PayloadFormat.ofText(format).orElseThrow(),
                row.getInt("version"),
                row.getBoolean("paused"),
                row.getBoolean("failing"),
                rateLimit(row));
    }

    /**
     * Reads the rate limit of an endpoint from the columns {@code rate_limit} and {@code rate_window}; null for none.
     *
     * @throws SQLException if a column is missing
     */
    public static @Nullable RateLimit rateLimit(ResultSet row) throws SQLException {
        int limit = row.getInt("rate_limit");
        return limit == 0 ? null : new RateLimit(limit, Duration.ofSeconds(row.getLong("rate_window")));
    }

    /** Returns whether requests to the other one have the same destination, format, signature and headers. */
    public boolean sendsLike(Subscriber other) {
        return url.equals(other.url)
                && secrets.equals(other.secrets)
                && Objects.equals(headersCell, other.headersCell)
                && Objects.equals(audience, other.audience)
                && payloadFormat == other.payloadFormat;
    }

    /** Without the URL, which may contain a secret. */
    @Override
    public String toString() {
        return "Subscriber";
    }
}
