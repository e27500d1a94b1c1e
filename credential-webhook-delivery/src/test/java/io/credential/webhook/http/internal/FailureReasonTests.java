package io.credential.webhook.http.internal;

import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.net.ssl.SSLServerSocket;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.TestCertificates;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.failure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What the transport says about receivers that fail: in which phase, why, and with which status. */
class FailureReasonTests {

    private static final Duration SHORT = Duration.ofMillis(1500);
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private final HttpWebhookTransport transport =
            HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();

    @AfterEach
    void close() {
        transport.close(Duration.ZERO);
    }

    static Stream<Arguments> brokenResponses() {
        return Stream.of(
                arguments("", FailureReason.CLOSED, null, "closed the connection before"),
                arguments("SSH-2.0-OpenSSH_9.6\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("<html>HTTP/0.9</html>\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("no line", FailureReason.RESPONSE_TRUNCATED, null, "status line is incomplete"),
                arguments("a".repeat(20_000), FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/2.0 200 OK\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/1.1 abc OK\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/1.1 000 OK\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/1.1 099 OK\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/1.1 101 Other\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "switches"),
                arguments(
                        "HTTP/1.1 103 Hint\r\n\r\ngarbage\r\n", FailureReason.RESPONSE_MALFORMED, null, "status line"),
                arguments("HTTP/1.1 103 Hint\r\nno colon\r\n\r\n", FailureReason.RESPONSE_MALFORMED, null, "no colon"),
                arguments(OK + "X-A: 1\r\nno colon\r\n\r\n", FailureReason.RESPONSE_MALFORMED, 200, "no colon"),
                arguments(OK + ": no name\r\n\r\n", FailureReason.RESPONSE_MALFORMED, 200, "no name"),
                arguments(OK + "Content-Length: x\r\n\r\n", FailureReason.RESPONSE_MALFORMED, 200, "Content-Length"),
                arguments(OK + "Content-Length: -1\r\n\r\n", FailureReason.RESPONSE_MALFORMED, 200, "Content-Length"),
                arguments(
                        OK + "Transfer-Encoding: gzip\r\n\r\n",
                        FailureReason.RESPONSE_MALFORMED,
                        200,
                        "Transfer-Encoding"),
                arguments(
                        OK + "X: " + "a".repeat(20_000) + "\r\n\r\n",
                        FailureReason.RESPONSE_HEAD_TOO_LARGE,
                        200,
                        "a line of more than 16384 bytes"),
                arguments(
                        OK + "X: a\r\n".repeat(101) + "\r\n",
                        FailureReason.RESPONSE_HEAD_TOO_LARGE,
                        200,
                        "more than 100 headers"),
                arguments(
                        OK + ("X: " + "a".repeat(16_000) + "\r\n").repeat(3) + "\r\n",
                        FailureReason.RESPONSE_HEAD_TOO_LARGE,
                        200,
                        "longer than 32768 bytes"),
                arguments(OK + "X-A: b\r\n", FailureReason.RESPONSE_TRUNCATED, 200, "headers are incomplete"),
                arguments(
                        OK + "Content-Length: 9\r\n\r\nshort",
                        FailureReason.RESPONSE_TRUNCATED,
                        200,
                        "body is incomplete"),
                arguments(
                        OK + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
                        FailureReason.RESPONSE_TRUNCATED,
                        200,
                        "body is incomplete"),
                arguments(
                        OK + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                        FailureReason.RESPONSE_MALFORMED,
                        200,
                        "chunk"),
                arguments(
                        OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "X: a\r\n".repeat(9) + "\r\n",
                        FailureReason.RESPONSE_HEAD_TOO_LARGE,
                        200,
                        "trailers"),
                arguments(
                        OK + "Transfer-Encoding: chunked\r\n\r\n0\r\nno colon\r\n\r\n",
                        FailureReason.RESPONSE_MALFORMED,
                        200,
                        "a trailer has no"));
    }

    @ParameterizedTest
    @MethodSource("brokenResponses")
    void sendWhenResponseIsBrokenThenSaysWhich(String said, FailureReason reason, @Nullable Integer status, String rule)
            throws IOException {
        try (RawReceiver receiver = new RawReceiver(RawReceiver.saying(said))) {
            WebhookTransportException failure = failure(transport.send(request(to(receiver), Sending.LONG)));

            assertThat(failure.reason()).as("%s", failure.getCause()).isEqualTo(reason);
            assertThat(failure.phase()).isEqualTo(FailurePhase.RESPONSE);
            WebhookResponse response = failure.response();
            assertThat(response == null ? null : response.status()).isEqualTo(status);
            assertThat(failure).hasMessageContaining(rule).hasMessageContaining("hooks.example.com");
        }
    }

    @Test
    void sendWhenBodyIsShortThenItsStartIsKept() throws IOException {
        try (RawReceiver receiver =
                new RawReceiver(RawReceiver.saying("HTTP/1.1 404 No\r\nX-A: b\r\nContent-Length: 9\r\n\r\nshort"))) {
            assertThat(failure(transport.send(request(to(receiver), Sending.LONG)))
                            .response())
                    .isEqualTo(new WebhookResponse(
                            404, "short", null, Map.of("x-a", List.of("b"), "content-length", List.of("9"))));
        }
    }

    @Test
    void sendWhenBodyIsLateThenStatusIsKept() throws IOException {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            RawReceiver.saying(OK + "Content-Length: 9\r\n\r\n").talk(self, in, out);
            self.awaitEnd(in);
        })) {
            WebhookTransportException late = failure(transport.send(request(to(receiver), SHORT)));

            assertThat(late.reason()).isEqualTo(FailureReason.TIMED_OUT);
            assertThat(late.phase()).isEqualTo(FailurePhase.RESPONSE);
            assertThat(late.response()).extracting(WebhookResponse::status).isEqualTo(200);
        }
    }

    @Test
    void sendWhenReceiverDoesNotReadThenPhaseIsSend() throws IOException {
        CountDownLatch reached = new CountDownLatch(1);
        try (TimedTransport timed = new TimedTransport();
                RawReceiver receiver = new RawReceiver((self, in, out) -> {
                    var unused = in.read();
                    reached.countDown();
                    self.closedByPeer().await();
                })) {
            WebhookRequest big = new WebhookRequest(to(receiver), Map.of(), new byte[20 << 20], Sending.LONG);

            WebhookTransportException late = failure(timed.sendUntil(reached, big));

            assertThat(late.reason()).isEqualTo(FailureReason.TIMED_OUT);
            assertThat(late.phase()).isEqualTo(FailurePhase.SEND);
        }
    }

    @Test
    void sendWhenResponseWithoutBodyHasOneThenIgnored() throws IOException {
        try (RawReceiver receiver =
                new RawReceiver(RawReceiver.saying("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\nsurplus"))) {
            assertThat(send(transport, to(receiver)))
                    .returns(204, WebhookResponse::status)
                    .returns("", WebhookResponse::body);
        }
    }

    @Test
    void sendWhenConnectionIsRefusedThenRefused() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }

        assertReason(to("http://hooks.example.com:" + port + "/", "127.0.0.1"), FailureReason.REFUSED, "was refused");
    }

    @Test
    void ofWhenNoRouteThenUnreachable() {
        VettedDestination destination = to("https://hooks.example.com/", "127.0.0.1");
        for (Exception cause : List.of(
                new NoRouteToHostException("No route to host"), new SocketException("Network is unreachable"))) {
            WebhookTransportException failure = new ExchangeFailure(destination, false)
                    .at(FailurePhase.CONNECT, null)
                    .of(cause);

            assertThat(failure.reason()).isEqualTo(FailureReason.UNREACHABLE);
            assertThat(failure).hasMessageEndingWith("cannot be reached");
            assertThat(ExchangeFailure.beforeConnected(cause, FailurePhase.CONNECT))
                    .isTrue();
        }
    }

    @Test
    void sendWhenCertificateIsForClientsThenUnfit(@TempDir Path directory) throws Exception {
        assertTlsReason(
                TestCertificates.ofClient(directory), "hooks.example.com", FailureReason.TLS_UNTRUSTED, "key usage");
    }

    @Test
    void sendWhenCertificateHasExpiredThenExpired(@TempDir Path directory) throws Exception {
        assertTlsReason(
                TestCertificates.expired(directory), "hooks.example.com", FailureReason.TLS_EXPIRED, "has expired");
    }

    @Test
    void sendWhenCertificateIsForAnotherNameThenWrongName(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        assertTlsReason(certificates, "other.example.com", FailureReason.TLS_WRONG_NAME, "for another host name");
        assertTlsReason(certificates, "127.0.0.1", FailureReason.TLS_WRONG_NAME, "for another host name");
    }

    @Test
    void sendWhenClientCertificateIsRequiredThenTlsFailed(@TempDir Path directory) throws Exception {
        TestCertificates certificates = new TestCertificates(directory);
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            SSLServerSocket socket = certificates.serverSocket();
            socket.setNeedClientAuth(true);
            socket.setEnabledProtocols(new String[] {protocol});
            // In TLS 1.2, servers on newer JDKs say only that the handshake failed.
            String text = protocol.equals("TLSv1.3") ? "client certificate" : "No trusted TLS connection could be made";
            assertTlsReason(certificates, socket, "hooks.example.com", FailureReason.TLS_FAILED, text);
        }
    }

    @Test
    void sendWhenCertificateIsSelfSignedThenUntrusted(@TempDir Path directory) throws Exception {
        try (RawReceiver receiver =
                new RawReceiver(RawReceiver.saying(RawReceiver.OK), new TestCertificates(directory).serverSocket())) {
            assertReason(tls(receiver), FailureReason.TLS_UNTRUSTED, "is not trusted");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 400 Bad Request\r\n\r\n', NOT_TLS, does not speak TLS",
        "'SSH-2.0-OpenSSH_9.6\r\n', NOT_TLS, does not speak TLS",
        "'', CLOSED, during the TLS handshake"
    })
    void sendWhenReceiverHasNoTlsThenSaysSo(String said, FailureReason reason, String text) throws IOException {
        try (RawReceiver plain = new RawReceiver((self, in, out) -> {
            var unused = in.read(new byte[4096]);
            out.write(said.getBytes(StandardCharsets.US_ASCII));
        })) {
            assertReason(tls(plain), reason, text);
        }
    }

    @Test
    void sendWhenHandshakeStallsThenPhaseIsTls() throws IOException {
        CountDownLatch reached = new CountDownLatch(1);
        try (TimedTransport timed = new TimedTransport();
                RawReceiver silent = new RawReceiver((self, in, out) -> {
                    var unused = in.read();
                    reached.countDown();
                    self.awaitEnd(in);
                })) {
            WebhookTransportException late = failure(timed.sendUntil(reached, tls(silent)));

            assertThat(late.reason()).isEqualTo(FailureReason.TIMED_OUT);
            assertThat(late.phase()).isEqualTo(FailurePhase.TLS);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n', but answered HTTP 403",
        "'', could not be reached",
        "'garbage\r\n', could not be reached",
        "'HTTP/1.1 200 OK\r\nno colon\r\n\r\n', could not be reached"
    })
    void sendWhenProxyFailsThenProxyFailed(String said, String text) throws IOException {
        try (RawReceiver proxy = new RawReceiver(RawReceiver.saying(said));
                HttpWebhookTransport through = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .proxy(URI.create("http://127.0.0.1:" + proxy.port()))
                        .build()) {
            WebhookTransportException failure =
                    failure(through.send(request(to("https://hooks.example.com/", "127.0.0.1"), Sending.LONG)));

            assertThat(failure.reason()).isEqualTo(FailureReason.PROXY_FAILED);
            assertThat(failure.phase()).isEqualTo(FailurePhase.CONNECT);
            assertThat(failure.response()).isNull();
            assertThat(failure).hasMessageContaining(text);
        }
    }

    @ParameterizedTest
    @EnumSource(Failure.class)
    void exceptionWhenOfAFailureThenHasAReason(Failure failure) {
        assertThat(new WebhookTransportException(failure, "failed").failure()).isEqualTo(failure);
    }

    private void assertReason(VettedDestination destination, FailureReason reason, String text) {
        WebhookTransportException failure = failure(transport.send(request(destination, Sending.LONG)));

        assertThat(failure.reason()).as("%s", failure.getCause()).isEqualTo(reason);
        assertThat(failure.phase()).isEqualTo(reason.phase() == null ? FailurePhase.TLS : reason.phase());
        assertThat(failure).hasMessageContaining(text);
    }

    private static VettedDestination tls(RawReceiver receiver) {
        return to("https://hooks.example.com:" + receiver.port() + "/", "127.0.0.1");
    }

    private static void assertTlsReason(TestCertificates certificates, String host, FailureReason reason, String text)
            throws Exception {
        assertTlsReason(certificates, certificates.serverSocket(), host, reason, text);
    }

    private static void assertTlsReason(
            TestCertificates certificates, SSLServerSocket socket, String host, FailureReason reason, String text)
            throws Exception {
        try (RawReceiver receiver = new RawReceiver(RawReceiver.saying(RawReceiver.OK), socket);
                HttpWebhookTransport trusting = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .tls(certificates.client(), null, null)
                        .build()) {
            WebhookTransportException failure = failure(trusting.send(
                    request(to("https://" + host + ":" + receiver.port() + "/", "127.0.0.1"), Sending.LONG)));

            assertThat(failure.reason()).as("%s", failure.getCause()).isEqualTo(reason);
            assertThat(failure.phase()).isEqualTo(FailurePhase.TLS);
            assertThat(failure).hasMessageContaining(text);
        }
    }
}
