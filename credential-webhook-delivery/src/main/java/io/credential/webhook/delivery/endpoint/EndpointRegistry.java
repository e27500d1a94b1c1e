package io.credential.webhook.delivery.endpoint;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.AuditTrail;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.SecretBytes;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.JsonText;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherRules;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.OperationalEvent;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.OperationalEvents;
import io.credential.webhook.delivery.queue.SecretCells;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Subscriber;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookTransportException;

/**
 * Registers, removes and lists endpoints with their subscriptions. Thread-safe.
 *
 * @since 0.1.0
 */
public final class EndpointRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRegistry.class);

    private static final String REGISTERED = "webhook.endpoint.register";
    private static final int MAX_REGISTRATIONS = 5;
    private static final int MAX_REMOVALS = 5;
    private static final int BATCH = 500;

    /**
     * Changes and returns nothing if the id is taken by an endpoint that must not be replaced. A pause stays: applications
     * register their endpoints at each start. Failures at another URL no longer count. A secret that was read must not
     * have changed since.
     */
    private static final String UPSERT = """
            INSERT INTO {endpoints} AS e (endpoint_id, url, scheme, secret, secret_number, previous_secret, previous_until,
                headers, audience, payload_format, name, metadata, rate_limit, rate_window, version, created_at)
            VALUES (:endpointId, :url, :scheme, :secret, :secretNumber, :previousSecret, :previousUntil,
                :headers, :audience, :payloadFormat, :name, :metadata, :rateLimit, :rateWindow, 1, :now)
            ON CONFLICT (endpoint_id) DO UPDATE
            SET url = excluded.url, scheme = excluded.scheme, secret = excluded.secret,
                secret_number = excluded.secret_number,
                previous_secret = excluded.previous_secret, previous_until = excluded.previous_until,
                headers = excluded.headers,
                payload_format = excluded.payload_format, name = excluded.name, metadata = excluded.metadata,
                rate_limit = excluded.rate_limit, rate_window = excluded.rate_window,
                version = e.version + 1,
                failing_since = CASE WHEN e.url = excluded.url THEN e.failing_since END,
                reported_at = CASE WHEN e.url = excluded.url THEN e.reported_at END
            WHERE e.audience IS NOT DISTINCT FROM excluded.audience AND CAST(:createOnly AS INTEGER) = 0
              AND e.secret = COALESCE(CAST(:readSecret AS text), e.secret)
            RETURNING created_at, version, paused_at, pause_reason""";

    private static final String UNSUBSCRIBE = "DELETE FROM {subscriptions} WHERE endpoint_id = :endpointId";

    private static final String SUBSCRIBE =
            "INSERT INTO {subscriptions} (event_type, endpoint_id) VALUES (:eventType, :endpointId)";

    private static final String REMOVE = "DELETE FROM {endpoints} WHERE endpoint_id = :endpointId";

    /**
     * Deliveries in flight are left to their attempts, whose outcomes would otherwise wait for the end of the caller's
     * transaction. If an endpoint was registered under the id meanwhile, pending deliveries go to it.
     */
    private static final String KILL_PENDING = """
            UPDATE {deliveries}
            SET status = 'dead', dead_at = :now, last_error = '%s', last_reason = NULL
            WHERE delivery_id {is_of_batch}
              AND delivered_at IS NULL AND dead_at IS NULL AND status = 'pending'
              AND NOT EXISTS (SELECT 1 FROM {endpoints} WHERE endpoint_id = :endpointId)
            RETURNING delivery_id, attempts, event_id,
                (SELECT v.event_type FROM {events} v WHERE v.event_id = {deliveries}.event_id)""".formatted(Settlement.ENDPOINT_REMOVED);

    private static final String PENDING = """
            SELECT delivery_id FROM {deliveries}
            WHERE endpoint_id = :endpointId AND delivered_at IS NULL AND dead_at IS NULL
              AND CASE WHEN status = 'pending' THEN 1 END IS NOT NULL
            ORDER BY next_attempt_at""";

    /**
     * PostgreSQL has no statistics for the {@code CASE}, assumes that it is true, and does not know the limit. Whatever its
     * statistics say, it therefore takes the first rows of the index, and does not sort the whole backlog for each batch.
     */
    private static final String BATCH_ON_POSTGRESQL = PENDING + " LIMIT (SELECT CAST(:limit AS bigint)) FOR UPDATE";

    /** SQLite has one writer at a time. */
    private static final String BATCH_ON_SQLITE = PENDING + " LIMIT :limit";

    /** One statement, so that it reads each registration as a whole; event types contain no spaces. */
    private static final String SELECT = """
            SELECT e.endpoint_id, e.url, e.audience, e.payload_format, e.name, e.metadata, e.rate_limit, e.rate_window,
                   e.created_at, e.paused_at, e.pause_reason, e.scheme, e.secret, e.secret_number, e.previous_secret, e.previous_until,
                   (SELECT string_agg(s.event_type, ' ') FROM {subscriptions} s WHERE s.endpoint_id = e.endpoint_id)
                       AS event_types
            FROM {endpoints} e
            """;

    private static final String LIST_ALL = SELECT + "ORDER BY e.endpoint_id";

    private static final String LIST_PAGE = SELECT + "WHERE e.endpoint_id > :after ORDER BY e.endpoint_id LIMIT :limit";

    private static final String FIND = SELECT + "WHERE e.endpoint_id = :endpointId";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final DispatcherTables tables;
    private final EndpointSecrets secrets;
    private final DestinationVetter destinations;
    private final String signatureHeader;
    private final Consumer<String> onChange;
    private final Duration lookupTimeout;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final DeathReporter deaths;
    private final OperationalEvents events;
    private final String killPending;

    /** @param onChange called with the id of an endpoint after its replacement or removal was committed */
    public EndpointRegistry(
            CredentialDatabase database,
            DispatcherTables tables,
            EndpointSecrets secrets,
            DestinationVetter destinations,
            String signatureHeader,
            Consumer<String> onChange,
            Duration lookupTimeout,
            InstantSource clock,
            AuditTrail audit,
            DeathReporter deaths,
            OperationalEvents events) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.tables = tables;
        this.secrets = secrets;
        this.destinations = destinations;
        this.signatureHeader = signatureHeader;
        this.onChange = onChange;
        this.lookupTimeout = lookupTimeout;
        this.clock = clock;
        this.audit = audit;
        this.deaths = deaths;
        this.events = events;
        this.killPending = tables.in(KILL_PENDING.replace(
                "{is_of_batch}",
                database.dialect()
                        .isOneOf(
                                switch (database.dialect()) {
                                    case POSTGRESQL -> BATCH_ON_POSTGRESQL;
                                    case SQLITE -> BATCH_ON_SQLITE;
                                })));
    }

    /**
     * Creates an endpoint, or replaces the one with the same id and audience. Waits for DNS before it takes a connection.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unsafe-destination} if webhooks may not be sent to the
     *     URL, {@code webhook-dispatcher/endpoint-conflict} if the id is taken by an endpoint that must not be replaced,
     *     or that is changed repeatedly at the same time, {@code webhook-dispatcher/unreadable-secret} if the endpoint keeps
     *     its secret, and that cannot be opened
     */
    public Endpoint register(EndpointRegistration registration) {
        DispatcherRules.require("registration", registration);
        requireNoSignatureHeader(registration);
        String host = requireSafe(registration).host();
        SecretBytes secret = registration.secret();
        if (secret != null) {
            EndpointSecrets.warnIfWeak(registration.endpointId(), secret);
        }
        List<String> eventTypes = registration.eventTypes().stream().sorted().toList();
        return database.inTransaction(() -> {
            // The lock on the row keeps out other registrations of this id until the subscriptions are written.
            Stored stored = secret == null ? keepOrGenerate(registration, host) : replace(registration, secret, host);
            replaceSubscriptions(registration.endpointId(), eventTypes);
            database.afterCommit(() -> onChange.accept(registration.endpointId()));
            Map<String, Object> facts = facts(registration, host);
            facts.put("replaced", stored.version() > 1);
            database.afterCommit(audit.successReport(REGISTERED, registration.endpointId(), facts));
            return new Endpoint(
                    registration.endpointId(),
                    registration.url(),
                    eventTypes,
                    registration.audience(),
                    registration.payloadFormat(),
                    registration.name(),
                    registration.metadata(),
                    registration.rateLimit(),
                    Instant.ofEpochMilli(stored.createdAt()),
                    stored.pausedAt(),
                    stored.pauseReason(),
                    registration.scheme(),
                    secrets.publicKey(binding(registration), stored.secrets()),
                    EndpointSecrets.kid(stored.secrets()),
                    previousUntil(stored.secrets()),
                    stored.generated());
        });
    }

    private Stored replace(EndpointRegistration registration, SecretBytes secret, String host) {
        SecretCells sealed = secrets.seal(binding(registration), registration.scheme(), secret);
        return upsert(registration, registration.isCreateOnly(), sealed, null)
                .orElseThrow(() -> conflict(registration, host));
    }

    /**
     * An endpoint that exists keeps its secret, since applications register their endpoints at each start, unless another
     * scheme needs another one.
     */
    private Stored keepOrGenerate(EndpointRegistration registration, String host) {
        for (int attempt = 0; attempt < MAX_REGISTRATIONS; attempt++) {
            Optional<SealedEndpoint> existing = SealedEndpoint.find(jdbc, tables, registration.endpointId());
            Optional<Stored> stored =
                    existing.isEmpty() ? generate(registration, true, null) : keep(registration, existing.get(), host);
            if (stored.isPresent()) {
                return stored.get();
            }
        }
        throw conflict(registration, host, " was changed repeatedly at the same time. Register it again");
    }

    private Optional<Stored> generate(
            EndpointRegistration registration, boolean createOnly, @Nullable String replacedSecret) {
        String generated = secrets.generate(registration.scheme());
        try (SecretBytes secret = EndpointSecrets.bytes(generated)) {
            SecretCells sealed = secrets.seal(binding(registration), registration.scheme(), secret);
            return upsert(registration, createOnly, sealed, replacedSecret)
                    .map(stored -> stored.withGenerated(generated));
        }
    }

    private Optional<Stored> keep(EndpointRegistration registration, SealedEndpoint existing, String host) {
        if (registration.isCreateOnly() || !Objects.equals(existing.binding().audience(), registration.audience())) {
            throw conflict(registration, host);
        }
        if (existing.secrets().scheme() != registration.scheme()) {
            return generate(registration, false, existing.secrets().current());
        }
        SecretCells kept = existing.secrets().at(clock.millis());
        SecretCells sealed = EndpointSecrets.readable(
                "The secret of endpoint " + registration.endpointId(),
                () -> secrets.reseal(existing.binding(), binding(registration), kept));
        return upsert(registration, false, sealed, existing.secrets().current());
    }

    private static SecretBinding binding(EndpointRegistration registration) {
        return new SecretBinding(registration.endpointId(), registration.url(), registration.audience());
    }

    /**
     * Removes an endpoint. Its pending deliveries are marked as dead in batches; running attempts complete, and are not
     * repeated. Deliveries that a database failure leaves pending are dead when they become due.
     *
     * @return whether the endpoint existed
     */
    public boolean remove(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        if (!DispatcherRules.isName(endpointId) || !retryOnLockFailure(endpointId, () -> removeEndpoint(endpointId))) {
            return false;
        }
        int dead = 0;
        try {
            int killed;
            do {
                killed = retryOnLockFailure(endpointId, () -> markBatchDead(endpointId));
                dead += killed;
            } while (killed > 0);
        } finally { // the endpoint is removed, even if the rest failed
            database.afterCommit(
                    audit.successReport("webhook.endpoint.remove", endpointId, Map.of("deadDeliveries", dead)));
        }
        return true;
    }

    /**
     * Repeats a step that could not get its locks, because outcomes that are stored meanwhile lock the same rows in another
     * order. In a transaction of the caller, the caller must repeat it.
     */
    private <T> T retryOnLockFailure(String endpointId, Supplier<T> step) {
        for (int attempt = 1; ; attempt++) {
            try {
                return database.inTransaction(step);
            } catch (PessimisticLockingFailureException e) {
                if (attempt == MAX_REMOVALS || database.isInTransaction()) {
                    throw e;
                }
                LOG.debug("Could not lock the rows of endpoint {}; trying to remove it again", endpointId, e);
            }
        }
    }

    /** Returns all endpoints in the order of their ids, with sorted event types. */
    public List<Endpoint> list() {
        return jdbc.sql(tables.in(LIST_ALL))
                .query((row, index) -> endpoint(row))
                .list();
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
        return jdbc.sql(tables.in(LIST_PAGE))
                .param("after", Objects.requireNonNullElse(afterId, ""))
                .param("limit", limit)
                .query((row, index) -> endpoint(row))
                .list();
    }

    public Optional<Endpoint> find(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        return DispatcherRules.isName(endpointId)
                ? jdbc.sql(tables.in(FIND))
                        .param("endpointId", endpointId)
                        .query((row, index) -> endpoint(row))
                        .optional()
                : Optional.empty();
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
                secrets.publicKey(SealedEndpoint.binding(row), cells),
                EndpointSecrets.kid(cells),
                previousUntil(cells),
                null);
    }

    /** The names of all other headers of a request were rejected before. */
    private void requireNoSignatureHeader(EndpointRegistration registration) {
        if (registration.headers().keySet().stream().anyMatch(signatureHeader::equalsIgnoreCase)) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "The header " + signatureHeader + " carries the signature. Register the endpoint "
                            + registration.endpointId() + " without it");
        }
    }

    private VettedDestination requireSafe(EndpointRegistration registration) {
        try {
            return destinations.vetNow(registration.url(), lookupTimeout);
        } catch (UnsafeDestinationException e) {
            throw e.errorCode() == WebhookErrorCode.UNRESOLVABLE_DESTINATION
                    ? unresolvable(registration, e)
                    : refused(registration, e);
        } catch (WebhookTransportException e) {
            throw refused(registration, e);
        }
    }

    private WebhookDispatcherException refused(EndpointRegistration registration, RuntimeException cause) {
        audit.failure(REGISTERED, "unsafe-destination", registration.endpointId(), facts(registration, null));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.UNSAFE_DESTINATION, String.valueOf(cause.getMessage()), cause);
    }

    private WebhookDispatcherException unresolvable(EndpointRegistration registration, Exception cause) {
        audit.failure(REGISTERED, "unresolvable-destination", registration.endpointId(), facts(registration, null));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.UNRESOLVABLE_DESTINATION, String.valueOf(cause.getMessage()), cause);
    }

    /** Reveals nothing about the existing endpoint, which may be another tenant's. */
    private WebhookDispatcherException conflict(EndpointRegistration registration, String host) {
        return conflict(
                registration,
                host,
                registration.isCreateOnly()
                        ? " is already registered. Choose another id"
                        : " is registered for another audience. Choose another id, or remove it first");
    }

    private WebhookDispatcherException conflict(EndpointRegistration registration, String host, String problem) {
        audit.failure(REGISTERED, "endpoint-conflict", registration.endpointId(), facts(registration, host));
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.ENDPOINT_CONFLICT, "The endpoint " + registration.endpointId() + problem);
    }

    private static Map<String, Object> facts(EndpointRegistration registration, @Nullable String host) {
        Map<String, Object> facts = new HashMap<>();
        if (host != null) {
            facts.put("urlHost", host);
        }
        String audience = registration.audience();
        if (audience != null) {
            facts.put("audience", audience);
        }
        RateLimit rateLimit = registration.rateLimit();
        if (rateLimit != null) {
            facts.put("rateLimit", rateLimit.limit() + " in " + rateLimit.windowSeconds() + " s");
        }
        return facts;
    }

    /**
     * Returns empty if the id is taken by an endpoint that must not be replaced.
     *
     * @param readSecret the cell of the secret as it was read; null if any may be replaced
     */
    private Optional<Stored> upsert(
            EndpointRegistration registration, boolean createOnly, SecretCells sealed, @Nullable String readSecret) {
        RateLimit rateLimit = registration.rateLimit();
        return jdbc.sql(tables.in(UPSERT))
                .param("endpointId", registration.endpointId())
                .param("url", registration.url())
                .param("scheme", sealed.scheme().text())
                .param("secret", sealed.current())
                .param("secretNumber", sealed.number())
                .param("previousSecret", sealed.previous())
                .param("previousUntil", sealed.previous() == null ? null : sealed.previousUntil())
                .param("readSecret", readSecret)
                .param("headers", secrets.sealHeaders(binding(registration), registration.headers()))
                .param("audience", registration.audience())
                .param("payloadFormat", registration.payloadFormat().text())
                .param("name", registration.name())
                .param("metadata", JsonText.write(registration.metadata()))
                .param("rateLimit", rateLimit == null ? null : rateLimit.limit())
                .param("rateWindow", rateLimit == null ? null : rateLimit.windowSeconds())
                .param("createOnly", createOnly ? 1 : 0)
                .param("now", clock.millis())
                .query((row, index) -> new Stored(
                        row.getLong("created_at"),
                        row.getInt("version"),
                        pausedAt(row),
                        pauseReason(row),
                        sealed,
                        null))
                .optional();
    }

    private void replaceSubscriptions(String endpointId, List<String> eventTypes) {
        unsubscribe(endpointId);
        database.batchUpdate(
                tables.in(SUBSCRIBE),
                eventTypes.stream()
                        .<SqlParameterSource>map(eventType ->
                                new MapSqlParameterSource(Map.of("eventType", eventType, "endpointId", endpointId)))
                        .toList());
    }

    private void unsubscribe(String endpointId) {
        jdbc.sql(tables.in(UNSUBSCRIBE)).param("endpointId", endpointId).update();
    }

    private boolean removeEndpoint(String endpointId) {
        boolean removed =
                jdbc.sql(tables.in(REMOVE)).param("endpointId", endpointId).update() == 1;
        if (removed) {
            unsubscribe(endpointId);
            database.afterCommit(() -> onChange.accept(endpointId));
        }
        return removed;
    }

    /** Returns how many deliveries were marked as dead; 0 if none is left. */
    private int markBatchDead(String endpointId) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        List<Killed> killed = jdbc.sql(killPending)
                .param("endpointId", endpointId)
                .param("now", now.toEpochMilli())
                .param("limit", BATCH)
                .query((row, index) -> new Killed(row.getString(1), row.getInt(2), row.getString(3), row.getString(4)))
                .list();
        events.raise(killed.stream()
                .filter(delivery -> !OperationalEvent.isReserved(delivery.eventType()))
                .map(delivery -> delivery.event(endpointId, now))
                .toList());
        database.afterCommit(() -> killed.forEach(delivery -> deaths.died(
                delivery.deliveryId(),
                endpointId,
                delivery.eventType(),
                delivery.attempts(),
                DeadReason.ENDPOINT_REMOVED)));
        return killed.size();
    }

    private static List<String> eventTypes(@Nullable String joined) {
        return joined == null
                ? List.of()
                : Arrays.stream(joined.split(" ")).sorted().toList();
    }

    private static @Nullable Instant pausedAt(ResultSet row) throws SQLException {
        long pausedAt = row.getLong("paused_at");
        return row.wasNull() ? null : Instant.ofEpochMilli(pausedAt);
    }

    /** Returns null if no previous secret signs any more. */
    private @Nullable Instant previousUntil(SecretCells cells) {
        return cells.previousUntil() <= clock.millis() ? null : Instant.ofEpochMilli(cells.previousUntil());
    }

    private static @Nullable PauseReason pauseReason(ResultSet row) throws SQLException {
        return PauseReason.ofText(row.getString("pause_reason")).orElse(null);
    }

    /**
     * @param version how often the endpoint was registered
     * @param generated the secret, if it was generated
     */
    private record Stored(
            long createdAt,
            int version,
            @Nullable Instant pausedAt,
            @Nullable PauseReason pauseReason,
            SecretCells secrets,
            @Nullable String generated) {

        Stored withGenerated(String secret) {
            return new Stored(createdAt, version, pausedAt, pauseReason, secrets, secret);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "Stored";
        }
    }

    private record Killed(String deliveryId, int attempts, String eventId, String eventType) {

        OperationalEvent event(String endpointId, Instant deadAt) {
            return OperationalEvent.deliveryDead(
                    deliveryId, eventId, eventType, endpointId, attempts, DeadReason.ENDPOINT_REMOVED, deadAt);
        }
    }
}
