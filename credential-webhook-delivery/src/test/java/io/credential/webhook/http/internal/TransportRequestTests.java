package io.credential.webhook.http.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;

import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static io.credential.webhook.http.internal.OpenTransport.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the transport sends, and that no response makes it send anything else. */
class TransportRequestTests {

    @AutoClose
    private final OpenTransport opened = new OpenTransport();

    private final HttpWebhookTransport transport = opened.transport;

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
}
