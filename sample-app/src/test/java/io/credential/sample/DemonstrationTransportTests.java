package io.credential.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

import com.sun.net.httpserver.HttpServer;

import io.credential.testing.Patience;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** That the demonstration reaches its receivers on this server, and nothing else of it. */
class DemonstrationTransportTests {

    /** As in application.yml. */
    private static final DestinationPolicy POLICY =
            DestinationPolicy.builder().allowedCidrs(List.of("100::1/128")).build();

    private final MockEnvironment environment = new MockEnvironment();
    private final DemonstrationTransport transport = new DemonstrationTransport(environment);
    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop(0);
    }

    @Test
    void sendWhenUrlIsOfAReceiverThenReachesThisServer() throws ExecutionException {
        serverHasStarted();
        environment.setProperty("server.servlet.context-path", "/shop");

        WebhookResponse response = Patience.get(send(DemonstrationTransport.url("/demonstration/healthy")));

        assertThat(response.status()).isEqualTo(200);
        assertThat(received).containsExactly("/shop/demonstration/healthy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://this-server.test/keys",
                "http://this-server.test/demonstration",
                "http://this-server.test/demonstration/../keys",
                "https://this-server.test/demonstration/healthy",
                "http://[100::1]/keys"
            })
    void sendWhenUrlIsOfNoReceiverThenFails(String url) {
        serverHasStarted();

        assertFails(send(url), Failure.CONNECT);

        assertThat(received).isEmpty();
    }

    @Test
    void sendWhenServerHasNotStartedThenIsPostponed() {
        assertFails(send(DemonstrationTransport.url("/demonstration/healthy")), Failure.CLOSED);
    }

    private void serverHasStarted() {
        environment.setProperty(
                "local.server.port", Integer.toString(server.getAddress().getPort()));
    }

    private CompletableFuture<WebhookResponse> send(String url) {
        return transport.send(new WebhookRequest(
                POLICY.vet(URI.create(url), transport),
                Map.of("Content-Type", "application/json"),
                new byte[0],
                Duration.ofMinutes(1)));
    }

    private static void assertFails(CompletableFuture<WebhookResponse> sent, Failure failure) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Patience.get(sent))
                .havingCause()
                .isInstanceOfSatisfying(
                        WebhookTransportException.class,
                        e -> assertThat(e.failure()).isEqualTo(failure));
    }
}
