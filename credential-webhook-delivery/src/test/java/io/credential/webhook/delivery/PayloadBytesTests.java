package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

import static org.assertj.core.api.Assertions.assertThat;

/** How many bytes of payloads a node holds. */
@BothDatabases
class PayloadBytesTests {

    private static final int LIMIT = 60_000;

    /** Two of them fit into the half that is for payloads that are read when their attempt starts. */
    private static final String PAYLOAD = "\"" + "x".repeat(12_000) + "\"";

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final DispatcherFixture fixture;
    private final HoldingTransport transport = new HoldingTransport();
    private final JdbcWebhookDispatcher node;

    PayloadBytesTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test);
        this.node = fixture.node(options -> options.maxInFlightBytes(LIMIT).transport(transport));
    }

    @AfterEach
    void close() {
        transport.answerAll();
        fixture.close();
    }

    @Test
    void processRetriesWhenBytesAreTakenThenAttemptsWait() {
        for (int i = 0; i < 10; i++) {
            fixture.endpoint("endpoint-" + i, "/" + i);
        }
        node.enqueue("e", PAYLOAD);

        CompletableFuture<RetryResult> retries = CompletableFuture.supplyAsync(node::processRetries, threads);

        for (int i = 0; i < 9; i++) {
            fixture.await(() -> transport.held.size() == 2);
            transport.answerOne();
        }
        transport.answerAll();
        assertThat(Patience.join(retries)).isEqualTo(new RetryResult(10, 10, 0));
        assertThat(transport.mostBytes.get()).isEqualTo(2L * PAYLOAD.length()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void dispatchWhenBytesAreTakenThenAttemptsWait() {
        for (int i = 0; i < 5; i++) {
            fixture.endpoint("endpoint-" + i, "/" + i);
        }

        CompletableFuture<DispatchResult> dispatch =
                CompletableFuture.supplyAsync(() -> node.dispatch("e", PAYLOAD), threads);

        for (int i = 0; i < 4; i++) {
            fixture.await(() -> transport.held.size() == 2);
            transport.answerOne();
        }
        transport.answerAll();
        assertThat(Patience.join(dispatch).delivered()).isEqualTo(5);
        assertThat(transport.mostBytes.get()).isEqualTo(2L * PAYLOAD.length());
    }

    @Test
    void payloadWhenBeyondTheLimitThenGoesAlone() {
        String large = "\"" + "y".repeat(2 * LIMIT) + "\"";
        fixture.endpoint("a", "/a", "small");
        fixture.endpoint("b", "/b", "large");
        fixture.endpoint("c", "/c", "large");
        CompletableFuture<?> all = CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> node.dispatch("small", PAYLOAD), threads),
                CompletableFuture.runAsync(() -> node.dispatch("large", large), threads));

        for (int i = 0; i < 3; i++) {
            fixture.await(() -> !transport.held.isEmpty());
            assertThat(transport.held).hasSize(1);
            transport.answerOne();
        }
        Patience.join(all);
        assertThat(transport.mostBytes.get()).isEqualTo(large.length());
    }

    @Test
    void smallPayloadWhenLargeOneIsSentThenDoesNotWait() {
        fixture.endpoint("a", "/a", "large");
        fixture.endpoint("b", "/b", "small");
        CompletableFuture<DispatchResult> large = CompletableFuture.supplyAsync(
                () -> node.dispatch("large", "\"" + "y".repeat(2 * LIMIT) + "\""), threads);
        fixture.await(() -> transport.held.size() == 1);

        CompletableFuture<DispatchResult> small =
                CompletableFuture.supplyAsync(() -> node.dispatch("small", "{}"), threads);

        fixture.await(() -> transport.held.size() == 2);
        transport.answerAll();
        assertThat(Patience.join(large).delivered() + Patience.join(small).delivered())
                .isEqualTo(2);
    }

    @Test
    void payloadWhenLargeThenSentByteForByte() {
        fixture.endpoint("a", "/a");
        JdbcWebhookDispatcher sending = fixture.node(options -> options.maxInFlightBytes(LIMIT));
        String payload = "{\"text\":\"" + "ü€\uD83D\uDE00".repeat(9000) + "\"}";

        assertThat(sending.dispatch("e", payload).delivered()).isEqualTo(1);
        sending.enqueue("e", payload.getBytes(StandardCharsets.UTF_8));
        assertThat(sending.processRetries().delivered()).isEqualTo(1);

        assertThat(fixture.receiver.hooks()).extracting(HookReceiver.Hook::body).containsExactly(payload, payload);
    }

    /** Keeps requests until it is told to answer them. */
    private static final class HoldingTransport implements WebhookTransport {

        private record Held(CompletableFuture<WebhookResponse> answer, int bytes) {}

        private final Queue<Held> held = new ConcurrentLinkedQueue<>();
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicLong mostBytes = new AtomicLong();
        private volatile boolean open;

        @Override
        public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
            Held holding = new Held(new CompletableFuture<>(), request.body().length);
            mostBytes.accumulateAndGet(bytes.addAndGet(holding.bytes()), Math::max);
            held.add(holding);
            if (open) {
                answerOne();
            }
            return holding.answer();
        }

        void answerOne() {
            Held first = held.poll();
            if (first != null) {
                bytes.addAndGet(-first.bytes());
                first.answer().complete(new WebhookResponse(200, "", null));
            }
        }

        void answerAll() {
            open = true;
            while (!held.isEmpty()) {
                answerOne();
            }
        }
    }
}
