package io.credential.webhook.delivery.internal.endpoint;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Reads registered endpoints with their subscriptions. Thread-safe. */
public final class EndpointReader {

    /** One statement, so that it reads each registration as a whole; event types contain no spaces. */
    private static final String SELECT = """
            SELECT e.endpoint_id, e.url, e.audience, e.payload_format, e.name, e.metadata, e.rate_limit, e.rate_window,
                   e.created_at, e.paused_at, e.pause_reason, e.scheme, e.signature_header,
                   e.secret, e.secret_number, e.previous_secret, e.previous_until,
                   (SELECT string_agg(s.event_type, ' ') FROM {subscriptions} s WHERE s.endpoint_id = e.endpoint_id)
                       AS event_types
            FROM {endpoints} e
            """;

    private static final String LIST_ALL = SELECT + "ORDER BY e.endpoint_id";

    private static final String LIST_PAGE = SELECT + "WHERE e.endpoint_id > :after ORDER BY e.endpoint_id LIMIT :limit";

    private static final String FIND = SELECT + "WHERE e.endpoint_id = :endpointId";

    private static final String LIST_OF =
            SELECT + "WHERE e.audience = :audience AND e.endpoint_id > :after ORDER BY e.endpoint_id LIMIT :limit";

    private static final String FIND_OF = FIND + " AND e.audience = :audience";

    private static final String LIST_PAUSED =
            SELECT + "WHERE e.paused_at IS NOT NULL ORDER BY e.paused_at DESC, e.endpoint_id LIMIT :limit";

    private static final String EXISTS_OF =
            "SELECT 1 FROM {endpoints} WHERE endpoint_id = :endpointId AND audience = :audience";

    private final DispatcherContext context;
    private final EndpointSecrets secrets;

    public EndpointReader(DispatcherContext context, EndpointSecrets secrets) {
        this.context = context;
        this.secrets = secrets;
    }

    /** Returns all endpoints in the order of their ids, with sorted event types. */
    public List<Endpoint> list() {
        return context.sql(LIST_ALL).query((row, index) -> endpoint(row)).list();
    }

    /**
     * Returns endpoints in the order of their ids, with sorted event types.
     *
     * @param afterId the id that the endpoints follow; null for the first ones
     */
    public List<Endpoint> list(@Nullable String afterId, int limit) {
        DispatcherRules.requireLimit(limit);
        if (afterId != null && !DispatcherRules.isName(afterId)) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "afterEndpointId must be the id of an endpoint");
        }
        return context.sql(LIST_PAGE)
                .param("after", Objects.requireNonNullElse(afterId, ""))
                .param("limit", limit)
                .query((row, index) -> endpoint(row))
                .list();
    }

    /** Returns the endpoints that were paused last, the latest first. */
    public List<Endpoint> paused(int limit) {
        DispatcherRules.requireLimit(limit);
        return context.sql(LIST_PAUSED)
                .param("limit", limit)
                .query((row, index) -> endpoint(row))
                .list();
    }

    public Optional<Endpoint> find(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        return DispatcherRules.isName(endpointId)
                ? context.sql(FIND)
                        .param("endpointId", endpointId)
                        .query((row, index) -> endpoint(row))
                        .optional()
                : Optional.empty();
    }

    /**
     * Returns endpoints of an audience in the order of their ids.
     *
     * @param afterId the id that the endpoints follow; null for the first ones
     */
    public List<Endpoint> listOf(String audience, @Nullable String afterId, int limit) {
        return context.sql(LIST_OF)
                .param("audience", audience)
                .param("after", Objects.requireNonNullElse(afterId, ""))
                .param("limit", limit)
                .query((row, index) -> endpoint(row))
                .list();
    }

    /** Returns an endpoint if it is one of the audience. */
    public Optional<Endpoint> findOf(String audience, String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        return DispatcherRules.isName(endpointId)
                ? context.sql(FIND_OF)
                        .param("endpointId", endpointId)
                        .param("audience", audience)
                        .query((row, index) -> endpoint(row))
                        .optional()
                : Optional.empty();
    }

    /** Returns whether the audience has this endpoint. */
    public boolean existsOf(String audience, String endpointId) {
        return existsOf(audience, endpointId, "");
    }

    /** Returns whether the audience has this endpoint, which is then locked until the end of the transaction. */
    public boolean lockOf(String audience, String endpointId) {
        return existsOf(audience, endpointId, context.database().dialect().lock());
    }

    private boolean existsOf(String audience, String endpointId, String lock) {
        DispatcherRules.require("endpointId", endpointId);
        return DispatcherRules.isName(endpointId)
                && context.sql(EXISTS_OF + lock)
                        .param("endpointId", endpointId)
                        .param("audience", audience)
                        .query(Integer.class)
                        .optional()
                        .isPresent();
    }

    private Endpoint endpoint(ResultSet row) throws SQLException {
        SecretCells cells = SecretCells.read(row);
        return new Endpoint(
                row.getString("endpoint_id"),
                row.getString("url"),
                eventTypes(row.getString("event_types")),
                row.getString("audience"),
                PayloadFormat.ofText(row.getString("payload_format")).orElseThrow(),
                row.getString("name"),
                JsonText.readObject(row.getString("metadata")),
                Subscriber.rateLimit(row),
                Instant.ofEpochMilli(row.getLong("created_at")),
                pausedAt(row),
                pauseReason(row),
                cells.scheme(),
                cells.signatureHeader(),
                secrets.publicKey(SealedEndpoint.binding(row), cells),
                EndpointSecrets.kid(cells),
                previousUntil(cells, context.clock()),
                null);
    }

    private static List<String> eventTypes(@Nullable String joined) {
        return joined == null
                ? List.of()
                : Arrays.stream(joined.split(" ")).sorted().toList();
    }

    static @Nullable Instant pausedAt(ResultSet row) throws SQLException {
        long pausedAt = row.getLong("paused_at");
        return row.wasNull() ? null : Instant.ofEpochMilli(pausedAt);
    }

    /** Returns null if no previous secret signs any more. */
    static @Nullable Instant previousUntil(SecretCells cells, InstantSource clock) {
        return cells.previousUntil() <= clock.millis() ? null : Instant.ofEpochMilli(cells.previousUntil());
    }

    static @Nullable PauseReason pauseReason(ResultSet row) throws SQLException {
        return PauseReason.ofText(row.getString("pause_reason")).orElse(null);
    }
}
