package io.credential.webhook.delivery.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.DispatcherFixture;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.HookReceiver;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.Settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The operator is told of what happens to endpoints and deliveries, once, and nobody else is. */
@BothDatabases
class OperationalEventTests {

    private static final String PAUSED = "credential.endpoint.paused";
    private static final String EXPIRING = "credential.api-key.expiring";
    private static final String DEAD = "credential.delivery.dead";
    private static final long NEW_YEAR = DispatcherRows.NEW_YEAR.toEpochMilli();

    private final TestDatabase test;

    @AutoClose
    private final DispatcherFixture fixture;

    private final JdbcWebhookDispatcher dispatcher;

    OperationalEventTests(TestDatabase test) {
        this.test = test;
        this.fixture = new DispatcherFixture(
                test, options -> options.operationalEvents(true).maxAttempts(1));
        this.dispatcher = fixture.dispatcher;
    }

    @Test
    void pauseThenIsTold() {
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("shop", "/shop");

        dispatcher.pauseEndpoint("shop");
        dispatcher.pauseEndpoint("shop");
        dispatcher.processRetries();

        assertThat(fixture.receiver.hooks()).singleElement().satisfies(hook -> {
            assertThat(hook.path()).isEqualTo("/ops");
            assertThat(hook.header("X-Webhook-Event-Type")).isEqualTo(PAUSED);
            assertThat(hook.body())
                    .isEqualTo("{\"endpointId\":\"shop\",\"pauseReason\":\"manual\",\"pausedAt\":" + NEW_YEAR + "}");
            fixture.verify(hook);
        });
    }

    @Test
    void pauseWhenGoneThenIsTold() {
        fixture.receiver.answering("/shop", 410);
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("shop", "/shop");

        dispatcher.dispatch("order.created", "{}");

        fixture.await(() -> bodiesAfterRetries("/ops").stream().anyMatch(body -> body.contains("\"gone\"")));
    }

    @Test
    void pauseWhenResumedAndPausedAgainThenIsToldAgain() {
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("shop", "/shop");

        dispatcher.pauseEndpoint("shop");
        dispatcher.resumeEndpoint("shop");
        dispatcher.pauseEndpoint("shop");

        assertThat(bodiesAfterRetries("/ops")).hasSize(2);
    }

    @Test
    void pauseWhenRolledBackThenNothingIsTold() {
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("shop", "/shop");

        new TransactionTemplate(new JdbcTransactionManager(test.dataSource())).executeWithoutResult(status -> {
            dispatcher.pauseEndpoint("shop");
            status.setRollbackOnly();
        });

        assertThat(storedEvents()).isEmpty();
    }

    @Test
    void pauseWhenReceiverIsPausedThenHeldForItOnly() {
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("other", "/other", PAUSED);

        dispatcher.pauseEndpoint("ops");
        dispatcher.processRetries();

        assertThat(fixture.receiver.hooks("/ops")).isEmpty();
        assertThat(fixture.receiver.hooks("/other")).hasSize(1);
        dispatcher.resumeEndpoint("ops");
        assertThat(bodiesAfterRetries("/ops")).hasSize(1);
    }

    @Test
    void deathThenIsTold() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("shop", "/shop");

        Delivery dead = dispatcher.dispatch("order.created", "{}").deliveries().get(0);

