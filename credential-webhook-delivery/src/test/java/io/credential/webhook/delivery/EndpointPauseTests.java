package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.audit.AuditEvent;
import io.credential.seal.internal.Sealer;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Deliveries of a paused endpoint are held until it is resumed. */
@BothDatabases
class EndpointPauseTests extends DispatcherTestBase {

    private static final RetryResult NOTHING = new RetryResult(0, 0, 0);

    EndpointPauseTests(TestDatabase test) {
        super(test);
    }

    @Test
    void dispatchWhenPausedThenStoredAndHeld() {
        fixture.endpoint("shop", "/shop");
        assertThat(dispatcher.pauseEndpoint("shop")).isTrue();

        DispatchResult result = dispatcher.dispatch("e", "{}");

        assertThat(result.delivered() + result.failed()).isZero();
        assertThat(result.deliveries())
                .singleElement()
                .returns(DeliveryStatus.PENDING, Delivery::status)
                .returns(0, Delivery::attempts);
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void dispatchWhenAnotherIsPausedThenDelivered() {
        fixture.endpoint("shop", "/shop");
        fixture.endpoint("other", "/other");
        dispatcher.pauseEndpoint("shop");

        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void resumeThenHeldDeliveriesGoByAge() {
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher oneByOne = fixture.node(options -> options.batchSize(1));
        dispatcher.pauseEndpoint("shop");
        for (String payload : List.of("1", "2", "3")) {
            dispatcher.dispatch("e", payload);
            fixture.clock.advance(Duration.ofSeconds(1));
        }

        assertThat(dispatcher.resumeEndpoint("shop")).isTrue();

        for (int i = 0; i < 3; i++) {
            assertThat(oneByOne.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
        }
        assertThat(fixture.receiver.hooks()).extracting(HookReceiver.Hook::body).containsExactly("1", "2", "3");
        assertThat(only(dispatcher.listEndpoints()))
                .returns(null, Endpoint::pausedAt)
                .returns(null, Endpoint::pauseReason);
    }

    @Test
    void resumeWhenStartedThenHeldAreSentAtOnce() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");
        dispatcher.enqueue("e", "{}");
        fixture.dispatcher.start(); // and is never polled

        dispatcher.resumeEndpoint("shop");

        fixture.await(() -> fixture.receiver.hooks().size() == 1);
    }

    @Test
    void pauseWhenOnOneNodeThenOthersClaimNothing() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher other = fixture.node(options -> options);
        other.dispatch("e", "{}");
        fixture.clock.advance(Duration.ofSeconds(5));

        dispatcher.pauseEndpoint("shop");

        assertThat(other.processRetries()).isEqualTo(NOTHING);
        dispatcher.resumeEndpoint("shop");
        assertThat(other.processRetries()).isEqualTo(new RetryResult(1, 0, 0));
    }

    @Test
    void pauseWhenAttemptsRunAndWaitThenOnlyTheFirstIsMade() {
        CountDownLatch answered = new CountDownLatch(1);
        fixture.receiver.answeringAfter(answered, "/shop", 200);
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher node =
                fixture.node(options -> DispatcherFixture.patient(options).maxInFlightPerEndpoint(1));
        node.start();
        String running = node.enqueue("e", "1").deliveries().get(0).deliveryId();
        fixture.await(() -> fixture.receiver.hooks().size() == 1);
        String waiting = node.enqueue("e", "2").deliveries().get(0).deliveryId();

        node.pauseEndpoint("shop");
        answered.countDown();

        fixture.await(() -> fixture.delivery(running).status() == DeliveryStatus.DELIVERED);
        fixture.await(() -> fixture.delivery(waiting).status() == DeliveryStatus.PENDING);
        assertThat(fixture.delivery(waiting).attempts()).isZero();
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void pauseWhenDeliveryIsSuspectThenNotClaimed() {
        fixture.endpoint("shop", "/shop");
        String id = fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        fixture.rows.change(id, "takeovers = 2");
        dispatcher.pauseEndpoint("shop");

        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);

        dispatcher.resumeEndpoint("shop");
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void retryWhenPausedThenAttemptedAndOthersStayHeld() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        dispatcher.dispatch("e", "{}");

        assertThat(dispatcher.deliveries().retry(id).status()).isEqualTo(DeliveryStatus.DELIVERED);

        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void retryWhenPausedAndItFailsThenHeldAgain() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        assertThat(dispatcher.deliveries().retry(id).status()).isEqualTo(DeliveryStatus.PENDING);

        fixture.clock.advance(Duration.ofDays(1));
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
    }

    @Test
    void attemptWhenGoneThenPausedAndDeliveryIsHeld() {
        fixture.receiver.answering("/shop", 410);
        fixture.endpoint("shop", "/shop");

        Delivery delivery = dispatcher.dispatch("e", "{}").deliveries().get(0);

        fixture.await(() -> only(dispatcher.listEndpoints()).pauseReason() == PauseReason.GONE);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(delivery.attempts()).isEqualTo(1);
        assertThat(only(dispatcher.listEndpoints()).pausedAt()).isEqualTo(fixture.clock.instant());
        fixture.clock.advance(Duration.ofDays(1));
        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);
        fixture.await(() -> events().contains("webhook.endpoint.pause {pauseReason=gone}"));
    }

