package io.credential.webhook.delivery.internal.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.SqlDialect;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.queue.DeadDelivery;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;

/**
 * Erases the payloads of a batch of events, with everything that was sent and received in attempts. The deliveries of an
 * event are marked first, so that nothing sends them again; its payload goes with or after the last of them. Nothing waits
 * for rows that others have locked. Thread-safe.
 */
final class EventEraser {

    /** The range of ids is that of the deliveries of these events, or what is left of it. */
    private static final String IS_OF_EVENTS =
            "d.delivery_id > :afterDelivery AND d.delivery_id < :past AND d.event_id IN (:eventIds)";

    static final String FIND_UNMARKED =
            "SELECT DISTINCT d.event_id FROM {deliveries} d WHERE " + IS_OF_EVENTS + " AND d.erased_at IS NULL";

    static final String FIND_OPEN = "SELECT DISTINCT d.event_id FROM {deliveries} d WHERE " + IS_OF_EVENTS
            + " AND d.delivered_at IS NULL AND d.dead_at IS NULL";

    static final String FIND_IN_FLIGHT = FIND_OPEN + " AND d.status = 'in-flight'";

    private static final String LOCK_UNMARKED =
            "SELECT d.delivery_id, d.event_id, d.endpoint_id, d.status, d.attempts FROM {deliveries} d WHERE "
                    + IS_OF_EVENTS + " AND d.erased_at IS NULL ORDER BY d.delivery_id LIMIT :limit";

    private static final String MARK =
            "UPDATE {deliveries} SET erased_at = :now WHERE delivery_id IN (:deliveryIds) AND erased_at IS NULL";

    private static final String END_PENDING = """
            UPDATE {deliveries}
            SET status = 'dead', dead_at = :now, last_error = 'payload erased', last_reason = NULL
            WHERE delivery_id IN (:deliveryIds) AND status = 'pending'""";

    private static final String EMPTY_ATTEMPTS = """
            UPDATE {attempts}
            SET request_headers = NULL, location = NULL, response_headers = NULL, response_body = NULL
            WHERE delivery_id IN (:deliveryIds)""";

    private static final String ERASE = """
            UPDATE {events} SET payload = NULL
            WHERE event_id IN (:eventIds) AND event_id {is_one_of_selected}""";

    private static final String SELECT_UNERASED =
            "SELECT e.event_id FROM {events} e WHERE e.event_id IN (:eventIds) AND e.payload IS NOT NULL";

    private final DispatcherContext context;
    private final DeathReporter deaths;
    private final int batchSize;
    private final String erase;
    final String lockUnmarked;

    /** @param batchSize how many deliveries one step marks at most */
    EventEraser(DispatcherContext context, DeathReporter deaths, int batchSize) {
        this.context = context;
        SqlDialect dialect = context.database().dialect();
        this.deaths = deaths;
        this.batchSize = batchSize;
        this.lockUnmarked = LOCK_UNMARKED + dialect.skipLocked();
        this.erase = ERASE.replace("{is_one_of_selected}", dialect.isOneUnlockedOf(SELECT_UNERASED));
    }

    /** Returns the events of which no delivery needs the payload. */
    Batch erasable(Batch events, boolean includesPending) {
        return events.without(find(includesPending ? FIND_IN_FLIGHT : FIND_OPEN, events));
    }

    /** Marks the next deliveries; if no others are left, erases the payloads of the events that have only marked ones. */
    Step step(Batch batch, String after, boolean includesPending) {
        List<Locked> locked = lockUnmarked(batch, after);
        List<Locked> pending = locked.stream()
                .filter(delivery -> includesPending && delivery.status().equals(DeliveryStatus.PENDING.text()))
                .toList();
        List<Locked> erasable = new ArrayList<>(pending);
        locked.stream().filter(Locked::isFinal).forEach(erasable::add);
        end(pending, batch);
        mark(erasable);
        return locked.size() == batchSize
                ? new Step(locked.get(batchSize - 1).deliveryId(), pending.size(), 0)
                : new Step(null, pending.size(), erase(batch.without(find(FIND_UNMARKED, batch))));
    }

