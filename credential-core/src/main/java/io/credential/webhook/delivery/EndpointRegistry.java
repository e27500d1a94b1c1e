package io.credential.webhook.delivery;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.AuditTrail;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.UnsafeDestinationException;

/** The endpoints and what they subscribe to. Thread-safe. */
final class EndpointRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointRegistry.class);

    private static final int STRONG_SECRET_BYTES = 16;
    private static final int MAX_REMOVALS = 5;

    private static final String UPSERT = """
            INSERT INTO {endpoints} (endpoint_id, url, secret, audience, created_at)
            VALUES (:endpointId, :url, :secret, :audience, :now)
            ON CONFLICT (endpoint_id) DO UPDATE
            SET url = excluded.url, secret = excluded.secret, audience = excluded.audience
            RETURNING created_at""";

    private static final String UNSUBSCRIBE = "DELETE FROM {subscriptions} WHERE endpoint_id = :endpointId";

    private static final String SUBSCRIBE =
            "INSERT INTO {subscriptions} (event_type, endpoint_id) VALUES (:eventType, :endpointId)";

    private static final String REMOVE = "DELETE FROM {endpoints} WHERE endpoint_id = :endpointId";

    /** What is in flight is left to its attempt, whose outcome would wait for as long as a caller's transaction lasts. */
    private static final String KILL_PENDING = """
            UPDATE {deliveries}
            SET status = :dead, dead_at = :now, last_error = '%s'
            WHERE endpoint_id = :endpointId AND delivered_at IS NULL AND dead_at IS NULL AND status = 'pending'""".formatted(Settlement.ENDPOINT_REMOVED);

    /** One statement, so that it shows the whole of each registration; names of events hold no space. */
    private static final String LIST = """
            SELECT e.endpoint_id, e.url, e.audience, e.created_at,
                   (SELECT string_agg(s.event_type, ' ') FROM {subscriptions} s WHERE s.endpoint_id = e.endpoint_id)
            FROM {endpoints} e
            ORDER BY e.endpoint_id""";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final DispatcherTables tables;
    private final EndpointSecrets secrets;
    private final DestinationVetter destinations;
    private final Duration lookupTimeout;
    private final InstantSource clock;
    private final AuditTrail audit;

    EndpointRegistry(
            CredentialDatabase database,
            DispatcherTables tables,
            EndpointSecrets secrets,
            DestinationVetter destinations,
            Duration lookupTimeout,
            InstantSource clock,
            AuditTrail audit) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.tables = tables;
        this.secrets = secrets;
        this.destinations = destinations;
        this.lookupTimeout = lookupTimeout;
        this.clock = clock;
        this.audit = audit;
    }

    /**
     * Creates an endpoint or replaces the one of the same id. Waits for DNS before it takes a connection.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unsafe-destination} when the URL is refused
     */
    Endpoint register(EndpointRegistration registration) {
        requireSafe(registration);
        warnOfWeakSecret(registration);
        String secret = secrets.seal(registration.endpointId(), registration.secret());
        List<String> eventTypes = registration.eventTypes().stream().sorted().toList();
        return database.inTransaction(() -> {
            // The lock on the row keeps another registration of this id out until the subscriptions are written too.
            long createdAt = upsert(registration, secret);
            replaceSubscriptions(registration.endpointId(), eventTypes);
            database.afterCommit(audit.success("webhook.endpoint.register", registration.endpointId(), Map.of()));
            return new Endpoint(
                    registration.endpointId(),
                    registration.url(),
                    eventTypes,
                    registration.audience(),
                    Instant.ofEpochMilli(createdAt));
        });
    }

    /**
     * Removes an endpoint and gives up what waits for it; attempts under way end by themselves, and are not repeated.
     *
     * @return whether there was one
     */
    boolean remove(String endpointId) {
        if (!DispatcherRules.isName(endpointId)) {
            return false;
        }
        for (int attempt = 1; ; attempt++) {
            try {
                return database.inTransaction(() -> removeWithDeliveries(endpointId));
            } catch (PessimisticLockingFailureException e) {
                // Outcomes that are stored meanwhile lock the same rows in another order, and one of the two has to
                // give way. A transaction of the caller is the caller's to repeat.
                if (attempt == MAX_REMOVALS || database.isInTransaction()) {
                    throw e;
                }
                LOG.debug("The removal of endpoint {} gave way to others and is tried again", endpointId, e);
            }
        }
    }

    /** All of them in the order of their ids; the names of their events are in order too. */
    List<Endpoint> list() {
        return jdbc.sql(tables.in(LIST))
                .query((row, index) -> new Endpoint(
                        row.getString(1),
                        row.getString(2),
                        eventTypes(row.getString(5)),
                        row.getString(3),
                        Instant.ofEpochMilli(row.getLong(4))))
                .list();
    }

    private void requireSafe(EndpointRegistration registration) {
        try {
            destinations.vetNow(new URI(registration.url()), lookupTimeout);
        } catch (URISyntaxException e) {
            // Without the cause: its message holds the URL, which may hold a secret.
            throw refused(registration, "The URL is malformed", null);
        } catch (UnsafeDestinationException e) {
            throw refused(registration, String.valueOf(e.getMessage()), e);
        }
    }

    private WebhookDispatcherException refused(
            EndpointRegistration registration, String message, @Nullable Throwable cause) {
        audit.failure("webhook.endpoint.register", "unsafe-destination", registration.endpointId(), Map.of());
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.UNSAFE_DESTINATION, message, cause);
    }

    private static void warnOfWeakSecret(EndpointRegistration registration) {
        if (registration.secret().length() < STRONG_SECRET_BYTES) {
            LOG.warn(
                    "The secret of endpoint {} has less than {} bytes and may be guessed; register it with a longer one",
                    registration.endpointId(),
                    STRONG_SECRET_BYTES);
        }
    }

    private long upsert(EndpointRegistration registration, String secret) {
        return jdbc.sql(tables.in(UPSERT))
                .param("endpointId", registration.endpointId())
                .param("url", registration.url())
                .param("secret", secret)
                .param("audience", registration.audience())
                .param("now", clock.millis())
                .query((row, index) -> row.getLong(1))
                .single();
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

    private boolean removeWithDeliveries(String endpointId) {
        boolean removed =
                jdbc.sql(tables.in(REMOVE)).param("endpointId", endpointId).update() == 1;
        if (removed) {
            unsubscribe(endpointId);
            int dead = killPendingDeliveries(endpointId);
            database.afterCommit(audit.success("webhook.endpoint.remove", endpointId, Map.of("deadDeliveries", dead)));
        }
        return removed;
    }

    private int killPendingDeliveries(String endpointId) {
        return jdbc.sql(tables.in(KILL_PENDING))
                .param("endpointId", endpointId)
                .param("dead", DeliveryStatus.DEAD.text())
                .param("now", clock.millis())
                .update();
    }

    private static List<String> eventTypes(@Nullable String joined) {
        return joined == null
                ? List.of()
                : Arrays.stream(joined.split(" ")).sorted().toList();
    }
}
