package io.credential.webhook.delivery.internal.outbox;

import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.Payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** What {@link GroupWriter} stores together. */
@BothDatabases
class EventStoreTests extends DispatcherTestBase {

    EventStoreTests(TestDatabase test) {
        super(test);
    }

    @Test
    void storeAllWhenOneLacksAnAudienceThenStoresOthers() {
        fixture.endpoint("open", "/open", "public");
        dispatcher.registerEndpoint(
                EndpointRegistration.of("tenant", fixture.receiver.url("/tenant"), "secret", "private", "public-too")
                        .audience("tenant-1"));
        EventStore events = EventStore.of(test.database(), DispatcherRows.DEFAULT_TABLES, Set::of, new SecureRandom());

        List<StoredEvent> stored = events.storeAll(List.of(
                event(1, "public", null, false),
                event(2, "private", null, false),
                event(3, "private", "tenant-1", false),
                event(4, "private", null, true),
                event(5, "nobody", null, false)));

        assertThat(stored).extracting(StoredEvent::isNew).containsExactly(true, false, true, true, true);
        assertThat(stored)
                .extracting(event ->
                        event.deliveries().stream().map(FannedOut::endpointId).toList())
                .containsExactly(List.of("open"), List.of(), List.of("tenant"), List.of("tenant"), List.of());
        assertThat(fixture.rows.ids("event_id", "{events}")).containsExactly(id(1), id(3), id(4), id(5));
        assertThat(fixture.rows.ids("delivery_id", "{deliveries}")).hasSize(3);
    }

    @Test
    void storeAllWhenWildcardsMatchThenReachesEachOnce() {
        fixture.endpoint("orders", "/orders", "order.*", "order.created");
        fixture.endpoint("lines", "/lines", "order.line.*");
        dispatcher.registerEndpoint(
                EndpointRegistration.of("tenant", fixture.receiver.url("/tenant"), "secret", "invoice.*")
                        .audience("tenant-1"));
        EventStore events = EventStore.of(test.database(), DispatcherRows.DEFAULT_TABLES, Set::of, new SecureRandom());

        List<StoredEvent> stored = events.storeAll(List.of(
                event(1, "order.created", null, false),
                event(2, "order.line.added", null, false),
                event(3, "invoice.paid", null, false),
                event(4, "order", null, false)));

        assertThat(stored).extracting(StoredEvent::isNew).containsExactly(true, true, false, true);
        assertThat(stored)
                .extracting(event ->
                        event.deliveries().stream().map(FannedOut::endpointId).toList())
                .containsExactly(List.of("orders"), List.of("lines", "orders"), List.of(), List.of());
    }

    /** The second event is stored for the endpoints that the first one reached. */
    @Test
    void storeWhenOneIsFullThenOthersAreReserved() {
        fixture.endpoint("a", "/a", "public");
        fixture.endpoint("b", "/b", "public");
        EventStore events =
                EventStore.of(test.database(), DispatcherRows.DEFAULT_TABLES, () -> Set.of("a"), new SecureRandom());
        Claim claim = new Claim(1, "node", 1, 0);

        for (int i = 1; i <= 2; i++) {
            NewEvent event = new NewEvent(event(i, "public", null, false).event(), claim);
            assertThat(events.store(event).deliveries())
                    .extracting(FannedOut::endpointId, FannedOut::reserved)
                    .containsExactly(tuple("a", false), tuple("b", true));
        }
    }

    private static NewEvent event(int number, String eventType, @Nullable String audience, boolean everyAudience) {
        Payload payload = Payload.of("{}", 2);
        return new NewEvent(
                new Event(id(number), eventType, audience, everyAudience, null, null, payload, null, 1), null);
    }

    private static String id(int number) {
        return "%024x00000000".formatted(number);
    }
}
