package io.credential.webhook.delivery.internal.outbox;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.OperationalEvent;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.Payload;

/**
 * Stores operational events, apart from those of the application: they reach only endpoints that list their type and have the
 * audience of the event, or none if the event has none. Deliveries are stored as pending, and noted as due after the commit. Thread-safe.
 */
public final class OperationalEventStore implements OperationalEvents {

    private static final int FIRST_DELIVERY = 10_000_001;

    /** Uses the primary key of the subscriptions. Wildcards do not count. */
    private static final String FIND_SUBSCRIBERS = """
            SELECT e.endpoint_id, e.audience, e.paused_at IS NOT NULL AS paused
            FROM {subscriptions} s
            JOIN {endpoints} e ON e.endpoint_id = s.endpoint_id
            WHERE s.event_type = :eventType AND %s
            ORDER BY e.endpoint_id""";

    private static final String FIND_OPERATORS = FIND_SUBSCRIBERS.formatted("e.audience IS NULL");
    private static final String FIND_AUDIENCES = FIND_SUBSCRIBERS.formatted("e.audience IN (:audiences)");

    private static final String FIND_OCCASIONS =
            "SELECT idempotency_key FROM {events} WHERE idempotency_key IN (:occasions)";

    private static final String INSERT_EVENT = """
            INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload, created_at)
            VALUES (:eventId, :eventType, :audience, :occasion, :payload, :createdAt)
            ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING""";

