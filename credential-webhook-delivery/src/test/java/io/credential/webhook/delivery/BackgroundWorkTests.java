package io.credential.webhook.delivery;

import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import ch.qos.logback.classic.Level;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The loop behind {@code start()}. */
@BothDatabases
class BackgroundWorkTests extends DispatcherTestBase {

    BackgroundWorkTests(TestDatabase test) {
        super(test);
    }

    @Test
    void enqueueWhenStartedThenAttemptedAtOnce() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();

        Delivery delivery = node.enqueue("e", "{}").deliveries().get(0);

        fixture.await(() -> fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.DELIVERED);
    }

    @Test
    void pollWhenAnotherNodeHasStoredThenAttempted() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.dispatch("e", "{}");

        dispatcher.enqueue("e", "{}");

        fixture.await(() -> {
            node.poll();
            return fixture.receiver.hooks().size() == 2;
        });
    }

    @Test
    void retryWhenScansFailThenAttemptedNevertheless() {
        fixture.receiver.answeringInTurn("/partner", 500, 200);
        fixture.endpoint("partner", "/partner");
        RecordedStatements statements = new RecordedStatements(test.dataSource());
        JdbcWebhookDispatcher node = fixture.node(CredentialDatabase.of(statements), options -> options);
        node.start();
        Delivery delivery = node.dispatch("e", "{}").deliveries().get(0);

        statements.clear();
        statements.refuse("WITH RECURSIVE open");
        fixture.await(() -> {
            node.poll();
            return statements.statements().stream().anyMatch(sql -> sql.contains("WITH RECURSIVE open"));
        });
        fixture.clock.advance(Duration.ofHours(1));

        fixture.await(() -> {
            node.poll();
            return fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.DELIVERED;
        });
    }

    @Test
    void loopWhenScanFailsAndNothingIsKnownThenOneLine() {
        JdbcWebhookDispatcher node = nodeWhoseScansFail();
        try (CapturedLog log = CapturedLog.of("io.credential.webhook.delivery.internal.engine")) {
            node.start();
            fixture.await(() -> !log.lines(Level.ERROR).isEmpty());
            node.stop(Patience.LIMIT);

            assertThat(log.lines()).singleElement().asString().startsWith("Could not claim due webhook deliveries");
        }
    }

    @Test
    void loopWhenKnownFollowsAFailedScanThenWarned() {
        fixture.receiver.answeringInTurn("/partner", 500, 200);
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = nodeWhoseScansFail();
        try (CapturedLog log = CapturedLog.of("io.credential.webhook.delivery.internal.engine")) {
            node.start();
            fixture.await(() -> !log.lines(Level.ERROR).isEmpty());

            Delivery delivery = node.dispatch("e", "{}").deliveries().get(0);
            fixture.clock.advance(Duration.ofHours(1));

            fixture.await(() -> {
                node.poll();
                return fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.DELIVERED;
            });
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.startsWith("Could not look for due webhook deliveries"))
                    .hasSize(1);
        }
    }

    private JdbcWebhookDispatcher nodeWhoseScansFail() {
        RecordedStatements statements = new RecordedStatements(test.dataSource());
        statements.refuse("WITH RECURSIVE open");
        return fixture.node(CredentialDatabase.of(statements), options -> options);
    }

    @Test
    void processRetriesWhenStoppedThenTakesNoLease() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.stop(Patience.LIMIT);
        node.enqueue("e", "{}");

        assertThat(node.processRetries()).isEqualTo(new RetryResult(0, 0, 0));

        assertThat(fixture.rows
                        .sql("SELECT name FROM _credential_leases")
                        .query(String.class)
                        .list())
                .isEmpty();
    }

    @Test
    void closeThenLeasesOfUnusedTablesAreRemoved() {
        fixture.lease("unused", "other_deliveries", 1);
        fixture.lease("used", "more_deliveries", 1);
        fixture.rows
                .sql("UPDATE _credential_leases SET expires_at = %s WHERE name = 'webhook-dispatcher/used'"
                        .formatted(fixture.database().dialect().now()))
                .update();
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.dispatch("e", "{}");

        node.close();

        assertThat(fixture.rows.ids("name", "_credential_leases")).containsExactly("webhook-dispatcher/used");
    }

    @Test
    void pollWhenNotStartedThenNothingIsAttempted() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        Delivery delivery = dispatcher.enqueue("e", "{}").deliveries().get(0);

        node.poll();
        LiveThreads.awaitNone("credential-webhook-loop");
        node.start();
        fixture.await(() -> fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.DELIVERED);
        node.stop(Patience.LIMIT);
        dispatcher.enqueue("e", "{}");
        node.poll();
        LiveThreads.awaitNone("credential-webhook-loop");
        node.close();
        node.poll();

        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void startWhenThereIsABacklogThenWorkedOffWithoutPolls() {
        for (String name : List.of("a", "b")) {
            fixture.endpoint(name, "/" + name);
        }
        for (int i = 0; i < 300; i++) {
            dispatcher.enqueue("e", "{}");
        }
        JdbcWebhookDispatcher node = fixture.node(options -> options);

        node.start();

        fixture.await(() -> fixture.receiver.hooks().size() == 600);
    }

    @Test
    void loopWhenRetryBecomesDueThenWakes() {
        fixture.receiver.answeringInTurn("/flaky", 500, 200);
        fixture.endpoint("flaky", "/flaky");
        JdbcWebhookDispatcher node = fixture.node(options -> options.clock(InstantSource.system())
                .retryBackoff(new RetryBackoff(Duration.ofMillis(200), Duration.ofSeconds(1), 1, 0)));
        node.start();

        node.enqueue("e", "{}");

        fixture.await(() -> fixture.receiver.hooks().size() == 2);
    }

    @Test
    void loopWhenOneEndpointHangsThenOthersAreDelivered() {
        fixture.receiver.hanging("/hang");
        fixture.endpoint("hang", "/hang");
        fixture.endpoint("up", "/up");
        JdbcWebhookDispatcher node = fixture.node(DispatcherFixture::patient);
        node.start();

        for (int i = 0; i < 300; i++) {
            node.enqueue("e", "{}");
        }

        fixture.await(() -> fixture.receiver.hooks("/up").size() == 300);
    }

    @Test
    void loopWhenEndpointsHangThenOthersAreAttempted() {
        fixture.receiver.hanging("/hang");
        for (int i = 0; i < 7; i++) {
            fixture.endpoint("hang-" + i, "/hang", "first");
        }
        fixture.endpoint("up", "/up", "second");
        JdbcWebhookDispatcher node =
                fixture.node(options -> DispatcherFixture.patient(options).batchSize(2));
        node.start();
        node.enqueue("first", "{}");
        fixture.await(() -> fixture.receiver.hooks("/hang").size() == 7);

        for (int i = 0; i < 10; i++) {
            node.enqueue("second", "{}");
        }

        fixture.await(() -> fixture.receiver.hooks("/up").size() == 10);
    }

    @Test
    void removeExpiredWhenManyAreOldThenAllAreRemoved() {
        fixture.database().inTransaction(() -> {
            for (int i = 0; i < 1200; i++) {
                String id = fixture.rows.delivery(
                        fixture.rows.event(DispatcherRows.NEW_YEAR.plusMillis(i)), "shop", DeliveryStatus.DELIVERED);
                fixture.rows.attempt(id, 1, DispatcherRows.NEW_YEAR);
            }
            return "";
        });
        String dead = fixture.rows.delivery("shop", DeliveryStatus.DEAD);
        fixture.clock.advance(Duration.ofDays(31));

        assertThat(fixture.dispatcher.removeExpired()).isEqualTo(1200);

        assertThat(fixture.rows.ids("event_id", "{events}")).hasSize(1);
        assertThat(fixture.rows.ids("delivery_id", "{deliveries}")).containsExactly(dead);
        assertThat(fixture.rows.ids("delivery_id", "{attempts}")).isEmpty();
    }

    @Test
    void stopWhenHostIsBeingResolvedThenNothingIsSent() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answering = new CountDownLatch(1);
        JdbcWebhookDispatcher node = fixture.node(options -> options.hostResolver(host -> {
            asked.countDown();
            Patience.await(answering);
            return List.of(InetAddress.getLoopbackAddress());
        }));
        fixture.node(options -> options.hostResolver(host -> List.of(InetAddress.getLoopbackAddress())))
                .registerEndpoint(EndpointRegistration.of(
                        "partner",
                        "http://partner.example:" + fixture.receiver.port() + "/partner",
                        DispatcherFixture.SECRET,
                        "*"));
        Delivery delivery = node.enqueue("e", "{}").deliveries().get(0);
        node.start();
        Patience.await(asked);

        node.stop(Duration.ZERO);
        answering.countDown();

        fixture.await(() -> fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.PENDING);
        assertThat(fixture.receiver.hooks()).isEmpty();
        assertThat(fixture.delivery(delivery.deliveryId()).attempts()).isZero();
    }

    @Test
    void loopWhenTransportIsFullThenNotAskedAgainAtOnce() {
        AtomicInteger asked = new AtomicInteger();
        JdbcWebhookDispatcher node = fixture.node(options -> options.transport(request -> {
            asked.incrementAndGet();
            return CompletableFuture.failedFuture(
                    new WebhookTransportException(WebhookTransportException.Failure.OVERLOADED, "full"));
        }));
        fixture.endpoint("partner", "/partner", "first");
        fixture.endpoint("witness", "/witness", "second");
        node.start();
        fixture.poll(node, Duration.ofMillis(10));
        node.enqueue("first", "{}");
        fixture.await(() -> asked.get() == 1);

        for (int i = 2; i <= 5; i++) {
            int expected = i;
            node.enqueue("second", "{}");
            fixture.await(() -> asked.get() == expected);
        }

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()))
                .allSatisfy(delivery -> assertThat(delivery.attempts()).isLessThanOrEqualTo(1));
    }

    @Test
    void dispatchWhenStoppedThenWaitsForTheNextStart() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.stop(Patience.LIMIT);

        DispatchResult result = node.dispatch("e", "{}");
        assertThat(result.deliveries()).extracting(Delivery::status).containsExactly(DeliveryStatus.PENDING);
        assertThat(result.deliveries()).extracting(Delivery::attempts).containsExactly(0);
        assertThat(fixture.receiver.hooks()).isEmpty();

        node.start();
        fixture.await(() -> fixture.receiver.hooks().size() == 1);
    }

    @Test
    void stopWhenAttemptIsUnderWayThenLetsItFinish() {
        AtomicInteger begun = new AtomicInteger();
        fixture.receiver.answering("/slow", exchange -> {
            begun.incrementAndGet();
            LiveThreads.awaitNone("credential-webhook-loop");
            HookReceiver.respond(exchange, 200, "");
        });
        fixture.endpoint("slow", "/slow");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        Delivery delivery = node.enqueue("e", "{}").deliveries().get(0);
        fixture.await(() -> begun.get() == 1);

        node.stop(Patience.LIMIT);

        assertThat(fixture.delivery(delivery.deliveryId()).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void stopWhenGivenTransportHangsThenReleased() throws ExecutionException {
        CountDownLatch attempted = new CountDownLatch(1);
        CompletableFuture<WebhookResponse> never = new CompletableFuture<>();
        JdbcWebhookDispatcher node = fixture.node(options -> options.transport(request -> {
            attempted.countDown();
            return never;
        }));
        fixture.endpoint("partner", "/partner");
        node.start();
        Delivery delivery = node.enqueue("e", "{}").deliveries().get(0);
        Patience.await(attempted);

        node.stop(Duration.ZERO);

        assertThat(never).isCancelled();
        assertThat(fixture.delivery(delivery.deliveryId()).status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(fixture.delivery(delivery.deliveryId()).attempts()).isZero();
    }

    @Test
    void closeWhenDispatchedAfterTheStopThenNoThreadIsLeft() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.stop(Patience.LIMIT);
        node.dispatch("e", "{}");

        node.close();
        fixture.dispatcher.close(Duration.ZERO);

        LiveThreads.awaitNone("credential-webhook");
    }

    @Test
    void closeWhenStartedThenNoThreadIsLeft() {
        fixture.endpoint("partner", "/partner");
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        node.start();
        node.dispatch("e", "{}");

        node.close();
        fixture.dispatcher.close(Duration.ZERO);

        LiveThreads.awaitNone("credential-webhook");
    }

    @Test
    void dispatcherWhenClosedThenRefusesWork() {
        JdbcWebhookDispatcher node = fixture.node(options -> options);
        fixture.endpoint("partner", "/partner");
        String id = node.dispatch("e", "{}").deliveries().get(0).deliveryId();
        node.close();

        assertThatIllegalStateException().isThrownBy(() -> node.dispatch("e", "{}"));
        assertThatIllegalStateException().isThrownBy(() -> node.enqueue("e", "{}"));
        assertThatIllegalStateException().isThrownBy(node::processRetries);
        assertThatIllegalStateException().isThrownBy(() -> node.deliveries().retry(id));
        assertThatIllegalStateException().isThrownBy(node::start);
    }
}
