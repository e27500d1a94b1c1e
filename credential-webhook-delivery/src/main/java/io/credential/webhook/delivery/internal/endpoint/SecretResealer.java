package io.credential.webhook.delivery.internal.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.internal.RowResealer;
import io.credential.seal.internal.Sealer;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.SecretCells;

/**
 * Reseals the secrets and headers of all endpoints. If one cannot be read, {@link #resealAll()} writes nothing and throws {@link
 * WebhookDispatcherException} with {@code webhook-dispatcher/unreadable-secret} or {@code
 * webhook-dispatcher/reseal-window-closed}. If one is changed repeatedly meanwhile, it throws {@code
 * webhook-dispatcher/endpoint-conflict}; call it again then.
 */
public final class SecretResealer extends RowResealer<SealedEndpoint> {

    private static final Logger LOG = LoggerFactory.getLogger(SecretResealer.class);

    private static final String WALK = "SELECT " + SealedEndpoint.COLUMNS
            + " FROM {endpoints} e WHERE e.endpoint_id > :after ORDER BY e.endpoint_id LIMIT :limit";

    /** Whoever replaces the headers also replaces the secret. The previous secret may have been erased meanwhile. */
    private static final String REPLACE = """
            UPDATE {endpoints}
            SET secret = :secret, headers = :headers,
                previous_secret = CASE WHEN previous_secret IS NOT NULL THEN CAST(:previous AS text) END
            WHERE endpoint_id = :endpointId AND secret = :read""";

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

    @Override
    protected List<SealedEndpoint> rowsAfter(String id, int limit) {
        return jdbc.sql(tables.in(WALK))
                .param("after", id)
                .param("limit", limit)
                .query(SealedEndpoint.ROW)
                .list();
    }

    @Override
    protected Optional<SealedEndpoint> find(String id) {
        return SealedEndpoint.find(jdbc, tables, id);
    }

    @Override
    protected String id(SealedEndpoint row) {
        return row.binding().endpointId();
    }

    @Override
    protected void requireReadable(SealedEndpoint row) {
        requireReadableSecrets(row);
        wipe(openHeaders(row));
    }

    @Override
    protected boolean isCurrent(SealedEndpoint row) {
        return secrets.areCurrent(row.secrets(), row.headersCell());
    }

    @Override
    protected boolean rewrite(SealedEndpoint row) {
        SecretCells sealed = readable(
                row,
                "secret",
                () -> secrets.reseal(
                        row.binding(),
                        row.binding(),
                        row.secrets(),
                        row.secrets().signatureHeader()));
        String headers = sealHeadersAgain(row);
        return database.inTransaction(() -> jdbc.sql(tables.in(REPLACE))
                        .param("endpointId", id(row))
                        .param("secret", sealed.current())
                        .param("previous", sealed.previous())
                        .param("headers", headers)
                        .param("read", row.secrets().current())
                        .update())
                == 1;
    }

    @Override
    protected RuntimeException conflict(String id) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.ENDPOINT_CONFLICT,
                where("secret", id) + " was replaced repeatedly while it was resealed; call resealSecrets() again");
    }

    @Override
    protected void report(String pass, int examined, int resealed) {
        LOG.info("{} {}: {} rows examined, {} changed so far", pass, tables.endpoints(), examined, resealed);
    }

    private void requireReadableSecrets(SealedEndpoint row) {
        if (!secrets.isMigrationWindowOpen() && Sealer.isPlain(row.secrets().current())) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.RESEAL_WINDOW_CLOSED,
                    where("secret", id(row)) + " has the plain form; add " + DispatcherTables.LOGICAL_ENDPOINTS
                            + " to credential.seal.allow-plain-migration, reseal, and remove it again");
        }
        readable(row, "secret", () -> secrets.open(row.binding(), row.secrets()))
                .close();
        SecretBytes previous =
                readable(row, "previous_secret", () -> secrets.openPrevious(row.binding(), row.secrets()));
        if (previous != null) {
            previous.close();
        }
    }

    private Map<String, SecretBytes> openHeaders(SealedEndpoint row) {
        return readable(row, "headers", () -> secrets.openHeaders(row.binding(), row.headersCell()));
    }

    private @Nullable String sealHeadersAgain(SealedEndpoint row) {
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

    private <T extends @Nullable Object> T readable(SealedEndpoint row, String column, Supplier<T> opening) {
        return EndpointSecrets.readable(where(column, id(row)), opening);
    }

    private String where(String column, String endpointId) {
        return tables.endpoints() + "." + column + " of endpoint " + endpointId;
    }
}
