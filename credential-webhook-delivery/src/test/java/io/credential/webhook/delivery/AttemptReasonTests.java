package io.credential.webhook.delivery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.RawReceiver;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.HostResolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What an attempt keeps of what happened: where it failed, why, and what the receiver had answered until then. */
@BothDatabases
class AttemptReasonTests extends DispatcherTestBase {

    private static final HostResolver UNKNOWN = host -> {
        throw new UnknownHostException(host);
    };
    private static final HostResolver LOOPBACK = host -> List.of(InetAddress.getLoopbackAddress());

    AttemptReasonTests(TestDatabase test) {
        super(test);
    }

    @Test
    void reasonTextThenIsStableWord() {
        assertThat(FailureReason.values())
                .extracting(FailureReason::text)
                .containsExactly(
                        "url-malformed",
                        "dns-failed",
                        "destination-forbidden",
                        "refused",
                        "unreachable",
                        "proxy-failed",
                        "tls-expired",
                        "tls-untrusted",
                        "tls-wrong-name",
                        "not-tls",
                        "tls-failed",
                        "timed-out",
                        "closed",
                        "response-head-too-large",
                        "response-malformed",
                        "response-truncated",
                        "http-status",
                        "secret-unreadable",
                        "node-overloaded",
                        "node-stopped",
                        "unexpected")
                .allSatisfy(text -> assertThat(FailureReason.ofText(text)).isPresent());
        assertThat(FailurePhase.values())
                .extracting(FailurePhase::text)
                .containsExactly("resolve", "connect", "tls", "send", "response")
                .allSatisfy(text -> assertThat(FailurePhase.ofText(text)).isPresent());
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK\r\nX-A: 1\r\nno colon\r\n\r\n', 200, RESPONSE_MALFORMED, no colon",
        "'HTTP/1.1 202 OK\r\nContent-Length: 100\r\n\r\nshort', 202, RESPONSE_TRUNCATED, body is incomplete",
        "'SSH-2.0-OpenSSH_9.6\r\n', , RESPONSE_MALFORMED, status line"
    })
    void attemptWhenResponseIsBrokenThenStatusIsKept(String said, Integer status, FailureReason reason, String error)
            throws IOException {
        try (RawReceiver receiver = new RawReceiver(RawReceiver.saying(said))) {
            Delivery delivery = failed("http://127.0.0.1:" + receiver.port() + "/");

            assertThat(delivery).returns(status, Delivery::responseStatus).returns(reason, Delivery::lastReason);
            assertThat(delivery.lastError()).contains(error);
            assertThat(attempt(delivery))
                    .returns(FailurePhase.RESPONSE, DeliveryAttempt::phase)
                    .returns(reason, DeliveryAttempt::reason)
                    .returns(status, DeliveryAttempt::responseStatus)
                    .returns(delivery.lastError(), DeliveryAttempt::error);
            assertThat(fixture.delivery(delivery.deliveryId())).isEqualTo(delivery);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void attemptWhenRedirectedThenLocationIsKept(int status) {
        fixture.receiver.answering("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "https://other.example/new");
            exchange.getResponseHeaders().set("Set-Cookie", "session=hunter2");
            exchange.getResponseHeaders().set("X-Request-Id", "r-1");
            HookReceiver.respond(exchange, status, "");
        });

        assertThat(attempt(failed(fixture.receiver.url("/moved"))))
                .returns("https://other.example/new", DeliveryAttempt::location)
                .returns(FailureReason.HTTP_STATUS, DeliveryAttempt::reason)
                .satisfies(attempt -> assertThat(attempt.responseHeaders())
                        .containsEntry("x-request-id", "r-1")
                        .containsEntry("set-cookie", "******"));
    }

    @Test
    void attemptWhenDeliveredThenNoReason() {
        fixture.endpoint("shop", "/shop");

        Delivery delivery = dispatcher.dispatch("e", "{}").deliveries().get(0);

        assertThat(delivery.lastReason()).isNull();
        assertThat(attempt(delivery))
                .returns(null, DeliveryAttempt::phase)
                .returns(null, DeliveryAttempt::reason)
                .returns(null, DeliveryAttempt::error)
                .returns(Map.of(), DeliveryAttempt::responseHeaders);
    }

    @Test
    void searchWhenByReasonThenOnlyTheseAreFound() throws IOException {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        fixture.endpoint("shop", "/shop");
        dispatcher.registerEndpoint(
                EndpointRegistration.of("gone", "http://127.0.0.1:" + freePort() + "/", DispatcherFixture.SECRET, "*"));
        dispatcher.dispatch("e", "{}");

        DeliveryQuery refused = DeliveryQuery.all().withReason(FailureReason.REFUSED);

        assertThat(dispatcher.deliveries().list(refused))
                .extracting(Delivery::endpointId)
                .containsExactly("gone");
        assertThat(dispatcher.deliveries().count(refused)).isEqualTo(1);
    }

    @Test
    void registerEndpointWhenNotResolvedThenCodeOfItsOwn() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.hostResolver(UNKNOWN));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> node.registerEndpoint(named()))
                .withMessageContaining("receiver.test could not be resolved")
                .returns("webhook-dispatcher/unresolvable-destination", WebhookDispatcherException::code);
    }

    @Test
    void dispatchWhenNotResolvedThenSaysSoAndRetries() {
        fixture.node(options -> options.hostResolver(LOOPBACK)).registerEndpoint(named());

        Delivery delivery = fixture.node(options -> options.hostResolver(UNKNOWN))
                .dispatch("e", "{}")
                .deliveries()
                .get(0);

        assertThat(delivery)
                .returns(DeliveryStatus.PENDING, Delivery::status)
                .returns(FailureReason.DNS_FAILED, Delivery::lastReason);
        assertThat(delivery.lastError()).contains("receiver.test could not be resolved");
        assertThat(attempt(delivery).phase()).isEqualTo(FailurePhase.RESOLVE);
    }

    /** Tenants see the sentence; only the reason, for operators, tells a missing name from an internal one. */
    @Test
    void dispatchWhenInternalForbiddenThenReasonsDiffer() {
        fixture.node(options -> options.hostResolver(LOOPBACK)).registerEndpoint(named());
        DestinationPolicy strict = DestinationPolicy.builder().build();

        Delivery missing = fixture.node(options -> options.hostResolver(UNKNOWN).destinationPolicy(strict))
                .dispatch("e", "{}")
                .deliveries()
                .get(0);
        Delivery internal = fixture.node(
                        options -> options.hostResolver(LOOPBACK).destinationPolicy(strict))
                .dispatch("e", "{}")
                .deliveries()
                .get(0);

        assertThat(missing.lastError()).isEqualTo(internal.lastError());
        assertThat(missing.lastReason()).isEqualTo(FailureReason.DNS_FAILED);
        assertThat(internal.lastReason()).isEqualTo(FailureReason.DESTINATION_FORBIDDEN);
    }

    private static EndpointRegistration named() {
        return EndpointRegistration.of("e", "http://receiver.test/", DispatcherFixture.SECRET, "*");
    }

    private Delivery failed(String url) {
        dispatcher.registerEndpoint(EndpointRegistration.of("e", url, DispatcherFixture.SECRET, "*"));
        return dispatcher.dispatch("e", "{}").deliveries().get(0);
    }

    private DeliveryAttempt attempt(Delivery delivery) {
        return dispatcher.deliveries().attempts(delivery.deliveryId()).get(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket server = new ServerSocket(0)) {
            return server.getLocalPort();
        }
    }
}
