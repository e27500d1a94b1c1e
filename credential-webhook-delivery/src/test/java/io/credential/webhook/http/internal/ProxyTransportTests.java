package io.credential.webhook.http.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.apache.hc.core5.http.HttpHost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.TestCertificates;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The transport behind an egress proxy, and past one that nobody asked for. */
class ProxyTransportTests {

    @Test
    void sendWhenPlainHttpThenTunnelledToTheVettedAddress() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK);
                RawReceiver proxy = tunnelTo(receiver.port());
                HttpWebhookTransport transport = through(proxy)) {
            assertThat(send(transport, to(receiver)).body()).isEqualTo("ok");
            assertThat(send(transport, to(receiver)).body()).isEqualTo("ok");

            assertThat(proxy.requests())
                    .hasSize(1)
                    .allMatch(request -> request.startsWith("CONNECT 127.0.0.1:" + receiver.port() + " HTTP/1.1\r\n"))
                    .noneMatch(request -> request.contains("hooks.example.com"));
            assertThat(receiver.requests())
                    .hasSize(2)
                    .allMatch(request -> request.startsWith("POST /hook HTTP/1.1\r\n")
                            && request.contains("Host: hooks.example.com:" + receiver.port()));
        }
    }

    @Test
    void sendWhenAddressIsIpv6ThenInBracketsForBoth() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK);
                RawReceiver proxy = tunnelTo(receiver.port());
                HttpWebhookTransport transport = through(proxy)) {
            send(transport, to("http://[::1]:9000/"));

            assertThat(proxy.requests().get(0)).startsWith("CONNECT [0:0:0:0:0:0:0:1]:9000 HTTP/1.1\r\n");
            assertThat(receiver.requests().get(0)).contains("\r\nHost: [::1]:9000\r\n");
        }
    }

    @Test
    void sendWhenTlsIsTunnelledThenReceiverNameIsChecked(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        HttpsServer receiver = HttpsServer.create(new InetSocketAddress(Sending.address("127.0.0.1"), 0), 10);
        receiver.setHttpsConfigurator(new HttpsConfigurator(certificates.server()));
        answerOk(receiver);
        int port = receiver.getAddress().getPort();
        try (RawReceiver proxy = tunnelTo(port);
                HttpWebhookTransport transport = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .proxy(URI.create("http://localhost:" + proxy.port()))
                        .tls(certificates.client(), null, null)
                        .build()) {
            assertThat(send(transport, to("https://hooks.example.com:" + port + "/", "127.0.0.1"))
                            .status())
                    .isEqualTo(200);
            assertFailure(
                    transport.send(request(to("https://other.example.com:" + port + "/", "127.0.0.1"), Sending.LONG)),
                    Failure.TLS);
            assertThat(proxy.requests()).allMatch(request -> request.startsWith("CONNECT 127.0.0.1:" + port));
        } finally {
            receiver.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway", "302 Found"})
    void sendWhenProxyRefusesThenProxyFailure(String status) throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK);
                RawReceiver proxy = RawReceiver.answering("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n"
                        + "Proxy-Authenticate: Basic realm=\"x\"\r\nLocation: http://127.0.0.1/\r\n\r\nno");
                HttpWebhookTransport transport = through(proxy)) {
            assertFailure(transport.send(request(to(receiver), Sending.LONG)), Failure.PROXY);
            assertThat(receiver.connections()).isZero();
        }
    }

    @Test
    void sendWhenHeadersInTheTunnelAreCutOffThenReset() throws IOException {
        try (RawReceiver proxy = new RawReceiver((self, in, out) -> {
                    self.readRequest(in);
                    out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    RawReceiver.saying("HTTP/1.1 200 OK\r\nX-A: b\r\n").talk(self, in, out);
                });
                HttpWebhookTransport transport = through(proxy)) {
            assertFailure(
                    transport.send(request(to("http://hooks.example.com/", "127.0.0.1"), Sending.LONG)), Failure.RESET);
            assertThat(proxy.requests()).hasSize(2);
        }
    }

    @Test
    void sendWhenTlsInTheTunnelStallsThenTimeout() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        try (RawReceiver stalling = new RawReceiver((self, in, out) -> {
                    var unused = in.read();
                    reached.countDown();
                    self.awaitEnd(in);
                });
                RawReceiver proxy = tunnelTo(stalling.port());
                TimedTransport transport = timedThrough(proxy)) {
            VettedDestination destination = to("https://hooks.example.com:" + stalling.port() + "/", "127.0.0.1");

            assertFailure(transport.sendUntil(reached, destination), Failure.TIMEOUT);

            Patience.await(stalling.closedByPeer());
        }
    }

    @Test
    void sendWhenProxyNameIsNotResolvedThenNothingBlocks() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK);
                RawReceiver proxy = tunnelTo(receiver.port());
                HttpWebhookTransport transport = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .proxy(URI.create("http://proxy.example:" + proxy.port()))
                        .proxyResolver(host -> {
                            awaitUninterruptibly(answered);
                            assertThat(host).isEqualTo("proxy.example");
                            return List.of(Sending.address("127.0.0.1"));
                        })
                        .build()) {
            assertFailure(transport.send(request(to(receiver), Duration.ofMillis(500))), Failure.TIMEOUT);
            CompletableFuture<WebhookResponse> next = transport.send(request(to(receiver), Sending.LONG));
            answered.countDown();

            assertThat(Patience.join(next).status()).isEqualTo(200);
            assertThat(receiver.requests()).hasSize(1);
        }
    }

    @Test
    void sendWhenProxyNameDoesNotExistThenProxyFailure() {
        try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .proxy(URI.create("http://proxy.example:3128"))
                .proxyResolver(host -> {
                    throw new UnknownHostException(host);
                })
                .build()) {
            assertFailure(
                    transport.send(request(to("http://hooks.example.com/", "127.0.0.1"), Sending.LONG)), Failure.PROXY);
        }
    }

    @Test
    void sendWhenProxyIsDownThenProxyFailure() throws IOException {
        RawReceiver down = RawReceiver.answering(RawReceiver.OK);
        down.close();
        try (HttpWebhookTransport transport = through(down)) {
            assertFailure(
                    transport.send(request(to("http://hooks.example.com/", "127.0.0.1", "127.0.0.2"), Sending.LONG)),
                    Failure.PROXY);
        }
    }

    @Test
    void sendWhenProxyDripsThenTimeout() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        try (RawReceiver proxy = new RawReceiver((self, in, out) -> {
                    self.readRequest(in);
                    out.write("HTTP/1.1 200 OK\r\nX-A: ".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    reached.countDown();
                    self.drip(out, "a");
                });
                TimedTransport transport = timedThrough(proxy)) {
            VettedDestination destination = to("http://hooks.example.com/", "127.0.0.1");

            assertFailure(transport.sendUntil(reached, destination), Failure.TIMEOUT);

            Patience.await(proxy.closedByPeer());
        }
    }

    @Test
    void sendWhenJvmHasProxiesThenTheyAreIgnored() throws IOException {
        String before = System.getProperty("http.proxyHost");
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK);
                RawReceiver unwanted = RawReceiver.answering(RawReceiver.OK)) {
            System.setProperty("http.proxyHost", "127.0.0.1");
            System.setProperty("http.proxyPort", Integer.toString(unwanted.port()));
            System.setProperty("http.nonProxyHosts", "");
            try (HttpWebhookTransport transport = HttpWebhookTransport.builder()
                    .connectTimeout(Patience.LIMIT)
                    .build()) {
                assertThat(send(transport, to(receiver)).status()).isEqualTo(200);
            }
            assertThat(unwanted.connections()).isZero();
        } finally {
            System.clearProperty("http.proxyPort");
            System.clearProperty("http.nonProxyHosts");
            if (before == null) {
                System.clearProperty("http.proxyHost");
            } else {
                System.setProperty("http.proxyHost", before);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://proxy.example:3128",
                "http://proxy.example",
                "http://user:secret@proxy.example:3128",
                "http://proxy.example:3128/path",
                "http://proxy.example:3128?query",
                "http://proxy.example:3128/#part",
                "http://proxy.example:65536",
                "",
                "proxy.example:3128",
                "socks://proxy.example:1080"
            })
    void proxyWhenUrlIsUnusableThenRefused(String url) {
        assertThatThrownBy(() -> HttpWebhookTransport.builder().proxy(URI.create(url)))
                .isInstanceOfSatisfying(
                        WebhookException.class, e -> assertThat(e.code()).isEqualTo("webhook/bad-opt"))
                .hasMessageNotContaining("secret");
    }

    private static HttpWebhookTransport through(RawReceiver proxy) {
        return HttpWebhookTransport.builder()
                .connectTimeout(Patience.LIMIT)
                .proxy(URI.create("http://127.0.0.1:" + proxy.port()))
                .build();
    }

    private static TimedTransport timedThrough(RawReceiver proxy) {
        return new TimedTransport(new HttpHost("http", "127.0.0.1", proxy.port()));
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answerOk(HttpServer server) {
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    /** A proxy that opens tunnels to one port of this machine. */
    private static RawReceiver tunnelTo(int port) throws IOException {
        return new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            try (Socket target = new Socket(Sending.address("127.0.0.1"), port)) {
                out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                Thread back = new Thread(() -> copy(target, out), "tunnel-back");
                back.setDaemon(true);
                back.start();
                in.transferTo(target.getOutputStream());
            }
        });
    }

    private static void copy(Socket from, OutputStream to) {
        try (InputStream in = from.getInputStream()) {
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                to.write(buffer, 0, n);
                to.flush();
            }
        } catch (IOException e) {
            // One of the two sides has closed.
        }
    }
}
