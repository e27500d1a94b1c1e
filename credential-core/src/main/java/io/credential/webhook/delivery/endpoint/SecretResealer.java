package io.credential.webhook.delivery.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.RowResealer;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * Reseals the secrets and headers of all endpoints. If one cannot be read, {@link #resealAll()} writes nothing and throws {@link
 * WebhookDispatcherException} with {@code webhook-dispatcher/unreadable-secret} or {@code
 * webhook-dispatcher/reseal-window-closed}.
 *
 * @since 0.1.0
 */
public final class SecretResealer extends RowResealer<SecretResealer.Row> {

    private static final String WALK = """
            SELECT endpoint_id, url, audience, secret, headers FROM {endpoints}
            WHERE endpoint_id > :after
            ORDER BY endpoint_id
            LIMIT :limit""";

    private static final String FIND =
            "SELECT endpoint_id, url, audience, secret, headers FROM {endpoints} WHERE endpoint_id = :endpointId";

    /** Whoever replaces the headers also replaces the secret. */
    private static final String REPLACE = """
            UPDATE {endpoints} SET secret = :secret, headers = :headers
            WHERE endpoint_id = :endpointId AND secret = :read""";

    private static final RowMapper<Row> ROW = (row, index) -> new Row(
            new SecretBinding(row.getString(1), row.getString(2), row.getString(3)),
            row.getString(4),
            row.getString(5));

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final DispatcherTables tables;
    private final EndpointSecrets secrets;

    public SecretResealer(CredentialDatabase database, DispatcherTables tables, EndpointSecrets secrets) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.tables = tables;
        this.secrets = secrets;
    }

    /**
     * The sealed secret and headers of an endpoint as they were read.
     *
     * @param headersCell null for none
     */
    record Row(SecretBinding binding, String cell, @Nullable String headersCell) {}

    @Override
    protected List<Row> rowsAfter(String id, int limit) {
        return jdbc.sql(tables.in(WALK))
                .param("after", id)
                .param("limit", limit)
                .query(ROW)
                .list();
    }

    @Override
    protected Optional<Row> find(String id) {
        return jdbc.sql(tables.in(FIND)).param("endpointId", id).query(ROW).optional();
    }

    @Override
    protected String id(Row row) {
        return row.binding().endpointId();
    }

    @Override
    protected void requireReadable(Row row) {
        open(row).close();
        wipe(openHeaders(row));
    }

    @Override
    protected boolean isCurrent(Row row) {
        return secrets.isCurrent(row.cell());
    }

    @Override
    protected boolean rewrite(Row row) {
        try (SecretBytes secret = open(row)) {
            String sealed = secrets.seal(row.binding(), secret);
            String headers = sealHeadersAgain(row);
            return database.inTransaction(() -> jdbc.sql(tables.in(REPLACE))
                            .param("endpointId", id(row))
                            .param("secret", sealed)
                            .param("headers", headers)
                            .param("read", row.cell())
                            .update())
                    == 1;
        }
    }

    @Override
    protected RuntimeException conflict(String id) {
        return new OptimisticLockingFailureException(
                where(id) + " was replaced repeatedly while it was resealed; call resealSecrets() again");
    }

    private SecretBytes open(Row row) {
        if (!secrets.isMigrationWindowOpen() && Sealer.isPlain(row.cell())) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.RESEAL_WINDOW_CLOSED,
                    where(id(row)) + " has the plain form; add " + DispatcherTables.LOGICAL_ENDPOINTS
                            + " to credential.seal.allow-plain-migration, reseal, and remove it again");
        }
        return readable(where(id(row)), () -> secrets.open(row.binding(), row.cell()));
    }

    private Map<String, SecretBytes> openHeaders(Row row) {
        return readable(where("headers", id(row)), () -> secrets.openHeaders(row.binding(), row.headersCell()));
    }

    private @Nullable String sealHeadersAgain(Row row) {
        Map<String, SecretBytes> headers = openHeaders(row);
        try {
            return secrets.sealHeaders(row.binding(), headers);
        } finally {
            wipe(headers);
        }
    }

    private static void wipe(Map<String, SecretBytes> headers) {
        headers.values().forEach(SecretBytes::close);
    }

    private static <T> T readable(String where, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (SealException e) {
            throw unreadable(where + " does not open: register the endpoint again", e);
        } catch (UnknownSealKeyException e) {
            throw unreadable(where + " is sealed under a key that the keyring lacks: add it to the keyring", e);
        }
    }

    private static WebhookDispatcherException unreadable(String message, Throwable cause) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.UNREADABLE_SECRET, message, cause);
    }

    private String where(String endpointId) {
        return where("secret", endpointId);
    }

    private String where(String column, String endpointId) {
        return tables.endpoints() + "." + column + " of endpoint " + endpointId;
    }
}
