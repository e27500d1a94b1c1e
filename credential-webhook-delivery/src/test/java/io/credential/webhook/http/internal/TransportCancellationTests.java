package io.credential.webhook.http.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests that the application ends: it cancels them, or closes the transport. */
class TransportCancellationTests {

    @AutoClose
    private final OpenTransport opened = new OpenTransport();

    private final HttpWebhookTransport transport = opened.transport;

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
    void closeWhenNeverUsedThenSendFailsAsClosed() {
        HttpWebhookTransport unused = HttpWebhookTransport.builder().build();
        unused.close();

        assertFailure(unused.send(request(to("http://hooks.example.com/", "127.0.0.1"), Sending.LONG)), Failure.CLOSED);
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
}
