package io.credential.webhook.http.internal;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;

import io.credential.testing.Patience;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.Sending;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

/** A transport whose requests time out when the test says so. Closing it waits for no request. */
final class TimedTransport implements WebhookTransport, AutoCloseable {

    private static final int MAX_CONCURRENT = 512;

    private final ManualTimer timer = new ManualTimer();
    private final HttpConnections connections;

    TimedTransport() {
        this(null);
    }

    /** @param proxy null for none */
    TimedTransport(@Nullable HttpHost proxy) {
        connections = new HttpConnections(
                new HttpWebhookTransport.Settings(Patience.LIMIT, MAX_CONCURRENT, null, proxy, HostResolver.system()),
                timer);
    }

    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        return connections.send(request);
    }

    /** Sends a request whose deadline passes as soon as the receiver has reached a certain point. */
    CompletableFuture<WebhookResponse> sendUntil(CountDownLatch reached, VettedDestination destination) {
        return sendUntil(reached, Sending.request(destination, Sending.LONG));
    }

    CompletableFuture<WebhookResponse> sendUntil(CountDownLatch reached, WebhookRequest request) {
        CompletableFuture<WebhookResponse> answer = send(request);
        Patience.await(reached);
        passDeadlines();
        return answer;
    }

    void passDeadlines() {
        timer.passAll();
    }

    @Override
    public void close() {
        connections.close(Duration.ZERO);
    }

    private static final class ManualTimer extends DeadlineTimer {

        private final Queue<FutureTask<?>> waiting = new ConcurrentLinkedQueue<>();

        ManualTimer() {
            super("manual-deadline");
        }

        @Override
        public Future<?> after(Duration delay, Runnable work) {
            FutureTask<?> task = new FutureTask<>(work, null);
            waiting.add(task);
            return task;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // nobody cancels it any more
        void passAll() {
            for (FutureTask<?> task = waiting.poll(); task != null; task = waiting.poll()) {
                super.after(Duration.ZERO, task);
            }
        }
    }
}