    private static final String INSERT_DELIVERY = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                created_at)
            VALUES (:deliveryId, :eventId, :endpointId, :audience, 'pending', 0, :createdAt, :createdAt)""";

    private final CredentialDatabase database;
    private final EventIdGenerator ids;
    private final ObjLongConsumer<List<String>> onDue;
    private final InstantSource clock;
    private final String findOperators;
    private final String findAudiences;
    private final String findOccasions;
    private final String insertEvent;
    private final String insertDelivery;

    /** @param onDue called after the commit with endpoints that have due deliveries, and since when, in Unix milliseconds */
    public OperationalEventStore(
            CredentialDatabase database,
            DispatcherTables tables,
            EventIdGenerator ids,
            ObjLongConsumer<List<String>> onDue,
            InstantSource clock) {
        this.database = database;
        this.ids = ids;
        this.onDue = onDue;
        this.clock = clock;
        this.findOperators = tables.in(FIND_OPERATORS);
        this.findAudiences = tables.in(FIND_AUDIENCES);
        this.findOccasions = tables.in(FIND_OCCASIONS);
        this.insertEvent = tables.in(INSERT_EVENT);
        this.insertDelivery = tables.in(INSERT_DELIVERY);
    }

    private record Recipient(String endpointId, @Nullable String audience, boolean paused) {}

    /** An event that is stored, with the endpoints that get it. */
    private record Stored(String eventId, List<Recipient> recipients) {}

    @Override
    public void raise(List<OperationalEvent> events) {
        if (!events.isEmpty()) {
            var unused = database.inTransaction(() -> storeAll(events));
        }
    }

    /** In the order of occasions, so that two nodes never deadlock. */
    private int storeAll(List<OperationalEvent> events) {
        Map<OperationalEvent.Type, List<OperationalEvent>> byType = events.stream()
                .sorted(Comparator.comparing(event -> Objects.requireNonNullElse(event.occasion(), "")))
                .collect(Collectors.groupingBy(
                        OperationalEvent::type, () -> new EnumMap<>(OperationalEvent.Type.class), Collectors.toList()));
        int stored = 0;
        for (Map.Entry<OperationalEvent.Type, List<OperationalEvent>> type : byType.entrySet()) {
            Map<Optional<String>, List<Recipient>> recipients = recipients(type.getKey(), type.getValue()).stream()
                    .collect(Collectors.groupingBy(recipient -> Optional.ofNullable(recipient.audience())));
            List<OperationalEvent> wanted = type.getValue().stream()
                    .filter(event -> recipients.containsKey(Optional.ofNullable(event.audience())))
                    .toList();
            if (!wanted.isEmpty()) {
                stored += store(wanted, recipients);
            }
        }
        return stored;
    }

    private List<Recipient> recipients(OperationalEvent.Type type, List<OperationalEvent> events) {
        List<Recipient> recipients = new ArrayList<>();
        if (events.stream().anyMatch(event -> event.audience() == null)) {
            recipients.addAll(recipients(database.jdbc().sql(findOperators), type));
        }
        Set<String> audiences = events.stream()
                .map(OperationalEvent::audience)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        if (!audiences.isEmpty()) {
            recipients.addAll(recipients(database.jdbc().sql(findAudiences).param("audiences", audiences), type));
        }
        return recipients;
    }

    private static List<Recipient> recipients(JdbcClient.StatementSpec statement, OperationalEvent.Type type) {
        return statement
                .param("eventType", type.text())
                .query((row, number) -> new Recipient(
                        row.getString("endpoint_id"), row.getString("audience"), row.getBoolean("paused")))
                .list();
    }

    private int store(List<OperationalEvent> events, Map<Optional<String>, List<Recipient>> recipients) {
        long now = clock.millis();
        Set<String> known = knownOccasions(events);
        List<SqlParameterSource> once = new ArrayList<>();
        List<Stored> stored = new ArrayList<>();
        for (OperationalEvent event : events) {
            String eventId = ids.next(now);
            Stored candidate =
                    new Stored(eventId, recipients.getOrDefault(Optional.ofNullable(event.audience()), List.of()));
            if (event.occasion() == null) {
                once.add(row(event, eventId, now));
                stored.add(candidate);
            } else if (known.add(event.occasion()) && isInserted(event, eventId, now)) {
                stored.add(candidate);
            }
        }
        if (!once.isEmpty()) {
            database.batchUpdate(insertEvent, once);
        }
        if (!stored.isEmpty()) {
            fanOut(stored, now);
        }
        return stored.size();
    }

    private Set<String> knownOccasions(List<OperationalEvent> events) {
        List<String> occasions = new ArrayList<>();
        for (OperationalEvent event : events) {
            if (event.occasion() != null) {
                occasions.add(event.occasion());
            }
        }
        return occasions.isEmpty()
                ? new HashSet<>()
                : new HashSet<>(database.jdbc()
                        .sql(findOccasions)
                        .param("occasions", occasions)
                        .query((row, number) -> row.getString(1))
                        .list());
    }

    /** Another node may have stored an event of this occasion meanwhile. */
    private boolean isInserted(OperationalEvent event, String eventId, long now) {
        return database.jdbc()
                        .sql(insertEvent)
                        .paramSource(row(event, eventId, now))
                        .update()
                == 1;
    }

    private static SqlParameterSource row(OperationalEvent event, String eventId, long now) {
        return new MapSqlParameterSource("eventId", eventId)
                .addValue("eventType", event.type().text())
                .addValue("audience", event.audience())
                .addValue("occasion", event.occasion())
                .addValue(
                        "payload",
                        Payload.of(event.payload(), Integer.MAX_VALUE).bytes())
                .addValue("createdAt", now);
    }

    private void fanOut(List<Stored> events, long now) {
        List<SqlParameterSource> deliveries = new ArrayList<>();
        Set<String> due = new LinkedHashSet<>();
        for (Stored event : events) {
            int number = FIRST_DELIVERY;
            for (Recipient recipient : event.recipients()) {
                deliveries.add(new MapSqlParameterSource(
                                "deliveryId", EventIdGenerator.deliveryPrefix(event.eventId()) + number)
                        .addValue("eventId", event.eventId())
                        .addValue("endpointId", recipient.endpointId())
                        .addValue("audience", recipient.audience())
                        .addValue("createdAt", now));
                number++;
                if (!recipient.paused()) {
                    due.add(recipient.endpointId());
                }
            }
        }
        database.batchUpdate(insertDelivery, deliveries);
        database.afterCommit(() -> onDue.accept(List.copyOf(due), now));
    }
}