        assertThat(bodiesAfterRetries("/ops"))
                .containsExactly("{\"deliveryId\":\"" + dead.deliveryId() + "\",\"eventId\":\"" + dead.eventId()
                        + "\",\"eventType\":\"order.created\",\"endpointId\":\"shop\",\"attempts\":1,"
                        + "\"reason\":\"attempts-exhausted\",\"deadAt\":" + NEW_YEAR + "}");
    }

    @Test
    void deathWhenReplayedAndDeadAgainThenIsToldAgain() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("shop", "/shop");

        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        dispatcher.dlq().replay(id);

        assertThat(bodiesAfterRetries("/ops")).hasSize(2);
    }

    @Test
    void deathWhenEndpointIsRemovedThenIsTold() {
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");
        String id = dispatcher.enqueue("e", "{}").deliveries().get(0).deliveryId();

        dispatcher.removeEndpoint("shop");

        assertThat(bodiesAfterRetries("/ops"))
                .singleElement()
                .asString()
                .contains(id, fixture.delivery(id).eventId(), "endpoint-removed");
    }

    @Test
    void deathWhenManyAtOnceThenEachIsTold() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("shop", "/shop", "e");
        IntStream.range(0, 20).forEach(i -> dispatcher.enqueue("e", "{}"));

        assertThat(dispatcher.processRetries().dead()).isEqualTo(20);

        assertThat(bodiesAfterRetries("/ops")).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void deathWhenOfAnOperationalEventThenRaisesNoOther() {
        fixture.receiver.answering("/shop", 500).answering("/ops", 500);
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("shop", "/shop");
        dispatcher.dispatch("order.created", "{}");

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 0, 1));

        assertThat(storedEvents()).containsExactly(DEAD);
    }

    @Test
    void removeWhenOperationalAreHeldThenRaisesNone() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("ops", "/ops", DEAD);
        fixture.endpoint("others", "/others", DEAD);
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("ops");
        dispatcher.dispatch("order.created", "{}");

        dispatcher.removeEndpoint("ops");

        assertThat(storedEvents()).containsExactly(DEAD);
    }

    @Test
    void deathWhenItsEventCannotBeStoredThenIsNotStored() {
        fixture.endpoint("shop", "/shop");
        String id = fixture.rows.delivery("shop", DeliveryStatus.IN_FLIGHT);
        AuditTrail audit = new AuditTrail(AuditSink.none(), () -> null, InstantSource.system(), "", true, true);
        OperationalEvents unstorable = events -> {
            throw new IllegalStateException("not stored");
        };
        Function<List<Settlement>, Set<String>> settle = new DeathReporter(fixture.database(), unstorable, audit)
                .settling(DeliveryQueue.of(fixture.database(), fixture.rows.tables, 0));
        ClaimedDelivery claimed = new ClaimedDelivery(
                id, "event", "shop", "e", 1, 0, 0, 0, new Claim(7, "node", 0, 0), false, null, null, 2, null, null);

        assertThatIllegalStateException()
                .isThrownBy(() -> settle.apply(
                        List.of(Settlement.deadUnattempted(claimed, 1, DeadReason.LEASE_EXPIRED, "lease expired"))));

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
    }

    @Test
    void eventWhenSubscribedToEverythingThenNotSent() {
        fixture.endpoint("customer", "/customer", "*", "order.created");

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR)));
        dispatcher.pauseEndpoint("customer");

        assertThat(storedEvents()).isEmpty();
    }

    @Test
    void eventWhenEndpointHasAnAudienceThenNotSent() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("tenant", fixture.receiver.url("/tenant"), DispatcherFixture.SECRET, PAUSED)
                        .audience("tenant-1"));
        fixture.endpoint("ops", "/ops", PAUSED);

        dispatcher.pauseEndpoint("tenant");
        dispatcher.resumeEndpoint("tenant");

        assertThat(bodiesAfterRetries("/ops")).hasSize(1);
        assertThat(fixture.receiver.hooks("/tenant")).isEmpty();
    }

    @Test
    void eventWhenForAnAudienceThenOnlyThatAudienceGetsIt() {
        subscribe("one", "tenant-1", EXPIRING);
        subscribe("other", "tenant-2", EXPIRING);
        subscribe("everything", "tenant-1", "*");
        fixture.endpoint("ops", "/ops", EXPIRING);
        OperationalEvent event = expiring(DispatcherRows.NEW_YEAR);

        dispatcher.raise(List.of(event.forAudience("tenant-1")));

        assertThat(bodiesAfterRetries("/one"))
                .containsExactly("{\"namespace\":\"live\",\"keyId\":\"0123\",\"expiresAt\":" + NEW_YEAR + "}");
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void eventWhenForAudiencesAndOperatorsThenEachGetsOne() {
        subscribe("one", "tenant-1", EXPIRING);
        subscribe("other", "tenant-2", EXPIRING);
        fixture.endpoint("ops", "/ops", EXPIRING);
        OperationalEvent event = expiring(DispatcherRows.NEW_YEAR);
        List<OperationalEvent> events =
                List.of(event.forAudience("tenant-2"), event, event.forAudience("tenant-1"), event.forAudience("none"));

        dispatcher.raise(events);
        dispatcher.raise(events);

        assertThat(bodiesAfterRetries("/ops")).hasSize(1);
        assertThat(fixture.receiver.hooks("/one")).hasSize(1);
        assertThat(fixture.receiver.hooks("/other")).hasSize(1);
        assertThat(storedEvents()).hasSize(3);
    }

    @Test
    void eventWhenEndpointOfAnAudienceIsPausedThenHeld() {
        subscribe("one", "tenant-1", EXPIRING);
        dispatcher.pauseEndpoint("one");

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR).forAudience("tenant-1")));

        assertThat(bodiesAfterRetries("/one")).isEmpty();
        dispatcher.resumeEndpoint("one");
        assertThat(bodiesAfterRetries("/one")).hasSize(1);
    }

    @Test
    void eventWhenForAnAudienceThenSentWithoutAPoll() {
        subscribe("one", "tenant-1", EXPIRING);
        dispatcher.start();

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR).forAudience("tenant-1")));

        fixture.await(() -> fixture.receiver.hooks("/one").size() == 1);
    }

    @Test
    void forAudienceWhenInvalidThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> expiring(DispatcherRows.NEW_YEAR).forAudience("user 42"))
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private void subscribe(String id, String audience, String eventType) {
        dispatcher.registerEndpoint(
                EndpointRegistration.of(id, fixture.receiver.url("/" + id), DispatcherFixture.SECRET, eventType)
                        .audience(audience));
    }

    @Test
    void eventWhenAudiencesAreRequiredThenSentNevertheless() {
        JdbcWebhookDispatcher node =
                fixture.node(options -> options.operationalEvents(true).requireAudience(true));
        fixture.endpoint("ops", "/ops", PAUSED);
        fixture.endpoint("shop", "/shop");

        node.pauseEndpoint("shop");

        assertThat(bodiesAfterRetries("/ops")).hasSize(1);
    }

    @Test
    void eventWhenNotEnabledThenNotStored() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.maxAttempts(1));
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("ops", "/ops", PAUSED, DEAD, "credential.api-key.expiring");
        fixture.endpoint("shop", "/shop");

        node.dispatch("e", "{}");
        node.pauseEndpoint("shop");
        node.raise(List.of(expiring(DispatcherRows.NEW_YEAR)));

        assertThat(storedEvents()).isEmpty();
    }

    @Test
    void raiseWhenOccasionIsTheSameThenSentOnce() {
        fixture.endpoint("ops", "/ops", "credential.api-key.expiring");
        JdbcWebhookDispatcher other = fixture.node(options -> options.operationalEvents(true));
        Instant later = DispatcherRows.NEW_YEAR.plusSeconds(1);

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR), expiring(DispatcherRows.NEW_YEAR)));
        other.raise(List.of(expiring(DispatcherRows.NEW_YEAR), expiring(later)));

        assertThat(bodiesAfterRetries("/ops"))
                .containsExactlyInAnyOrder(
                        "{\"namespace\":\"live\",\"keyId\":\"0123\",\"expiresAt\":" + NEW_YEAR + "}",
                        "{\"namespace\":\"live\",\"keyId\":\"0123\",\"expiresAt\":" + later.toEpochMilli() + "}");
    }

    @Test
    void raiseWhenNodesRaceThenEachOccasionIsStoredOnce() {
        fixture.endpoint("ops", "/ops", "credential.api-key.expiring");
        List<OperationalEvent> events = IntStream.range(0, 50)
                .mapToObj(i -> expiring(DispatcherRows.NEW_YEAR.plusSeconds(i)))
                .toList();

        InParallel.run(4, () -> {
            List<OperationalEvent> shuffled = new ArrayList<>(events);
            Collections.shuffle(shuffled);
            dispatcher.raise(shuffled);
            return true;
        });

        assertThat(bodiesAfterRetries("/ops")).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void raiseWhenNobodySubscribesThenStillSentLater() {
        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR)));
        fixture.endpoint("ops", "/ops", "credential.api-key.expiring");

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR)));

        assertThat(bodiesAfterRetries("/ops")).hasSize(1);
    }

    @Test
    void raiseWhenStartedThenSentWithoutAPoll() {
        fixture.endpoint("ops", "/ops", "credential.api-key.expiring");
        dispatcher.start();

        dispatcher.raise(List.of(expiring(DispatcherRows.NEW_YEAR)));

        fixture.await(() -> fixture.receiver.hooks("/ops").size() == 1);
    }

    @Test
    void backlogWhenOldThenToldOnceInAnHour() {
        fixture.endpoint("ops", "/ops", "credential.backlog.old");
        DispatcherBacklog backlog = new DispatcherBacklog(3, 2, 1, DispatcherRows.NEW_YEAR);

        for (int minutes : new int[] {0, 1, 59, 60, 61}) {
            dispatcher.raise(List.of(OperationalEvent.backlogOld(
                    backlog, DispatcherRows.NEW_YEAR, DispatcherRows.NEW_YEAR.plus(Duration.ofMinutes(minutes)))));
        }

        assertThat(bodiesAfterRetries("/ops"))
                .hasSize(2)
                .containsOnly("{\"oldestDueAt\":" + NEW_YEAR + ",\"pending\":3,\"inFlight\":2,\"dead\":1}");
    }

    @Test
    void dispatchWhenKeyIsReservedThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch(
                        "e", "{}", DispatchOptions.none().withIdempotencyKey("credential.backlog.old/1")))
                .withMessageContaining("idempotencyKey")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void dispatchWhenTypeIsReservedThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("credential.order.created", "{}"))
                .withMessageContaining("reserved")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(dispatcher.dispatch("credentials.changed", "{}").deliveries())
                .isEmpty();
    }

    private static OperationalEvent expiring(Instant expiresAt) {
        return OperationalEvent.apiKeyExpiring("live", "0123", expiresAt);
    }

    private List<String> bodiesAfterRetries(String path) {
        while (dispatcher.processRetries().attempted() > 0) {
            // until nothing is due
        }
        return fixture.receiver.hooks(path).stream()
                .map(HookReceiver.Hook::body)
                .toList();
    }

    /** The types of the operational events that are stored. */
    private List<String> storedEvents() {
        return fixture.rows
                .sql("SELECT event_type FROM {events} WHERE event_type LIKE 'credential.%'")
                .query((row, number) -> row.getString(1))
                .list();
    }
}
