package io.credential.webhook.http.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;

/** Which responses count, and what is kept of them. */
class TransportResponseTests {

    @AutoClose
    private final OpenTransport opened = new OpenTransport();

    private final HttpWebhookTransport transport = opened.transport;

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
}
