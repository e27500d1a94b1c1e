package io.credential.webhook.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;

import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler;
import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncResponseBuilder;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ListenerEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.http.internal.HttpWebhookTransport;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;

/** The transport over TLS: who is trusted, what the host name is checked against, and which HTTP is spoken. */
class TlsTransportTests {

    private static TestCertificates certificates;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);

    private final List<String> requestedNames = new CopyOnWriteArrayList<>();

    private HttpsServer receiver;

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) throws Exception {
        certificates = new TestCertificates(directory);
    }

    @BeforeEach
    void startReceiver() throws Exception {
        receiver = HttpsServer.create(new InetSocketAddress(Sending.address("127.0.0.1"), 0), 10);
        receiver.setHttpsConfigurator(new HttpsConfigurator(certificates.server()));
        receiver.setExecutor(executor);
        receiver.createContext("/", exchange -> {
            SSLSession session = ((HttpsExchange) exchange).getSSLSession();
            ((ExtendedSSLSession) session)
                    .getRequestedServerNames()
                    .forEach(name -> requestedNames.add(new String(name.getEncoded(), StandardCharsets.US_ASCII)));
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stopReceiver() {
        receiver.stop(0);
        executor.shutdownNow();
    }

    @Test
    void sendWhenReceiverIsSelfSignedThenNotTrusted() {
        try (HttpWebhookTransport transport =
                HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build()) {
            assertFailure(transport.send(request(receiverAs("hooks.example.com"), Sending.LONG)), Failure.TLS);
            assertThat(requestedNames).isEmpty();
        }
    }

    @Test
    void sendWhenContextTrustsReceiverThenAskedForByName() throws Exception {
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .tls(certificates.client(), null, null)
                .build()) {
            assertThat(send(transport, receiverAs("hooks.example.com")).status())
                    .isEqualTo(200);
            assertThat(requestedNames).containsExactly("hooks.example.com");
        }
    }

    @Test
    void sendWhenCertificateIsForAnotherNameThenRefused() throws Exception {
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .tls(certificates.client(), null, null)
                .build()) {
            assertFailure(transport.send(request(receiverAs("other.example.com"), Sending.LONG)), Failure.TLS);
            assertFailure(transport.send(request(receiverAs("127.0.0.1"), Sending.LONG)), Failure.TLS);
            assertThat(requestedNames).isEmpty();
        }
    }

    @Test
    void sendWhenTlsVersionsAreNarrowedThenSucceeds() throws Exception {
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .tls(certificates.client(), new String[] {"TLSv1.2"}, new String[] {
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
                })
                .build()) {
            assertThat(send(transport, receiverAs("hooks.example.com")).status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, TLSv1.3", "TLSv1.3, TLSv1.2"})
    void sendWhenTlsVersionIsLeftOutThenRefused(String allowed, String offered) throws Exception {
        SSLServerSocket socket = certificates.serverSocket();
        socket.setEnabledProtocols(new String[] {offered});

        assertRefused(socket, new String[] {allowed}, null);
    }

    @Test
    void sendWhenCipherSuiteIsLeftOutThenRefused() throws Exception {
        SSLServerSocket socket = certificates.serverSocket();
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.setEnabledCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});

        assertRefused(socket, null, new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"});
    }

    /** A transport without narrowing is answered, one with it is not. */
    private static void assertRefused(
            SSLServerSocket socket, String @Nullable [] protocols, String @Nullable [] ciphers) throws Exception {
        try (RawReceiver receiver = new RawReceiver(RawReceiver.saying(RawReceiver.OK), socket);
                HttpWebhookTransport open = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .tls(certificates.client(), null, null)
                        .build();
                HttpWebhookTransport narrowed = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .tls(certificates.client(), protocols, ciphers)
                        .build()) {
            VettedDestination destination = to("https://hooks.example.com:" + receiver.port() + "/hook", "127.0.0.1");
            assertThat(send(open, destination).status()).isEqualTo(200);

            assertFailure(narrowed.send(request(destination, Sending.LONG)), Failure.TLS);

            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void sendWhenHeadersAreCutOffThenReset() throws Exception {
        try (RawReceiver cutting = new RawReceiver(
                        RawReceiver.saying("HTTP/1.1 200 OK\r\nX-A: b\r\n"), certificates.serverSocket());
                HttpWebhookTransport transport = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .tls(certificates.client(), null, null)
                        .build()) {
            VettedDestination destination = to("https://hooks.example.com:" + cutting.port() + "/hook", "127.0.0.1");

            assertFailure(transport.send(request(destination, Sending.LONG)), Failure.RESET);

            assertThat(cutting.requests()).hasSize(1);
        }
    }

    @Test
    void sendWhenReceiverSpeaksNoTlsThenTlsFailure() throws IOException {
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .build();
                RawReceiver plain = new RawReceiver((self, in, out) -> {
                    in.read();
                    out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
                })) {
            VettedDestination destination = to("https://hooks.example.com:" + plain.port() + "/", "127.0.0.1");

            assertFailure(transport.send(request(destination, Sending.LONG)), Failure.TLS);
        }
    }

    @Test
    void sendWhenReceiverOffersHttp2ThenHttp1IsSpoken() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpAsyncServer server = http2Receiver(seen);
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .tls(certificates.client(), null, null)
                .build()) {
            VettedDestination destination =
                    to("https://hooks.example.com:" + listen(server) + "/hook?a=b", "127.0.0.1");

            assertThat(send(transport, destination).status()).isEqualTo(202);

            assertThat(seen).containsExactly("HTTP/1.1 POST /hook?a=b {\"a\":1}");
        } finally {
            server.close(CloseMode.IMMEDIATE);
        }
    }

    private VettedDestination receiverAs(String host) {
        return to("https://" + host + ":" + receiver.getAddress().getPort() + "/hook", "127.0.0.1");
    }

    private static HttpAsyncServer http2Receiver(List<String> seen) throws Exception {
        HttpAsyncServer server = H2ServerBootstrap.bootstrap()
                .setCanonicalHostName("hooks.example.com")
                .setTlsStrategy(new H2ServerTlsStrategy(certificates.server()))
                .register("*", new AsyncServerRequestHandler<Message<HttpRequest, String>>() {
                    @Override
                    public AsyncRequestConsumer<Message<HttpRequest, String>> prepare(
                            HttpRequest request, EntityDetails entity, HttpContext context) {
                        return new BasicRequestConsumer<>(new StringAsyncEntityConsumer());
                    }

                    @Override
                    public void handle(
                            Message<HttpRequest, String> message, ResponseTrigger trigger, HttpContext context)
                            throws HttpException, IOException {
                        HttpRequest request = message.getHead();
                        seen.add(HttpCoreContext.cast(context).getProtocolVersion() + " " + request.getMethod() + " "
                                + request.getPath() + " " + message.getBody());
                        trigger.submitResponse(AsyncResponseBuilder.create(202).build(), context);
                    }
                })
                .create();
        server.start();
        return server;
    }

    private static int listen(HttpAsyncServer server) {
        ListenerEndpoint endpoint =
                Patience.join(server.listen(new InetSocketAddress(Sending.address("127.0.0.1"), 0), URIScheme.HTTPS));
        return ((InetSocketAddress) endpoint.getAddress()).getPort();
    }
}