    private List<Locked> lockUnmarked(Batch batch, String after) {
        return batch.bind(context.sql(lockUnmarked), after)
                .param("limit", batchSize)
                .query((row, index) -> new Locked(
                        row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getInt(5)))
                .list();
    }

    private void end(List<Locked> pending, Batch batch) {
        if (pending.isEmpty()) {
            return;
        }
        long now = context.clock().millis();
        requireAll(pending, changing(END_PENDING, pending).param("now", now));
        deaths.died(pending.stream()
                .map(delivery -> new DeadDelivery(
                        delivery.deliveryId(),
                        delivery.eventId(),
                        batch.eventType(delivery.eventId()),
                        delivery.endpointId(),
                        delivery.attempts(),
                        DeadReason.PAYLOAD_ERASED,
                        now))
                .toList());
    }

    private void mark(List<Locked> deliveries) {
        if (!deliveries.isEmpty()) {
            requireAll(
                    deliveries,
                    changing(MARK, deliveries).param("now", context.clock().millis()));
            changing(EMPTY_ATTEMPTS, deliveries).update();
        }
    }

    private JdbcClient.StatementSpec changing(String sql, List<Locked> deliveries) {
        return context.sql(sql)
                .param(
                        "deliveryIds",
                        deliveries.stream().map(Locked::deliveryId).toList());
    }

    private static void requireAll(List<Locked> deliveries, JdbcClient.StatementSpec statement) {
        int changed = statement.update();
        if (changed != deliveries.size()) {
            throw new IllegalStateException("Of " + deliveries.size() + " locked deliveries, for example "
                    + deliveries.get(0).deliveryId() + ", only " + changed + " could be changed");
        }
    }

    private int erase(Batch batch) {
        return batch.isEmpty()
                ? 0
                : context.sql(erase).param("eventIds", batch.eventIds()).update();
    }

    /** Returns which of these events have a delivery that a statement finds. */
    private Set<String> find(String sql, Batch batch) {
        return batch.bind(context.sql(sql), batch.beforeDeliveries())
                .query((row, index) -> row.getString(1))
                .set();
    }

    record Candidate(String eventId, String eventType) {}

    /** @param next the delivery after which there may be more to mark; null if there are none */
    record Step(@Nullable String next, int ended, int erased) {}

    private record Locked(String deliveryId, String eventId, String endpointId, String status, int attempts) {

        boolean isFinal() {
            return status.equals(DeliveryStatus.DELIVERED.text()) || status.equals(DeliveryStatus.DEAD.text());
        }
    }

    /** Events in the order of their ids. */
    record Batch(List<Candidate> events) {

        boolean isEmpty() {
            return events.isEmpty();
        }

        Batch without(Set<String> eventIds) {
            return new Batch(events.stream()
                    .filter(event -> !eventIds.contains(event.eventId()))
                    .toList());
        }

        List<String> eventIds() {
            return events.stream().map(Candidate::eventId).toList();
        }

        String eventType(String eventId) {
            return events.stream()
                    .filter(event -> event.eventId().equals(eventId))
                    .findFirst()
                    .orElseThrow()
                    .eventType();
        }

        /** The prefix of the ids of deliveries sorts before them. */
        String beforeDeliveries() {
            return EventIdGenerator.deliveryPrefix(events.get(0).eventId());
        }

        JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement, String afterDelivery) {
            return statement
                    .param("afterDelivery", afterDelivery)
                    .param(
                            "past",
                            EventIdGenerator.deliveryPrefix(
                                            events.get(events.size() - 1).eventId())
                                    + DeliveryReader.PAST_HEX)
                    .param("eventIds", eventIds());
        }
    }
}
