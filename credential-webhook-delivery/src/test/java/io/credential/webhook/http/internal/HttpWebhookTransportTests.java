package io.credential.webhook.http.internal;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.failure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The transport against receivers on loopback that behave and misbehave. */
class HttpWebhookTransportTests {

    private static final Duration SHORT = Duration.ofMillis(1500);

    private final HttpWebhookTransport transport =
            HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();

    @AfterEach
    void close() {
        transport.close(Duration.ZERO);
    }

    @Test
    void sendThenRequestIsWhatWasAskedForAndNoMore() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(
                "HTTP/1.1 503 Busy\r\nContent-Length: 5\r\nRetry-After: 17\r\nX-Other: 1\r\n\r\nlater")) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Content-Type", "application/json");
            headers.put("Webhook-Signature", "t=1,id=x,v1=00");

            WebhookResponse response = Patience.join(transport.send(new WebhookRequest(
                    to("http://Hooks.Example.com.:" + receiver.port() + "/a%20b?c=d&e", "127.0.0.1"),
                    headers,
                    "b\u00f6dy".getBytes(StandardCharsets.UTF_8),
                    Sending.LONG)));

            assertThat(response)
                    .isEqualTo(new WebhookResponse(
                            503,
                            "later",
                            "17",
                            Map.of(
                                    "content-length", List.of("5"),
                                    "retry-after", List.of("17"),
                                    "x-other", List.of("1"))));
            assertThat(response.successful()).isFalse();
            assertThat(receiver.requests()).hasSize(1);
            List<String> lines = receiver.requests().get(0).lines().toList();
            assertThat(lines)
                    .startsWith("POST /a%20b?c=d&e HTTP/1.1")
                    .contains(
                            "Content-Type: application/json",
                            "Webhook-Signature: t=1,id=x,v1=00",
                            "Host: Hooks.Example.com.:" + receiver.port(),
                            "Content-Length: 5",
                            "b\u00f6dy");
            assertThat(lines.stream()
                            .filter(line -> line.contains(": "))
                            .map(line -> line.substring(0, line.indexOf(':'))))
                    .containsExactlyInAnyOrder(
                            "Content-Type", "Webhook-Signature", "Host", "Content-Length", "Connection", "User-Agent");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "0x7f.1", "127.0.0.1"})
    void sendWhenHostIsAddressThenHostHeaderIsOfUrl(String host) throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            send(transport, to("http://" + host + ":" + receiver.port() + "?q=1"));

            assertThat(receiver.requests().get(0))
                    .startsWith("POST /?q=1 HTTP/1.1\r\n")
                    .contains("\r\nHost: " + host + ":" + receiver.port() + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 301, 302, 307, 308, 400, 401, 404, 407, 410, 429, 500, 503})
    void sendWhenAnsweredThenFollowsNoRedirectOrChallenge(int status) throws IOException {
        try (RawReceiver elsewhere = RawReceiver.answering(RawReceiver.OK);
                RawReceiver receiver = RawReceiver.answering("HTTP/1.1 " + status + " X\r\n"
                        + (status == 204 ? "" : "Content-Length: 0\r\n")
                        + "Location: http://127.0.0.1:" + elsewhere.port() + "/\r\n"
                        + "WWW-Authenticate: Basic realm=\"x\"\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n")) {
            assertThat(send(transport, to(receiver)).status()).isEqualTo(status);
            assertThat(receiver.requests()).hasSize(1);
            assertThat(elsewhere.connections()).isZero();
        }
    }

    @Test
    void sendWhenACookieWasSetThenNotSentBack() throws IOException {
        try (RawReceiver receiver =
                RawReceiver.answering("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")) {
            send(transport, to(receiver));
            send(transport, to(receiver));

            assertThat(receiver.requests()).hasSize(2).noneMatch(request -> request.contains("Cookie"));
        }
    }

    @Test
    void sendWhenCalledAgainThenConnectionIsReused() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            for (int i = 0; i < 50; i++) {
                assertThat(send(transport, to(receiver)).body()).isEqualTo("ok");
            }

            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void sendWhenManyRunAtOnceThenAllAreAnswered() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            List<CompletableFuture<WebhookResponse>> answers = IntStream.range(0, 300)
                    .mapToObj(i -> transport.send(request(to(receiver), Sending.LONG)))
                    .toList();

            assertThat(answers)
                    .allSatisfy(
                            answer -> assertThat(Patience.join(answer).status()).isEqualTo(200));
            assertThat(receiver.requests()).hasSize(300);
        }
    }

    @Test
    void sendWhenRequestIsOneTooManyThenOverloadedAtOnce() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        try (HttpWebhookTransport narrow = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .maxConcurrent(2)
                        .build();
                RawReceiver receiver = new RawReceiver((self, in, out) -> {
                    while (self.readRequest(in)) {
                        release.await();
                        out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
                    }
                })) {
            CompletableFuture<WebhookResponse> first = narrow.send(request(to(receiver), Sending.LONG));
            CompletableFuture<WebhookResponse> second = narrow.send(request(to(receiver), Sending.LONG));

            assertFailure(narrow.send(request(to(receiver), Sending.LONG)), Failure.OVERLOADED);

            release.countDown();
            assertThat(Patience.join(first).status()).isEqualTo(200);
            assertThat(Patience.join(second).status()).isEqualTo(200);
            assertThat(send(narrow, to(receiver)).status()).isEqualTo(200);
        }
    }

    @Test
    void sendWhenBodyIsLongThenFirstTwoKibibytesAreKept() throws IOException {
        String body = "\u00e4".repeat(3000);
        try (RawReceiver receiver = RawReceiver.answering("HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n"
                + new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))) {
            assertThat(send(transport, to(receiver)).body()).isEqualTo("\u00e4".repeat(1024));
            assertThat(send(transport, to(receiver)).body()).hasSize(1024);
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void sendWhenBodyIsNoTextThenBytesAreReplaced() throws IOException {
        try (RawReceiver receiver =
                RawReceiver.answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\u0000\u00ffb")) {
            assertThat(send(transport, to(receiver)).body()).isEqualTo("a\ufffd\ufffdb");
        }
    }

    @Test
    void sendWhenResponseIsEndlessThenCutOffAndClosed() throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] block = "x".repeat(1000).getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(block);
            }
        })) {
            WebhookResponse response = send(transport, to(receiver));

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("x".repeat(2048));
            Patience.await(receiver.closedByPeer());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"})
    void sendWhenReceiverFallsSilentThenTimeout(String said) throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(said.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            self.awaitEnd(in);
        })) {
            assertFailure(transport.send(request(to(receiver), SHORT)), Failure.TIMEOUT);

            Patience.await(receiver.closedByPeer());
        }
    }

    @ParameterizedTest
    @CsvSource({"'HTTP/1.1 200 OK\r\nX-A: ', a", "'HTTP/1.1 200 OK\r\n\r\n', a", "'', 'HTTP/1.1 100 Continue\r\n\r\n'"})
    void sendWhenReceiverDripsThenTimeout(String start, String drop) throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(start.getBytes(StandardCharsets.US_ASCII));
            self.drip(out, drop);
        })) {
            assertFailure(transport.send(request(to(receiver), SHORT)), Failure.TIMEOUT);
            Patience.await(receiver.closedByPeer());
        }
    }

    @Test
    void sendWhenAReusedConnectionDripsThenItIsClosed() throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
            self.readRequest(in);
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            self.drip(out, "a");
        })) {
            assertThat(send(transport, to(receiver)).status()).isEqualTo(200);

            assertFailure(transport.send(request(to(receiver), SHORT)), Failure.TIMEOUT);
            assertThat(receiver.connections()).isEqualTo(1);
            Patience.await(receiver.closedByPeer());
        }
    }

    @Test
    void sendWhenReceiverDoesNotReadThenTimeout() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> release.await())) {
            WebhookRequest big = new WebhookRequest(to(receiver), Map.of(), new byte[20 << 20], SHORT);

            assertFailure(transport.send(big), Failure.TIMEOUT);
        } finally {
            release.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"
            })
    void sendWhenConnectionClosesTooEarlyThenReset(String said) throws IOException {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(said.getBytes(StandardCharsets.US_ASCII));
        })) {
            assertFailure(transport.send(request(to(receiver), Sending.LONG)), Failure.RESET);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 20",
                "HTTP/1.1 200 OK",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.0 200 OK\r\n",
                "HTTP/1.1 204 No Content\r\n",
                "HTTP/1.1 200 OK\r\nX-A: b",
                "HTTP/1.1 200 OK\r\nX-A: b\r\n",
                "HTTP/1.1 200 OK\r\nX-A: b\r\n\r",
                "HTTP/1.1 200 OK\r\nConnection: close\r\n",
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\r\n"
            })
    void sendWhenHeadersAreCutOffThenReset(String said) throws IOException {
        try (RawReceiver receiver = new RawReceiver(RawReceiver.saying(said))) {
            assertFailure(transport.send(request(to(receiver), Sending.LONG)), Failure.RESET);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.0 200 OK\r\n\r\nok", "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nok"})
    void sendWhenResponseHasNoLengthThenEndsAtClose(String said) throws IOException {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(said.getBytes(StandardCharsets.US_ASCII));
        })) {
            assertThat(send(transport, to(receiver)))
                    .returns(200, WebhookResponse::status)
                    .returns("ok", WebhookResponse::body);
        }
    }

    @Test
    void sendWhenConnectionIsResetThenReset() throws IOException {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            self.resetAll();
        })) {
            assertFailure(transport.send(request(to(receiver), Sending.LONG)), Failure.RESET);
        }
    }

    @Test
    void sendWhenAnswerIsNoHttpThenProtocolFailure() throws IOException {
        List<String> answers = List.of(
                "SSH-2.0-OpenSSH_9.6\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: " + "a".repeat(20_000) + "\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + "X: a\r\n".repeat(200) + "\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + ("X: " + "a".repeat(16_000) + "\r\n").repeat(3) + "\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "X: a\r\n".repeat(9) + "\r\n");
        for (String answer : answers) {
            try (RawReceiver receiver = RawReceiver.answering(answer)) {
                assertFailure(transport.send(request(to(receiver), Sending.LONG)), Failure.PROTOCOL);
            }
        }
    }

    @Test
    void sendWhenConnectionIsRefusedThenNoAddressIsNamed() throws IOException {
        int port = freePort();

        WebhookTransportException refused = failure(transport.send(
                request(to("http://hooks.example.com:" + port + "/secret-path", "127.0.0.1"), Sending.LONG)));

        assertThat(refused.failure()).isEqualTo(Failure.CONNECT);
        assertThat(refused).hasMessage("No connection could be made to hooks.example.com:" + port + ": it was refused");
    }

    @Test
    void sendWhenAnAddressRefusesThenTheNextIsTried() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            VettedDestination destination =
                    to("http://hooks.example.com:" + receiver.port() + "/", "127.0.0.9", "127.0.0.8", "127.0.0.1");

            assertThat(send(transport, destination).status()).isEqualTo(200);
        }
    }

    @Test
    void sendWhenALaterAddressIsSilentThenClosedAtDeadline() throws Exception {
        Semaphore ended = new Semaphore(0);
        try (RawReceiver silent = new RawReceiver((self, in, out) -> {
            try {
                self.awaitEnd(in);
            } finally {
                ended.release();
            }
        })) {
            VettedDestination destination =
                    to("http://hooks.example.com:" + silent.port() + "/", "127.0.0.9", "127.0.0.1");
            List<CompletableFuture<WebhookResponse>> answers = IntStream.range(0, 200)
                    .mapToObj(i -> transport.send(request(destination, SHORT)))
                    .toList();

            answers.forEach(answer -> assertFailure(answer, Failure.TIMEOUT));
            Patience.acquire(ended, silent.connections());
        }
    }

    @Test
    void sendWhenTlsHandshakeStallsThenTimeout() throws Exception {
        try (HttpWebhookTransport patient = HttpWebhookTransport.builder()
                        .connectTimeout(Duration.ofMinutes(1))
                        .build();
                RawReceiver stalling = new RawReceiver((self, in, out) -> self.awaitEnd(in))) {
            VettedDestination destination = to("https://hooks.example.com:" + stalling.port() + "/", "127.0.0.1");

            assertFailure(patient.send(request(destination, SHORT)), Failure.TIMEOUT);

            Patience.await(stalling.closedByPeer());
        }
    }

    @Test
    void sendWhenOthersToTheHostStallThenIsAnswered() throws IOException {
        Semaphore stalled = new Semaphore(16);
        try (HttpWebhookTransport small = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .maxConcurrent(32)
                        .build();
                RawReceiver gateway = new RawReceiver((self, in, out) -> {
                    if (stalled.tryAcquire()) {
                        self.awaitEnd(in);
                    } else {
                        RawReceiver.saying(RawReceiver.OK).talk(self, in, out);
                    }
                })) {
            List<CompletableFuture<WebhookResponse>> stuck = IntStream.range(0, 16)
                    .mapToObj(i -> small.send(request(to(gateway), Sending.LONG.multipliedBy(2))))
                    .toList();
            Patience.until(() -> stalled.availablePermits() == 0);

            assertThat(send(small, to(gateway)).status()).isEqualTo(200);
            stuck.forEach(answer -> answer.cancel(false));
        }
    }

    @Test
    void sendWhenDnsChangesThenVettedAddressIsUsed() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            List<String> asked = new ArrayList<>();
            VettedDestination destination =
                    Sending.LOOPBACK.vet(URI.create("http://hooks.example.com:" + receiver.port() + "/"), host -> {
                        asked.add(host);
                        return List.of(Sending.address(asked.size() == 1 ? "127.0.0.1" : "127.0.0.66"));
                    });

            assertThat(send(transport, destination).status()).isEqualTo(200);
            assertThat(receiver.requests()).hasSize(1);
            assertThat(asked).containsExactly("hooks.example.com");
        }
    }

    @Test
    void sendWhenAddressDiffersThenConnectionIsNotShared() throws IOException {
        try (RawReceiver before = RawReceiver.answering(RawReceiver.OK);
                RawReceiver after = onOtherAddress(before.port())) {
            String url = "http://hooks.example.com:" + before.port() + "/";

            send(transport, to(url, "127.0.0.1"));
            send(transport, to(url, "127.0.0.2"));
            send(transport, to(url, "127.0.0.1"));

            assertThat(before.requests()).hasSize(2);
            assertThat(before.connections()).isEqualTo(1);
            assertThat(after.requests()).hasSize(1);
        }
    }

    @Test
    void sendWhenHostDiffersThenConnectionIsNotShared() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            send(transport, to("http://one.example.com:" + receiver.port() + "/", "127.0.0.1"));
            send(transport, to("http://two.example.com:" + receiver.port() + "/", "127.0.0.1"));

            assertThat(receiver.connections()).isEqualTo(2);
        }
    }

    @Test
    void cancelWhenExchangeRunsThenItEndsAndMakesRoom() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        try (HttpWebhookTransport narrow = HttpWebhookTransport.builder()
                        .connectTimeout(Patience.LIMIT)
                        .maxConcurrent(1)
                        .build();
                RawReceiver receiver = new RawReceiver((self, in, out) -> {
                    self.readRequest(in);
                    received.countDown();
                    self.awaitEnd(in);
                })) {
            CompletableFuture<WebhookResponse> answer = narrow.send(request(to(receiver), Sending.LONG));
            Patience.await(received);
            answer.cancel(true);

            Patience.await(receiver.closedByPeer());
            try (RawReceiver next = RawReceiver.answering(RawReceiver.OK)) {
                assertThat(send(narrow, to(next)).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void cancelWhenConnectionIsReusedThenItIsClosed() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
            self.readRequest(in);
            received.countDown();
            self.awaitEnd(in);
        })) {
            assertThat(send(transport, to(receiver)).status()).isEqualTo(200);
            CompletableFuture<WebhookResponse> answer = transport.send(request(to(receiver), Sending.LONG));
            Patience.await(received);

            answer.cancel(false);

            Patience.await(receiver.closedByPeer());
            assertThat(receiver.connections()).isEqualTo(1);
        }
    }

    @Test
    void cancelWhenTlsHandshakeStallsThenItEnds() throws Exception {
        CountDownLatch greeted = new CountDownLatch(1);
        try (HttpWebhookTransport patient = HttpWebhookTransport.builder()
                        .connectTimeout(Duration.ofMinutes(1))
                        .build();
                RawReceiver stalling = new RawReceiver((self, in, out) -> {
                    in.read();
                    greeted.countDown();
                    self.awaitEnd(in);
                })) {
            VettedDestination destination = to("https://hooks.example.com:" + stalling.port() + "/", "127.0.0.1");
            CompletableFuture<WebhookResponse> answer = patient.send(request(destination, Sending.LONG));
            Patience.await(greeted);

            answer.cancel(false);

            Patience.await(stalling.closedByPeer());
        }
    }

    @Test
    void closeWhenARequestFinishesInTimeThenItIsAnswered() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        HttpWebhookTransport other =
                HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();
        try (RawReceiver slow = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            received.countDown();
            release.await();
            out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            self.awaitEnd(in);
        })) {
            CompletableFuture<WebhookResponse> finishing = other.send(request(to(slow), Sending.LONG));
            Patience.await(received);
            Thread closing = new Thread(() -> other.close(Patience.LIMIT), "closing");
            closing.start();
            release.countDown();

            assertThat(Patience.join(finishing).status()).isEqualTo(200);
            Patience.join(closing);
            assertFailure(other.send(request(to(slow), Sending.LONG)), Failure.CLOSED);
        }
    }

    @Test
    void sendWhenOpenedAgainThenSends() throws Exception {
        HttpWebhookTransport other =
                HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            send(other, to(receiver));
            other.close(Duration.ZERO);
            assertFailure(other.send(request(to(receiver), Sending.LONG)), Failure.CLOSED);

            other.open();

            assertThat(send(other, to(receiver)).status()).isEqualTo(200);
        } finally {
            other.close(Duration.ZERO);
        }
    }

    @Test
    void closeWhenARequestHangsThenItEndsAsClosed() throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        HttpWebhookTransport other =
                HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();
        try (RawReceiver hanging = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            received.countDown();
            self.awaitEnd(in);
        })) {
            CompletableFuture<WebhookResponse> stuck = other.send(request(to(hanging), Sending.LONG));
            Patience.await(received);

            other.close(Duration.ofMillis(100));

            assertFailure(stuck, Failure.CLOSED);
            Patience.await(hanging.closedByPeer());
        }
    }

    @Test
    void newConnectionsWhenTimerFailsThenThreadsEnd() {
        List<Thread> before = LiveThreads.named("credential-http");
        DeadlineTimer closed = new DeadlineTimer("closed");
        closed.close();

        assertThatThrownBy(() -> new HttpConnections(
                        new HttpWebhookTransport.Settings(SHORT, 1, null, null, HostResolver.system()), closed))
                .isInstanceOf(RejectedExecutionException.class);

        List<Thread> made = new ArrayList<>(LiveThreads.named("credential-http"));
        made.removeAll(before);
        made.forEach(Patience::join);
    }

    @Test
    void sendWhenItIsTheFirstThenMakesNamedThreads() throws Exception {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            List<Thread> before = LiveThreads.named("credential-http");
            HttpWebhookTransport other = HttpWebhookTransport.builder()
                    .connectTimeout(Patience.LIMIT)
                    .build();
            assertThat(before).containsAll(LiveThreads.named("credential-http"));

            send(other, to(receiver));
            List<Thread> made = new ArrayList<>(LiveThreads.named("credential-http"));
            made.removeAll(before);
            assertThat(made).isNotEmpty();

            other.close();
            made.forEach(Patience::join);
        }
    }

    @Test
    void closeWhenNeverUsedThenSendFailsAsClosed() {
        HttpWebhookTransport unused = HttpWebhookTransport.builder().build();
        unused.close();

        assertFailure(unused.send(request(to("http://hooks.example.com/", "127.0.0.1"), Sending.LONG)), Failure.CLOSED);
    }

    @ParameterizedTest
    @CsvSource({
        "17, PT17S",
        "' 3 ', PT3S",
        "0, PT0S",
        "'Wed, 21 Oct 2026 07:28:10 GMT', PT10S",
        "'Wed, 21 Oct 2026 07:27:00 GMT', PT0S"
    })
    void retryAfterWhenSecondsOrDateThenRead(String header, Duration expected) {
        Instant now = Instant.parse("2026-10-21T07:28:00Z");

        assertThat(new WebhookResponse(503, "", header).retryAfter(now)).hasValue(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "2026-10-21T07:28:10Z"})
    void retryAfterWhenMissingOrUnreadableThenEmpty(String header) {
        assertThat(new WebhookResponse(503, "", header).retryAfter(Instant.EPOCH))
                .isEmpty();
        assertThat(new WebhookResponse(503, "", null).retryAfter(Instant.EPOCH)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Host, a.example",
        "content-length, 3",
        "Transfer-Encoding, chunked",
        "'Bad Name', x",
        "'', x",
        "'A:', x",
        "X-A, 'a\r\nX-B: b'",
        "X-A, 'a\nb'",
        "X-A, ' a'",
        "X-A, \u00e4"
    })
    void requestWhenAHeaderChangesTheMessageThenRefused(String name, String value) {
        assertThatThrownBy(() -> new WebhookRequest(
                        to("http://hooks.example.com/", "127.0.0.1"), Map.of(name, value), new byte[0], SHORT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void requestWhenTimeoutIsZeroThenRefused() {
        assertThatThrownBy(() -> request(to("http://hooks.example.com/", "127.0.0.1"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("timeout must be positive");
    }

    private static RawReceiver onOtherAddress(int port) throws IOException {
        try {
            return new RawReceiver(RawReceiver.looping(RawReceiver.OK), Sending.address("127.0.0.2"), port);
        } catch (BindException e) {
            return Assumptions.abort("This machine has one loopback address only");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Sending.address("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
