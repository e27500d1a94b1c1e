package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.FailureReason;

/**
 * Finds deliveries page by page. An index selects a limited number of rows, and the other conditions are checked on
 * these rows only, so that the cost of a page does not depend on how many rows there are. Thread-safe.
 */
final class DeliverySearch {

    /** How many deliveries one page examines. */
    static final int EXAMINED = 5000;

    /** How many it examines if the event of each is looked up. */
    static final int EXAMINED_WITH_EVENT = 2000;

    /** Ids begin with the time, so that the newest are the last. */
    private static final String NEWEST_FIRST = "\n    ORDER BY d.delivery_id DESC";

    /** The order of the index of open deliveries. Without an order, PostgreSQL may read the table until it finds enough. */
    private static final String BY_ENDPOINT = "\n    ORDER BY d.endpoint_id, d.next_attempt_at";

    private static final String SEARCH = """
            WITH examined AS MATERIALIZED (
                SELECT d.delivery_id, d.event_id, d.endpoint_id, d.audience, d.status, d.attempts, d.next_attempt_at,
                    d.claimed_at, d.delivered_at, d.response_status, d.last_error, d.last_reason, d.created_at, d.erased_at,
                    d.redeliveries
                FROM {deliveries} d
                WHERE {selected}{order}
                LIMIT :examined
            ), found AS (
                SELECT d.delivery_id, d.event_id, d.endpoint_id, d.status, d.attempts, d.next_attempt_at, d.claimed_at,
                    d.delivered_at, d.response_status, d.last_error, d.last_reason, d.created_at, d.erased_at, d.redeliveries
                FROM examined d
                WHERE {matching}
                ORDER BY d.delivery_id DESC
                LIMIT :limit
            )
            SELECT f.delivery_id, f.event_id, f.endpoint_id, e.event_type, f.status, f.attempts, f.next_attempt_at,
                f.claimed_at, f.delivered_at, f.response_status, f.last_error, f.last_reason, f.created_at, f.erased_at,
                x.size, x.last_id, f.redeliveries
            FROM (SELECT count(*) AS size, min(delivery_id) AS last_id FROM examined) x
                LEFT JOIN (found f JOIN {events} e ON e.event_id = f.event_id) ON 1 = 1
            ORDER BY f.delivery_id DESC""";

    /** An event of another audience has no deliveries that match. */
    private static final String FIND_EVENT = """
            SELECT event_id FROM {events}
            WHERE idempotency_key = :idempotencyKey
              AND (CAST(:audience AS TEXT) IS NULL OR audience IS NULL OR audience = :audience)""";

    private static final String IS_OPEN = "d.delivered_at IS NULL AND d.dead_at IS NULL";

    /** Looks up the event of each examined delivery, never all events. */
    private static final String HAS_TYPE =
            "(SELECT e.event_type FROM {events} e WHERE e.event_id = d.event_id) = :eventType";

    private static final String IS_DEAD = "d.dead_at IS NOT NULL";

    private static final FoundPage NOTHING = new FoundPage(List.of(), null, true);

    private final JdbcClient jdbc;
    private final DispatcherTables tables;

    DeliverySearch(CredentialDatabase database, DispatcherTables tables) {
        this.jdbc = database.jdbc();
        this.tables = tables;
    }

    /** @param redeliveries how often it was sent again */
    record FoundDelivery(Delivery delivery, int redeliveries) {}

    /**
     * A page of deliveries.
     *
     * @param nextCursor null on the last page
     * @param isComplete whether all selected rows were examined
     */
    record FoundPage(List<FoundDelivery> found, @Nullable String nextCursor, boolean isComplete) {}

    DeliveryPage search(DeliveryQuery query) {
        DispatcherRules.require("query", query);
        FoundPage page = find(query);
        return new DeliveryPage(
                page.found().stream().map(FoundDelivery::delivery).toList(), page.nextCursor());
    }

    FoundPage find(DeliveryQuery query) {
        if (!canMatch(query)) {
            return NOTHING;
        }
        if (query.idempotencyKey() == null) {
            return searchByIndex(query);
        }
        return findEvent(query.idempotencyKey(), query.audience())
                .filter(eventId -> query.eventId() == null || query.eventId().equals(eventId))
                .map(eventId -> searchByIndex(query.withEvent(eventId)))
                .orElse(NOTHING);
    }

    /** Returns whether each id and name is well-formed. */
    static boolean canMatch(DeliveryQuery query) {
        return (query.endpointId() == null || DispatcherRules.isName(query.endpointId()))
                && (query.eventType() == null || DispatcherRules.isName(query.eventType()))
                && (query.audience() == null || DispatcherRules.isName(query.audience()))
                && (query.eventId() == null || DispatcherRules.isId(query.eventId()))
                && (query.idempotencyKey() == null || DispatcherRules.isIdempotencyKey(query.idempotencyKey()));
    }

    private Optional<String> findEvent(String idempotencyKey, @Nullable String audience) {
        return jdbc.sql(tables.in(FIND_EVENT))
                .param("idempotencyKey", idempotencyKey)
                .param("audience", audience)
                .query((row, index) -> row.getString(1))
                .optional();
    }

    private FoundPage searchByIndex(DeliveryQuery query) {
        if (query.eventId() == null && isOpen(query.status())) {
            FoundPage open = run(openDeliveries(query));
            if (open.isComplete()) {
                return open;
            }
        }
        return run(newestFirst(query));
    }