    @Test
    void attemptWhenGoneButMovedSinceThenNotPaused() {
        CountDownLatch moved = new CountDownLatch(1);
        fixture.receiver.answeringAfter(moved, "/old", 410);
        fixture.endpoint("shop", "/old");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        String id = node.enqueue("e", "{}").deliveries().get(0).deliveryId();
        fixture.await(() -> fixture.receiver.hooks("/old").size() == 1);

        fixture.endpoint("shop", "/new");
        moved.countDown();

        fixture.await(() -> fixture.delivery(id).attempts() == 1);
        node.close(); // waits for a pause
        assertThat(only(dispatcher.listEndpoints()).pausedAt()).isNull();
        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);
    }

    @Test
    void attemptsWhenTheSecretDoesNotOpenThenNotCounted() {
        fixture.endpoint("shop", "/shop");
        fixture.rows
                .sql("UPDATE {endpoints} SET secret = replace(secret, :head, 's1.unknown.')")
                .param("head", Sealer.boundHead(fixture.keyring.activeKeyId()))
                .update();
        JdbcWebhookDispatcher node = fixture.node(options -> options);

        for (int day = 0; day < 10; day++) {
            assertThat(node.dispatch("e", "{}").deliveries().get(0).attempts()).isZero();
            fixture.clock.advance(Duration.ofDays(1));
        }

        node.close();
        assertThat(stored("failing_since")).isEqualTo("null");
        assertThat(only(dispatcher.listEndpoints()).pausedAt()).isNull();
    }

    @Test
    void scanWhenAllIsHeldThenNoLeaseIsAcquired() {
        fixture.endpoint("shop", "/shop");
        fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        String suspect = fixture.rows.delivery("shop", DeliveryStatus.PENDING);
        fixture.rows.change(suspect, "takeovers = 2");
        dispatcher.pauseEndpoint("shop");

        assertThat(dispatcher.processRetries()).isEqualTo(NOTHING);

        assertThat(fixture.rows.ids("name", "_credential_leases")).isEmpty();
    }

    @Test
    void startWhenNodeOfPausedEndpointDiedThenGivenBack() {
        fixture.endpoint("shop", "/shop");
        String id = fixture.rows.delivery("shop", DeliveryStatus.IN_FLIGHT);
        dispatcher.pauseEndpoint("shop");
        fixture.clock.advance(Duration.ofHours(1));

        fixture.node(options -> options).start();

        fixture.await(() -> fixture.delivery(id).status() == DeliveryStatus.PENDING);
    }

    @Test
    void attemptsWhenAllFailForDaysThenPaused() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("shop", "/shop");
        Instant begin = fixture.clock.instant();

        dispatcher.dispatch("e", "{}");
        failAfter(Duration.ofMinutes(1));
        fixture.await(() -> stored("failing_since").equals(Long.toString(begin.toEpochMilli() + 60_000)));
        failAfter(Duration.ofHours(60));
        fixture.await(() -> events().contains(
                        "webhook.endpoint.failing {failingSince=2026-01-01T00:01:00Z, pauseAt=2026-01-06T00:01:00Z}"));
        assertThat(only(dispatcher.listEndpoints()).pausedAt()).isNull();
        failAfter(Duration.ofHours(60));

        fixture.await(() -> only(dispatcher.listEndpoints()).pauseReason() == PauseReason.FAILING);
        fixture.await(() -> events().contains("webhook.endpoint.pause {pauseReason=failing}"));
    }

    @Test
    void pauseWhenPausedThenFirstReasonAndTimeStay() {
        fixture.receiver.answering("/shop", 410);
        fixture.endpoint("shop", "/shop");
        dispatcher.dispatch("e", "{}");
        fixture.await(() -> only(dispatcher.listEndpoints()).pausedAt() != null);
        Endpoint paused = only(dispatcher.listEndpoints());
        fixture.clock.advance(Duration.ofHours(1));

        assertThat(dispatcher.pauseEndpoint("shop")).isTrue();

        assertThat(only(dispatcher.listEndpoints())).isEqualTo(paused);
    }

    @Test
    void registerWhenPausedThenStaysPaused() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");

        Endpoint registered = fixture.endpoint("shop", "/other");

        assertThat(registered)
                .returns(fixture.clock.instant(), Endpoint::pausedAt)
                .returns(PauseReason.MANUAL, Endpoint::pauseReason);
        assertThat(dispatcher.listEndpoints()).containsExactly(registered);
    }

    @Test
    void removeWhenPausedThenHeldDeliveriesAreDead() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        dispatcher.removeEndpoint("shop");

        assertThat(fixture.delivery(id).status()).isEqualTo(DeliveryStatus.DEAD);
    }

    @Test
    void endpointWhenUnknownThenFalse() {
        for (String id : List.of("shop", "", "no such name", "x".repeat(5000))) {
            assertThat(dispatcher.pauseEndpoint(id)).isFalse();
            assertThat(dispatcher.resumeEndpoint(id)).isFalse();
        }
        assertThat(fixture.audited).isEmpty();
    }

    @Test
    void pauseAndResumeThenAuditedOnlyIfTheyChange() {
        fixture.endpoint("shop", "/shop");
        fixture.audited.clear();

        dispatcher.pauseEndpoint("shop");
        dispatcher.pauseEndpoint("shop");
        dispatcher.resumeEndpoint("shop");
        dispatcher.resumeEndpoint("shop");

        assertThat(events())
                .containsExactly("webhook.endpoint.pause {pauseReason=manual}", "webhook.endpoint.resume {}");
    }

    @Test
    void pauseWhenTransactionRollsBackThenNotPaused() {
        fixture.endpoint("shop", "/shop");
        fixture.audited.clear();

        new TransactionTemplate(new JdbcTransactionManager(test.dataSource())).executeWithoutResult(status -> {
            dispatcher.pauseEndpoint("shop");
            status.setRollbackOnly();
        });

        assertThat(dispatcher.dispatch("e", "{}").delivered()).isEqualTo(1);
        assertThat(events()).isEmpty();
    }

    private void failAfter(Duration duration) {
        fixture.clock.advance(duration);
        dispatcher.dispatch("e", "{}");
    }

    private String stored(String column) {
        return String.valueOf(fixture.rows
                .sql("SELECT " + column + " FROM {endpoints}")
                .query((row, number) -> row.getString(1))
                .list()
                .get(0));
    }

    /** The events of endpoints, with attributes in the order of their names. */
    private List<String> events() {
        return fixture.audited.stream()
                .filter(event -> event.name().startsWith("webhook.endpoint"))
                .filter(event -> !event.name().equals("webhook.endpoint.register"))
                .map(EndpointPauseTests::text)
                .toList();
    }

    private static String text(AuditEvent event) {
        return event.name() + " " + new TreeMap<>(event.attributes());
    }

    private static Endpoint only(List<Endpoint> endpoints) {
        assertThat(endpoints).hasSize(1);
        return endpoints.get(0);
    }
}
