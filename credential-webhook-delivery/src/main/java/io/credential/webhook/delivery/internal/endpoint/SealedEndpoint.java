package io.credential.webhook.delivery.internal.endpoint;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.SecretCells;

/**
 * The sealed secrets and headers of an endpoint as they were read, and what they are bound to.
 *
 * @param headersCell null for none
 */
record SealedEndpoint(
        SecretBinding binding,
        SecretCells secrets,
        @Nullable String headersCell) {

    /** The columns of the endpoint {@code e} that {@link #ROW} needs. */
    static final String COLUMNS = "e.endpoint_id, e.url, e.audience, e.headers, " + SecretCells.COLUMNS;

    static final RowMapper<SealedEndpoint> ROW =
            (row, index) -> new SealedEndpoint(binding(row), SecretCells.read(row), row.getString("headers"));

    private static final String FIND = "SELECT " + COLUMNS + " FROM {endpoints} e WHERE e.endpoint_id = :endpointId";

    static SecretBinding binding(ResultSet row) throws SQLException {
        return new SecretBinding(row.getString("endpoint_id"), row.getString("url"), row.getString("audience"));
    }

    static Optional<SealedEndpoint> find(JdbcClient jdbc, DispatcherTables tables, String endpointId) {
        return jdbc.sql(tables.in(FIND))
                .param("endpointId", endpointId)
                .query(ROW)
                .optional();
    }
}
