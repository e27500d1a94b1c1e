package io.credential.webhook.http.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;

/** A request ends at its deadline, whatever the receiver does, and its connection is closed. */
class TransportDeadlineTests {

    private static final int DROPS = 3;

    @AutoClose
    private final TimedTransport transport = new TimedTransport();

    /** What the deadline passes at. */
    private final CountDownLatch reached = new CountDownLatch(1);

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"})
    void sendWhenReceiverFallsSilentThenTimeout(String said) throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(said.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            reached.countDown();
            self.awaitEnd(in);
        })) {
            assertFailure(transport.sendUntil(reached, to(receiver)), Failure.TIMEOUT);

            Patience.await(receiver.closedByPeer());
        }
    }

    @ParameterizedTest
    @CsvSource({"'HTTP/1.1 200 OK\r\nX-A: ', a", "'HTTP/1.1 200 OK\r\n\r\n', a", "'', 'HTTP/1.1 100 Continue\r\n\r\n'"})
    void sendWhenReceiverDripsThenTimeout(String start, String drop) throws Exception {
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            self.readRequest(in);
            out.write(start.getBytes(StandardCharsets.US_ASCII));
            drip(self, out, drop);
        })) {
            assertFailure(transport.sendUntil(reached, to(receiver)), Failure.TIMEOUT);
            Patience.await(receiver.closedByPeer());
        }
    }

    /** The only one whose deadline passes by itself. */
    @Test
    void sendWhenAReusedConnectionDripsThenItIsClosed() throws Exception {
        try (OpenTransport opened = new OpenTransport();
                RawReceiver receiver = new RawReceiver((self, in, out) -> {
                    self.readRequest(in);
                    out.write(RawReceiver.OK.getBytes(StandardCharsets.US_ASCII));
                    self.readRequest(in);
                    out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    self.drip(out, "a");
                })) {
            assertThat(send(opened.transport, to(receiver)).status()).isEqualTo(200);

            assertFailure(opened.transport.send(request(to(receiver), OpenTransport.SHORT)), Failure.TIMEOUT);
            assertThat(receiver.connections()).isEqualTo(1);
            Patience.await(receiver.closedByPeer());
        }
    }

    @Test
    void sendWhenReceiverDoesNotReadThenTimeout() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        try (RawReceiver receiver = new RawReceiver((self, in, out) -> {
            reached.countDown();
            release.await();
        })) {
            WebhookRequest big = new WebhookRequest(to(receiver), Map.of(), new byte[20 << 20], Sending.LONG);

            assertFailure(transport.sendUntil(reached, big), Failure.TIMEOUT);
        } finally {
            release.countDown();
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
                    .mapToObj(i -> transport.send(request(destination, Sending.LONG)))
                    .toList();
            Patience.until(() -> silent.connections() >= answers.size() / 2); // others are connecting
            transport.passDeadlines();

            answers.forEach(answer -> assertFailure(answer, Failure.TIMEOUT));
            Patience.acquire(ended, silent.connections());
        }
    }

    @Test
    void sendWhenTlsHandshakeStallsThenTimeout() throws Exception {
        try (RawReceiver stalling = new RawReceiver((self, in, out) -> {
            var unused = in.read();
            reached.countDown();
            self.awaitEnd(in);
        })) {
            VettedDestination destination = to("https://hooks.example.com:" + stalling.port() + "/", "127.0.0.1");

            assertFailure(transport.sendUntil(reached, destination), Failure.TIMEOUT);

            Patience.await(stalling.closedByPeer());
        }
    }

    /** The deadline passes after some drops. */
    private void drip(RawReceiver receiver, OutputStream out, String drop) throws IOException, InterruptedException {
        for (int i = 0; i < DROPS; i++) {
            out.write(drop.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        reached.countDown();
        receiver.drip(out, drop);
    }
}