    /** The index of open deliveries has another order, so this finds the newest only if it examines all of them. */
    Statement openDeliveries(DeliveryQuery query) {
        SearchConditions selected = new SearchConditions().add(IS_OPEN);
        SearchConditions matching = new SearchConditions();
        addEndpoint(selected, query);
        addWindow(matching, query);
        addOthers(matching, query);
        return new Statement(selected, BY_ENDPOINT, matching, examined(query), query.limit());
    }

    Statement newestFirst(DeliveryQuery query) {
        SearchConditions selected = new SearchConditions();
        SearchConditions matching = new SearchConditions();
        addWindow(selected, query);
        if (query.eventId() != null) {
            String prefix = EventIdGenerator.deliveryPrefix(query.eventId());
            selected.add("d.delivery_id >= :first", "first", prefix)
                    .add("d.delivery_id < :past", "past", prefix + DeliveryReader.PAST_HEX)
                    .add("d.event_id = :eventId", "eventId", query.eventId())
                    .add("d.audience = :audience", "audience", query.audience());
            addEndpoint(matching, query);
        } else if (query.status() == DeliveryStatus.DEAD) {
            selected.add(IS_DEAD);
            addEndpoint(matching, query);
        } else {
            addEndpoint(selected, query);
        }
        addOthers(matching, query);
        int examined = matching.isEmpty() ? query.limit() + 1 : examined(query);
        return new Statement(selected, NEWEST_FIRST, matching, examined, query.limit());
    }

    private static int examined(DeliveryQuery query) {
        return query.eventType() == null ? EXAMINED : EXAMINED_WITH_EVENT;
    }

    private static void addWindow(SearchConditions conditions, DeliveryQuery query) {
        conditions.add("d.delivery_id < :cursor", "cursor", query.cursor());
        if (query.createdBefore() != null) {
            conditions.add("d.delivery_id < :createdBefore", "createdBefore", firstIdAt(query.createdBefore()));
        }
        if (query.createdFrom() != null) {
            conditions.add("d.delivery_id >= :createdFrom", "createdFrom", firstIdAt(query.createdFrom()));
        }
    }

    private static void addEndpoint(SearchConditions conditions, DeliveryQuery query) {
        conditions.add("d.endpoint_id = :endpointId", "endpointId", query.endpointId());
    }

    /** Adds the conditions that no index supports. */
    private static void addOthers(SearchConditions conditions, DeliveryQuery query) {
        DeliveryStatus status = query.status();
        if (status != null && (status != DeliveryStatus.DEAD || query.eventId() != null)) {
            conditions.add("d.status = :status", "status", status.text());
        }
        conditions.add("d.response_status = :responseStatus", "responseStatus", query.responseStatus());
        FailureReason reason = query.reason();
        conditions.add("d.last_reason = :reason", "reason", reason == null ? null : reason.text());
        conditions.add("d.audience = :audience", "audience", query.audience());
        if (query.minAttempts() > 0) {
            conditions.add("d.attempts >= :minAttempts", "minAttempts", query.minAttempts());
        }
        conditions.add(HAS_TYPE, "eventType", query.eventType());
    }

    private static boolean isOpen(@Nullable DeliveryStatus status) {
        return status == DeliveryStatus.PENDING || status == DeliveryStatus.IN_FLIGHT;
    }

    /** Returns a prefix that sorts before the ids of this time and later, and after all others. */
    static String firstIdAt(Instant time) {
        return EventIdGenerator.timePrefix(firstMillisAt(time));
    }

    /** Returns the first millisecond that is not before a time, within the range that ids can begin with. */
    static long firstMillisAt(Instant time) {
        if (time.isBefore(Instant.EPOCH)) {
            return 0;
        }
        return time.getEpochSecond() >= EventIdGenerator.LAST_MILLIS / 1000
                ? EventIdGenerator.LAST_MILLIS
                : time.plusNanos(999_999).toEpochMilli();
    }

    private FoundPage run(Statement statement) {
        return jdbc.sql(statement.in(tables)).params(statement.parameters()).query(rows -> {
            List<FoundDelivery> deliveries = new ArrayList<>();
            int examined = 0;
            String lastId = null;
            while (rows.next()) {
                examined = rows.getInt(15);
                lastId = rows.getString(16);
                if (rows.getString(1) != null) {
                    deliveries.add(new FoundDelivery(
                            Objects.requireNonNull(DeliveryReader.DELIVERY.mapRow(rows, 0)), rows.getInt(17)));
                }
            }
            boolean isComplete = examined < statement.examined();
            if (deliveries.size() > statement.limit()) {
                List<FoundDelivery> page = deliveries.subList(0, statement.limit());
                return new FoundPage(page, page.get(page.size() - 1).delivery().deliveryId(), isComplete);
            }
            return new FoundPage(deliveries, isComplete ? null : lastId, isComplete);
        });
    }

    /**
     * The statement that reads one page.
     *
     * @param selected the conditions that select rows by an index
     * @param order the order in which the index is read
     * @param matching the conditions that are checked on these rows
     * @param examined how many rows are examined at most
     * @param limit how many deliveries the page has at most
     */
    record Statement(SearchConditions selected, String order, SearchConditions matching, int examined, int limit) {

        String in(DispatcherTables tables) {
            return tables.in(SEARCH.replace("{selected}", selected.sql())
                    .replace("{order}", order)
                    .replace("{matching}", matching.sql()));
        }

        /** One row more than the page has tells whether another page follows. */
        Map<String, Object> parameters() {
            Map<String, Object> all = new HashMap<>(selected.parameters());
            all.putAll(matching.parameters());
            all.put("examined", examined);
            all.put("limit", limit + 1);
            return all;
        }
    }
}
