package io.credential.webhook.http.internal;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.RawReceiver;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

import static io.credential.webhook.http.Sending.assertFailure;
import static io.credential.webhook.http.Sending.failure;
import static io.credential.webhook.http.Sending.request;
import static io.credential.webhook.http.Sending.send;
import static io.credential.webhook.http.Sending.to;
import static io.credential.webhook.http.internal.OpenTransport.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** To which addresses the transport connects, which connections it reuses, and how many requests it accepts. */
class TransportConnectionTests {

    @AutoClose
    private final OpenTransport opened = new OpenTransport();

    private final HttpWebhookTransport transport = opened.transport;

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

    private static RawReceiver onOtherAddress(int port) throws IOException {
        try {
            return new RawReceiver(RawReceiver.looping(RawReceiver.OK), Sending.address("127.0.0.2"), port);
        } catch (BindException e) {
            return Assumptions.abort("This machine has one loopback address only");
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
    void sendWhenAnAddressRefusesThenTheNextIsTried() throws IOException {
        try (RawReceiver receiver = RawReceiver.answering(RawReceiver.OK)) {
            VettedDestination destination =
                    to("http://hooks.example.com:" + receiver.port() + "/", "127.0.0.9", "127.0.0.8", "127.0.0.1");

            assertThat(send(transport, destination).status()).isEqualTo(200);
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, Sending.address("127.0.0.1"))) {
            return socket.getLocalPort();
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
}
