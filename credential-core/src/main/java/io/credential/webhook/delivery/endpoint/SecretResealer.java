package io.credential.webhook.delivery.endpoint;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.ResealResult;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * Brings the secrets of all endpoints under the active key. A first walk reads everything and writes nothing, so that a
 * secret that cannot be read stops the whole call before it could be lost; the second rewrites row by row and can be
 * repeated.
 *
 * @since 0.1.0
 */
public final class SecretResealer {

    private static final int BATCH = 200;
    private static final int MAX_ATTEMPTS = 5;

    private static final String WALK = """
            SELECT endpoint_id, url, audience, secret FROM {endpoints}
            WHERE endpoint_id > :after
            ORDER BY endpoint_id
            LIMIT :limit""";

    private static final String FIND =
            "SELECT endpoint_id, url, audience, secret FROM {endpoints} WHERE endpoint_id = :endpointId";

    private static final String REPLACE =
            "UPDATE {endpoints} SET secret = :secret WHERE endpoint_id = :endpointId AND secret = :read";

    private static final RowMapper<Row> ROW = (row, index) ->
            new Row(new SecretBinding(row.getString(1), row.getString(2), row.getString(3)), row.getString(4));

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

    /** The sealed secret of an endpoint as it was read. */
    record Row(SecretBinding binding, String cell) {

        String endpointId() {
            return binding.endpointId();
        }
    }

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unreadable-secret} or {@code
     *     webhook-dispatcher/reseal-window-closed}; nothing was written then
     */
    public ResealResult resealSecrets() {
        walk(row -> open(row).close());
        int[] resealed = {0};
        int examined = walk(row -> resealed[0] += reseal(row) ? 1 : 0);
        return new ResealResult(examined, resealed[0]);
    }

    private int walk(Consumer<Row> visit) {
        int visited = 0;
        String after = "";
        List<Row> batch;
        do {
            batch = batch(after);
            batch.forEach(visit);
            visited += batch.size();
            after = batch.isEmpty() ? after : batch.get(batch.size() - 1).endpointId();
        } while (batch.size() == BATCH);
        return visited;
    }

    private SecretBytes open(Row row) {
        if (!secrets.isMigrationWindowOpen() && Sealer.isPlain(row.cell())) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.RESEAL_WINDOW_CLOSED,
                    where(row) + " has the plain form; name " + DispatcherTables.LOGICAL_ENDPOINTS
                            + " in credential.seal.allow-plain-migration, reseal, and take it out again");
        }
        try {
            return secrets.open(row.binding(), row.cell());
        } catch (SealException e) {
            throw unreadable(row, "does not open", e);
        } catch (UnknownSealKeyException e) {
            throw unreadable(row, "is sealed under a key that the keyring lacks", e);
        }
    }

    /** Whether the secret was rewritten; one that is current is left alone. */
    boolean reseal(Row seen) {
        Row row = seen;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (secrets.isCurrent(row.cell())) {
                return false;
            }
            if (replace(row, current(row))) {
                return true;
            }
            Optional<Row> again = find(row.endpointId());
            if (again.isEmpty()) {
                return false; // removed meanwhile
            }
            row = again.get();
        }
        throw new OptimisticLockingFailureException(
                where(row) + " was replaced repeatedly while it was resealed; call resealSecrets() again");
    }

    private String current(Row row) {
        try (SecretBytes secret = open(row)) {
            return secrets.seal(row.binding(), secret);
        }
    }

    private List<Row> batch(String after) {
        return jdbc.sql(tables.in(WALK))
                .param("after", after)
                .param("limit", BATCH)
                .query(ROW)
                .list();
    }

    private Optional<Row> find(String endpointId) {
        return jdbc.sql(tables.in(FIND))
                .param("endpointId", endpointId)
                .query(ROW)
                .optional();
    }

    private boolean replace(Row read, String secret) {
        int replaced = database.inTransaction(() -> jdbc.sql(tables.in(REPLACE))
                .param("endpointId", read.endpointId())
                .param("secret", secret)
                .param("read", read.cell())
                .update());
        return replaced == 1;
    }

    private WebhookDispatcherException unreadable(Row row, String why, @Nullable Throwable cause) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.UNREADABLE_SECRET, where(row) + " " + why + "; nothing was resealed", cause);
    }

    private String where(Row row) {
        return tables.endpoints() + ".secret of endpoint " + row.endpointId();
    }
}
