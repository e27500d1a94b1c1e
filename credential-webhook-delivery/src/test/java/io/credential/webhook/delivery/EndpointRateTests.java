package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.ratelimit.RateLimit;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** An endpoint gets no more requests than its rate limit admits; the others wait, and nothing else waits for them. */
@BothDatabases
class EndpointRateTests extends DispatcherTestBase {

    private static final RetryResult NOTHING = new RetryResult(0, 0, 0);
    private static final Duration WINDOW = Duration.ofSeconds(10);

    EndpointRateTests(TestDatabase test) {
        super(test);
    }

    @Test
    void registerThenLimitIsShown() {
        Endpoint registered = limit(5, Duration.ofMinutes(1));

        assertThat(registered.rateLimit()).isEqualTo(new RateLimit(5, Duration.ofMinutes(1)));
        assertThat(dispatcher.listEndpoints()).containsExactly(registered);
        assertThat(dispatcher.getEndpoint("shop")).contains(registered);
    }

    @Test
    void registerThenLimitIsAudited() {
        limit(5, Duration.ofMinutes(1));

        assertThat(fixture.audited)
                .singleElement()
                .satisfies(event -> assertThat(event.attributes()).containsEntry("rateLimit", "5 in 60 s"));
    }

    @Test
    void registerWhenWithoutLimitThenItIsRemoved() {
        limit(1, WINDOW);
        enqueue(3);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));

        assertThat(fixture.endpoint("shop", "/shop").rateLimit()).isNull();

        assertThat(dispatcher.processRetries()).isEqualTo(sent(2));
    }

    @Test
    void rateLimitWhenOutOfRangeThenRejected() {
        EndpointRegistration registration = EndpointRegistration.of("shop", "https://hooks.example", "secret", "*");

        for (int limit : List.of(0, 1_000_001)) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> registration.rateLimit(limit, WINDOW))
                    .withMessageContaining("rateLimit: The limit must be")
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
        for (Duration window : List.of(Duration.ofMillis(1500), Duration.ZERO, Duration.ofDays(2))) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> registration.rateLimit(1, window))
                    .withMessageContaining("rateLimit: The window must be")
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
    }

    @Test
    void processRetriesThenLimitIsSentByAge() {
        limit(2, WINDOW);
        enqueue(5);

        assertThat(dispatcher.processRetries()).isEqualTo(sent(2));
        assertThat(bodies()).containsExactlyInAnyOrder("1", "2");
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
        fixture.clock.advance(WINDOW);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(2));
        assertThat(bodies()).containsExactlyInAnyOrder("1", "2", "3", "4");
        fixture.clock.advance(WINDOW);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void processRetriesThenLimitHoldsInEveryWindow() {
        limit(2, WINDOW);
        enqueue(4);
        JdbcWebhookDispatcher oneByOne = fixture.node(options -> options.batchSize(1));

        assertThat(oneByOne.processRetries()).isEqualTo(sent(1));
        fixture.clock.advance(Duration.ofSeconds(9));
        assertThat(oneByOne.processRetries()).isEqualTo(sent(1));
        fixture.clock.advance(Duration.ofSeconds(1));
        assertThat(oneByOne.processRetries()).isEqualTo(sent(1));
        assertThat(oneByOne.processRetries()).isEqualTo(NOTHING);
        fixture.clock.advance(Duration.ofSeconds(9));
        assertThat(oneByOne.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void heldDeliveriesThenPendingAndUnattempted() {
        limit(1, WINDOW);
        enqueue(3);

        dispatcher.processRetries();

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all().withStatus(DeliveryStatus.PENDING)))
                .hasSize(2)
                .allSatisfy(held -> assertThat(held)
                        .returns(0, Delivery::attempts)
                        .returns(held.createdAt(), Delivery::nextAttemptAt)
                        .returns(null, Delivery::lastError));
    }

    @Test
    void processRetriesWhenManyAreHeldThenNoneDies() {
        limit(1, WINDOW);
        enqueue(2);
        JdbcWebhookDispatcher node = fixture.node(options -> options.maxAttempts(1));

        for (int i = 0; i < 20; i++) {
            node.processRetries();
        }
        fixture.clock.advance(WINDOW);

        assertThat(node.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void dispatchThenLimitedIsSentInTheBackground() {
        limit(10, WINDOW);
        fixture.endpoint("other", "/other");
        fixture.dispatcher.start();

        DispatchResult result = dispatcher.dispatch("e", "{}");

        assertThat(result.delivered()).isEqualTo(1);
        assertThat(result.deliveries())
                .extracting(Delivery::endpointId, Delivery::status)
                .containsExactly(tuple("other", DeliveryStatus.DELIVERED), tuple("shop", DeliveryStatus.PENDING));
        fixture.await(() -> fixture.receiver.hooks("/shop").size() == 1);
    }

    @Test
    void failuresThenCountToo() {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        limit(1, Duration.ofMinutes(1));
        enqueue(1);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 0, 0));

        fixture.clock.advance(Duration.ofSeconds(30));
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);

        fixture.clock.advance(Duration.ofSeconds(30));
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void retryWhenNotAdmittedThenPendingAndSentLater() {
        limit(1, WINDOW);
        enqueue(1);
        dispatcher.processRetries();
        String id = dispatcher.deliveries().list(DeliveryQuery.all()).get(0).deliveryId();

        assertThat(dispatcher.deliveries().retry(id))
                .returns(DeliveryStatus.PENDING, Delivery::status)
                .returns(0, Delivery::attempts);

        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
        fixture.clock.advance(WINDOW);
        assertThat(dispatcher.deliveries().retry(id).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void sendTestWhenNotAdmittedThenPendingAndSentLater() {
        limit(1, WINDOW);
        assertThat(dispatcher.sendTestEvent("shop").status()).isEqualTo(DeliveryStatus.DELIVERED);

        assertThat(dispatcher.sendTestEvent("shop").status()).isEqualTo(DeliveryStatus.PENDING);

        fixture.clock.advance(WINDOW);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void replayAllThenLimitHolds() {
        limit(2, WINDOW);
        for (int i = 0; i < 5; i++) {
            fixture.rows.delivery("shop", DeliveryStatus.DEAD);
        }

        assertThat(dispatcher.dlq().replayAll(DeadLetterQuery.all())).isEqualTo(5);

        assertThat(dispatcher.processRetries()).isEqualTo(sent(2));
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
    }

    @Test
    void suspectWhenNotAdmittedThenDueWhenItIs() {
        limit(1, WINDOW);
        enqueue(1);
        dispatcher.processRetries();
        String id = fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        fixture.rows.change(id, "takeovers = 2");

        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);

        assertThat(fixture.delivery(id).nextAttemptAt())
                .isEqualTo(fixture.clock.instant().plus(WINDOW));
        fixture.clock.advance(WINDOW);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));
    }

    @Test
    void registerWhenLimitIsHigherThenMoreIsSentAtOnce() {
        limit(1, Duration.ofDays(1));
        enqueue(5);
        assertThat(dispatcher.processRetries()).isEqualTo(sent(1));

        limit(3, Duration.ofDays(1));

        assertThat(dispatcher.processRetries()).isEqualTo(sent(2));
    }

    @Test
    void registerWhenStartedThenHeldAreSentAtOnce() {
        limit(1, Duration.ofDays(1));
        fixture.dispatcher.start(); // and is never polled
        enqueue(3);
        fixture.await(() -> fixture.receiver.hooks().size() == 1);

        fixture.endpoint("shop", "/shop");

        fixture.await(() -> fixture.receiver.hooks().size() == 3);
    }

    @Test
    void registerOnAnotherNodeThenItsLimitHolds() {
        limit(1, Duration.ofDays(1));
        JdbcWebhookDispatcher other = fixture.node(options -> options);
        enqueue(5);
        assertThat(other.processRetries()).isEqualTo(sent(1));

        limit(3, Duration.ofDays(1));

        assertThat(other.processRetries()).isEqualTo(sent(2));
    }

    @Test
    void nodesThenShareTheLimit() {
        limit(4, WINDOW);
        JdbcWebhookDispatcher one = fixture.node(options -> options);
        JdbcWebhookDispatcher two = fixture.node(options -> options);
        // Each gets half as soon as it has noticed the other.
        Patience.until(() -> {
            enqueue(5);
            fixture.clock.advance(WINDOW);
            return List.of(one.processRetries(), two.processRetries()).equals(List.of(sent(2), sent(2)));
        });
    }

    /** Its lease ends before the next call, so that the next call joins the others again. */
    @Test
    void processRetriesWhenItJoinsOthersThenSendsItsShare() {
        limit(4, WINDOW);
        enqueue(5);
        fixture.lease("other", DispatcherTables.DEFAULT_DELIVERIES + "/worker", 1);

        assertThat(dispatcher.processRetries().delivered()).isPositive();
    }

    /** Which of two nodes has the only request depends on the endpoint. */
    @Test
    void nodesWhenOneOnlyDispatchesThenTheOtherSendsToAll() {
        JdbcWebhookDispatcher stores = fixture.node(options -> options);
        JdbcWebhookDispatcher worker = fixture.node(options -> options);
        assertAllAreSent(worker, () -> stores.dispatch("unlimited", "{}"));
    }

    @Test
    void nodesWhenOneHasOtherTablesThenTheOtherSendsToAll() {
        DispatcherRows rows = new DispatcherRows(test, DispatcherTables.named("other_endpoints", "other_deliveries"));
        JdbcWebhookDispatcher other = fixture.node(
                options -> options.endpointsTable(rows.tables.endpoints()).deliveriesTable(rows.tables.deliveries()));
        other.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/other"), DispatcherFixture.SECRET, "unlimited"));
        JdbcWebhookDispatcher worker = fixture.node(options -> options);
        assertAllAreSent(worker, () -> {
            other.dispatch("unlimited", "{}");
            other.processRetries();
        });
    }

    /** @param neighbour keeps the lease of another node */
    private void assertAllAreSent(JdbcWebhookDispatcher worker, Runnable neighbour) {
        fixture.endpoint("unlimited", "/unlimited", "unlimited");
        for (String endpointId : List.of("a", "b")) {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                            endpointId, fixture.receiver.url("/" + endpointId), DispatcherFixture.SECRET, "e")
                    .rateLimit(1, WINDOW));
        }
        neighbour.run();
        Patience.until(() -> {
            dispatcher.enqueue("e", "{}");
            fixture.clock.advance(WINDOW);
            neighbour.run();
            return worker.processRetries().equals(sent(2));
        });
    }

    @Test
    void startedThenHeldAreSentWhenAdmitted() {
        fixture.dispatcher.declareSchema();
        JdbcWebhookDispatcher node = fixture.node(options -> options.clock(InstantSource.system()));
        limit(2, Duration.ofSeconds(1));
        node.start(); // and is never polled

        for (int i = 0; i < 5; i++) {
            node.enqueue("e", "{}");
        }

        fixture.await(() -> fixture.receiver.hooks().size() == 5);
    }

    @Test
    void backlogWhenHeldThenOthersDoNotNoticeIt() {
        RecordedStatements recorded = new RecordedStatements(test.dataSource());
        try (JdbcWebhookDispatcher node = DispatcherFixture.builder(
                        CredentialDatabase.of(recorded), fixture.keyring, fixture.clock)
                .dispatchWait(Patience.LIMIT)
                .build()) {
            limit(1, Duration.ofDays(1));
            enqueue(300);
            node.start();
            fixture.await(() -> fixture.receiver.hooks("/shop").size() == 1);
            fixture.endpoint("other", "/other", "to-other");
            fixture.await(() -> inFlight() == 0);
            recorded.clear();

            for (int i = 0; i < 50; i++) {
                assertThat(node.dispatch("to-other", "{}").delivered()).isEqualTo(1);
            }

            assertThat(fixture.receiver.hooks("/shop")).hasSize(1);
            assertThat(recorded.statements())
                    .filteredOn(sql -> sql.contains(DispatcherTables.DEFAULT_DELIVERIES))
                    .noneMatch(EndpointRateTests::isClaim);
            assertThat(inFlight()).isZero();
        }
    }

    private static boolean isClaim(String sql) {
        return sql.contains("SET status = 'in-flight'");
    }

    private int inFlight() {
        return fixture.rows
                .sql("SELECT count(*) FROM {deliveries} WHERE status = 'in-flight'")
                .query(Integer.class)
                .single();
    }

    private Endpoint limit(int limit, Duration window) {
        return dispatcher.registerEndpoint(EndpointRegistration.of(
                        "shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "e", "order.paid")
                .rateLimit(limit, window));
    }

    /** Events of different ages, numbered from 1. */
    private void enqueue(int events) {
        for (int i = 1; i <= events; i++) {
            dispatcher.enqueue("e", Integer.toString(i));
            fixture.clock.advance(Duration.ofMillis(1));
        }
    }

    private List<String> bodies() {
        return fixture.receiver.hooks().stream().map(HookReceiver.Hook::body).toList();
    }

    private static RetryResult sent(int deliveries) {
        return new RetryResult(deliveries, deliveries, 0);
    }
}
