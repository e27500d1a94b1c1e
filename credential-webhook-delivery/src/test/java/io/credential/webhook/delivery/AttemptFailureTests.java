package io.credential.webhook.delivery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
import io.credential.seal.internal.Sealer;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.attempt.AttemptReporter;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** What an attempt can meet on its way, and what becomes of the delivery. */
@BothDatabases
class AttemptFailureTests extends DispatcherTestBase {

    AttemptFailureTests(TestDatabase test) {
        super(test);
    }

    @Test
    void processRetriesWhenTransportIsSilentThenTimesOut() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.requestTimeout(Duration.ofSeconds(3))
                .maxInFlight(1)
                .transport(request -> new CompletableFuture<>()));
        fixture.endpoint("partner", "/partner");
        node.enqueue("e", "{}");

        assertThat(node.processRetries()).isEqualTo(new RetryResult(1, 0, 0));
        assertThat(node.deliveries().list(DeliveryQuery.all()).get(0).lastError())
                .isEqualTo("The transport did not answer in time");
    }

    @Test
    void responseBodyWhenNotStorableThenIsCleanedAndCut() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.transport(request ->
                CompletableFuture.completedFuture(new WebhookResponse(200, "a\0b" + "c".repeat(5000), null))));
        fixture.endpoint("partner", "/partner");

        Delivery delivery = node.dispatch("e", "{}").deliveries().get(0);

        assertThat(delivery.status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(node.deliveries().attempts(delivery.deliveryId()).get(0).responseBody())
                .startsWith("a\ufffdbccc")
                .hasSize(2048);
    }

    @Test
    void attemptWhenItThrowsThenGivesItsPlaceBack() {
        AtomicBoolean broken = new AtomicBoolean();
        InstantSource clock = () -> {
            if (broken.get() && Thread.currentThread().getName().startsWith("credential-webhook-attempt")) {
                throw new IllegalStateException("The clock is broken");
            }
            return fixture.clock.instant();
        };
        JdbcWebhookDispatcher node =
                fixture.node(options -> options.clock(clock).maxInFlight(1));
        fixture.endpoint("partner", "/partner");
        broken.set(true);
        assertThat(node.dispatch("e", "{}").deliveries().get(0).status()).isEqualTo(DeliveryStatus.PENDING);
        broken.set(false);

        assertThat(node.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void dispatchWhenRedirectedThenFailsWithoutFollowing() {
        fixture.receiver.answering("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", fixture.receiver.url("/elsewhere"));
            HookReceiver.respond(exchange, 307, "");
        });

        Delivery delivery = failed(dispatcher, fixture.receiver.url("/moved"));

        assertThat(delivery.lastError()).startsWith("HTTP 307: redirects are not followed");
        assertThat(fixture.receiver.hooks("/elsewhere")).isEmpty();
    }

    @Test
    void dispatchWhenAnswerDripsThenFailsAtTheTimeout() {
        fixture.receiver.answering("/drip", exchange -> {
            exchange.sendResponseHeaders(200, 1_000_000);
            fixture.receiver.awaitClosing();
        });

        Delivery delivery = failed(
                fixture.node(options -> options.requestTimeout(Duration.ofSeconds(3))), fixture.receiver.url("/drip"));

        assertThat(delivery.lastError()).contains("did not answer completely in time");
    }

    @Test
    void responseBodyWhenEndlessThenIsCutOff() {
        fixture.receiver.answering("/endless", exchange -> {
            exchange.sendResponseHeaders(500, 0);
            byte[] chunk = "y".repeat(8192).getBytes(StandardCharsets.UTF_8);
            while (!Thread.currentThread().isInterrupted()) {
                exchange.getResponseBody().write(chunk);
            }
        });

        Delivery delivery = failed(dispatcher, fixture.receiver.url("/endless"));

        assertThat(dispatcher
                        .deliveries()
                        .attempts(delivery.deliveryId())
                        .get(0)
                        .responseBody())
                .isEqualTo("y".repeat(2048));
    }

    @Test
    void dispatchWhenConnectionIsResetThenFails() throws IOException {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            var unused = in.read();
            self.resetAll();
        })) {
            assertThat(failed(dispatcher, "http://127.0.0.1:" + receiver.port() + "/")
                            .lastError())
                    .contains("closed the connection before its response was complete");
        }
    }

    @Test
    void dispatchWhenHostIsNotResolvedThenTriedAgain() {
        AtomicReference<List<InetAddress>> answer = new AtomicReference<>(List.of());
        JdbcWebhookDispatcher node = fixture.node(options -> options.hostResolver(resolver(answer)));
        namedEndpoint("named", "receiver.test", "/up");

        Delivery delivery = node.dispatch("e", "{}").deliveries().get(0);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(delivery.lastError()).contains("receiver.test");

        answer.set(List.of(loopback()));
        fixture.clock.advance(Duration.ofSeconds(5));
        assertThat(node.processRetries().delivered()).isEqualTo(1);
    }

    @Test
    void dispatchWhenHostBecomesForbiddenThenStaysPending() {
        namedEndpoint("rebinding", "receiver.test", "/up");
        JdbcWebhookDispatcher strict = fixture.node(options -> options.hostResolver(host -> List.of(loopback()))
                .destinationPolicy(DestinationPolicy.builder().build()));

        Delivery delivery = strict.dispatch("e", "{}").deliveries().get(0);

        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(delivery.lastError()).contains("may not be sent to");
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void dispatchWhenManyNamesHangThenOthersAreDelivered() {
        CountDownLatch released = new CountDownLatch(1);
        JdbcWebhookDispatcher node = fixture.node(options -> options.requestTimeout(Patience.LIMIT)
                .claimReclaimAfter(Patience.LIMIT.multipliedBy(3))
                .dispatchWait(Duration.ofMillis(1))
                .hostResolver(host -> {
                    if (host.startsWith("hang")) {
                        hang(released);
                    }
                    return List.of(loopback());
                }));
        for (int i = 0; i < 16; i++) {
            namedEndpoint("hang" + i, "hang" + i + ".test", "/hang");
        }
        try {
            node.dispatch("e", "{}");
            namedEndpoint("other", "receiver.test", "/other");

            node.dispatch("e", "{}");

            Patience.until(() -> fixture.receiver.hooks("/other").size() == 1);
            assertThat(fixture.receiver.hooks("/hang")).isEmpty();
        } finally {
            released.countDown();
        }
    }

    @Test
    void processRetriesWhenAddressIsForbiddenThenDeadAtOnce() {
        fixture.endpoint("internal", "/internal");
        dispatcher.enqueue("e", "{}");
        JdbcWebhookDispatcher strict = fixture.node(
                options -> options.destinationPolicy(DestinationPolicy.builder().build()));

        assertThat(strict.processRetries()).isEqualTo(new RetryResult(1, 0, 1));
        assertThat(dispatcher.dlq().list().get(0).lastError()).contains("may not be sent to");
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void registerEndpointWhenUrlIsForbiddenThenRefused() {
        JdbcWebhookDispatcher strict = fixture.node(
                options -> options.destinationPolicy(DestinationPolicy.builder().build()));
        for (String url : List.of(
                "http://127.0.0.1/",
                "http://10.1.2.3/",
                "http://169.254.169.254/latest/meta-data",
                "http://[::1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://0x7f000001/",
                "http://2130706433/",
                "http://localhost./",
                "ftp://198.41.0.4/",
                "http://user@198.41.0.4/")) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .as(url)
                    .isThrownBy(() ->
                            strict.registerEndpoint(EndpointRegistration.of("e", url, DispatcherFixture.SECRET, "*")))
                    .extracting(WebhookDispatcherException::code)
                    .isEqualTo("webhook-dispatcher/unsafe-destination");
        }
        assertThat(strict.listEndpoints()).isEmpty();
    }

    @Test
    void registerEndpointWhenMetadataUrlThenAlwaysRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.registerEndpoint(
                        EndpointRegistration.of("e", "http://169.254.169.254/", DispatcherFixture.SECRET, "*")))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/unsafe-destination");
    }

    @Test
    void dispatchWhenSecretIsForeignThenDeadAsIntegrity() {
        fixture.endpoint("tampered", "/tampered");
        fixture.endpoint("other", "/other", "other");
        fixture.rows
                .sql("UPDATE {endpoints} SET secret = (SELECT secret FROM {endpoints} WHERE endpoint_id = 'other')"
                        + " WHERE endpoint_id = 'tampered'")
                .update();

        Delivery delivery = dispatcher.dispatch("e", "{}").deliveries().get(0);

        assertDeadAsIntegrity(delivery);
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"url = url || '-elsewhere'", "audience = 'tenant-2'", "audience = NULL"})
    void dispatchWhenTheRowWasChangedThenDeadAsIntegrity(String change) {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*")
                        .audience("tenant-1"));
        DispatchOptions toAll = DispatchOptions.none().toEveryAudience();
        assertThat(dispatcher.dispatch("e", "{}", toAll).delivered())
                .as("its signer is kept")
                .isEqualTo(1);
        fixture.rows.sql("UPDATE {endpoints} SET " + change).update();

        assertDeadAsIntegrity(dispatcher.dispatch("e", "{}", toAll).deliveries().get(0));

        dispatcher.enqueue("e", "{}", toAll);
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 1));
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void dispatchWhenUrlWasChangedThenHostIsNotLookedUp() {
        AtomicReference<String> lookedUp = new AtomicReference<>("");
        JdbcWebhookDispatcher node = fixture.node(options -> options.hostResolver(host -> {
            lookedUp.set(host);
            return List.of(loopback());
        }));
        fixture.endpoint("shop", "/shop");
        fixture.rows
                .sql("UPDATE {endpoints} SET url = 'http://attacker.example/'")
                .update();

        assertDeadAsIntegrity(node.dispatch("e", "{}").deliveries().get(0));
        assertThat(lookedUp.get()).isEmpty();
    }

    @Test
    void dispatchWhenTheKeyIsMissingThenNotCounted() {
        fixture.endpoint("shop", "/shop");
        fixture.rows
                .sql("UPDATE {endpoints} SET secret = replace(secret, :head, 's1.unknown.')")
                .param("head", Sealer.boundHead(fixture.keyring.activeKeyId()))
                .update();

        try (CapturedLog log = CapturedLog.of(AttemptReporter.class)) {
            Delivery delivery = dispatcher.dispatch("e", "{}").deliveries().get(0);
            fixture.clock.advance(Duration.ofMinutes(1));
            dispatcher.processRetries();

            assertThat(fixture.delivery(delivery.deliveryId()))
                    .returns(DeliveryStatus.PENDING, Delivery::status)
                    .returns(0, Delivery::attempts)
                    .returns(fixture.clock.instant().plusSeconds(60), Delivery::nextAttemptAt);
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("lacks the key 'unknown'");
        }
    }

    private void assertDeadAsIntegrity(Delivery delivery) {
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(delivery.attempts()).isZero();
        assertThat(delivery.lastError()).startsWith("integrity: ");
        Patience.untilAsserted(() -> assertThat(fixture.audited)
                .filteredOn(event -> delivery.deliveryId().equals(event.resourceId()))
                .extracting(AuditEvent::name, AuditEvent::reason)
                .containsExactly(tuple("webhook.delivery.dead", "integrity")));
    }

    @Test
    void processRetriesWhenSecretIsNewThenSignsWithIt() {
        fixture.receiver.answering("/down", 500);
        dispatcher.registerEndpoint(
                EndpointRegistration.of("down", fixture.receiver.url("/down"), "another secret altogether", "*"));
        dispatcher.dispatch("e", "{}");
        fixture.endpoint("down", "/down");
        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        assertThat(fixture.verify(fixture.receiver.hooks().get(1)).kid()).isEqualTo("v1");
    }

    /** Registered on a node that remembers the address, so that the node of the test does not. */
    private void namedEndpoint(String endpointId, String host, String path) {
        fixture.node(options -> options.hostResolver(name -> List.of(loopback())))
                .registerEndpoint(EndpointRegistration.of(
                        endpointId,
                        "http://" + host + ":" + fixture.receiver.port() + path,
                        DispatcherFixture.SECRET,
                        "*"));
    }

    private Delivery failed(WebhookDispatcher node, String url) {
        node.registerEndpoint(EndpointRegistration.of("e", url, DispatcherFixture.SECRET, "*"));
        DispatchResult result = node.dispatch("e", "{}");
        assertThat(result.failed()).isEqualTo(1);
        Delivery delivery = result.deliveries().get(0);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(delivery.nextAttemptAt()).isEqualTo(fixture.clock.instant().plusSeconds(5));
        return delivery;
    }

    /** Without a limit: a name that stops hanging would let the others pass. */
    private static void hang(CountDownLatch released) {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HostResolver resolver(AtomicReference<List<InetAddress>> answer) {
        return host -> {
            if (answer.get().isEmpty()) {
                throw new UnknownHostException(host);
            }
            return answer.get();
        };
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }
}
