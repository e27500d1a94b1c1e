package io.credential.webhook.http.internal;

import java.net.InetAddress;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * One request: tries the addresses in turn until one accepts a connection, and ends with a response, a
 * failure, its deadline, or the caller's cancellation, whichever comes first.
 */
final class HttpExchange {

    private static final int MAX_ADDRESSES = 4;

    private final CloseableHttpAsyncClient client;
    private final Timeout connectTimeout;
    private final WebhookRequest request;
    private final long deadline;
    private final boolean proxied;
    private final Iterator<InetAddress> addresses;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Consumer<HttpExchange> onEnd;
    private final CompletableFuture<WebhookResponse> result = new CompletableFuture<>();
    private final Cancellation cancellation = new Cancellation();
    private final AtomicReference<@Nullable Future<?>> deadlineTimer = new AtomicReference<>();
    private volatile @Nullable Attempt current;

    /**
     * @param onEnd called once, before the result is completed
     */
    HttpExchange(HttpConnections connections, WebhookRequest request, Consumer<HttpExchange> onEnd) {
        this.client = connections.client();
        this.connectTimeout = connections.connectTimeout();
        this.request = request;
        this.onEnd = onEnd;
        this.deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(request.timeout());
        this.proxied = connections.proxied();
        // With a proxy, every address would only connect to the proxy again.
        this.addresses = request.destination().addresses().stream()
                .limit(proxied ? 1 : MAX_ADDRESSES)
                .iterator();
    }

    /** Returns the result of a request that is not executed. */
    static CompletableFuture<WebhookResponse> failed(Failure failure, WebhookRequest request) {
        return CompletableFuture.failedFuture(new ExchangeFailure(request.destination(), false).of(failure));
    }

    /** Starts, and returns the future for the caller, who may cancel it. */
    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes on the caller's cancellation
    CompletableFuture<WebhookResponse> start(DeadlineTimer timer) {
        result.whenComplete((response, failure) -> {
            if (result.isCancelled() && end()) {
                cancellation.cancel();
            }
        });
        try {
            deadlineTimer.set(timer.after(request.timeout(), () -> fail(Failure.TIMEOUT)));
            tryNextAddress();
        } catch (RejectedExecutionException e) {
            fail(Failure.CLOSED);
        } catch (RuntimeException e) {
            fail(e);
        }
        return result;
    }

    void fail(Failure failure) {
        fail(soFar().of(failure));
    }

    private void fail(Exception cause) {
        if (end()) {
            // Closing the connection must not influence the reason, so determine it first.
            WebhookTransportException failure =
                    cause instanceof WebhookTransportException known ? known : soFar().of(cause);
            try {
                cancellation.cancel();
            } finally {
                result.completeExceptionally(failure);
            }
        }
    }

    /** Returns what is known of the exchange by now. */
    private ExchangeFailure soFar() {
        Attempt attempt = current;
        ExchangeFailure nothing = new ExchangeFailure(request.destination(), proxied);
        return attempt == null ? nothing : nothing.at(attempt.progress.phase(), attempt.partial());
    }

    private void succeed(WebhookResponse response) {
        if (end()) {
            result.complete(response);
        }
    }

    /** Returns true for the first caller only. */
    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        Future<?> timer = deadlineTimer.getAndSet(null);
        if (timer != null) {
            timer.cancel(false);
        }
        onEnd.accept(this);
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is called in every case; the future cannot cancel all
    private void tryNextAddress() {
        VettedDestination destination = request.destination();
        HttpClientContext context = HttpClientContext.create();
        context.setRequestConfig(config());
        cancellation.governs(context);
        Attempt callback = new Attempt(
                new ExchangeProgress(!proxied && destination.scheme().equals("https")));
        callback.progress.follows(context);
        current = callback;
        client.execute(
                VettedRoutePlanner.hop(destination, addresses.next()),
                callback.progress.watched(message(), request.body()),
                callback.response,
                null,
                context,
                callback);
    }

    private BasicHttpRequest message() {
        VettedDestination destination = request.destination();
        String path = destination.uri().getRawPath();
        String query = destination.uri().getRawQuery();
        BasicHttpRequest message = new BasicHttpRequest(
                "POST",
                destination.scheme(),
                new URIAuthority(destination.host(), destination.port()), // for the route and TLS
                (path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query));
        message.addHeader(HttpHeaders.HOST, destination.authority());
        request.headers().forEach(message::addHeader);
        return message;
    }

    @SuppressWarnings("deprecation") // the timeout of the connection manager is the same for all requests
    private RequestConfig config() {
        Timeout left = left();
        return RequestConfig.custom()
                .setConnectionRequestTimeout(left)
                .setConnectTimeout(left.compareTo(connectTimeout) < 0 ? left : connectTimeout)
                .setResponseTimeout(left) // only a safety net: the deadline ends the exchange
                .setConnectionKeepAlive(HttpConnections.DEFAULT_KEEP_ALIVE)
                .setAuthenticationEnabled(false)
                .setRedirectsEnabled(false)
                .setExpectContinueEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .build();
    }

    /** Rounded up, so that the deadline comes first. */
    private Timeout left() {
        return Timeout.ofMilliseconds(TimeUnit.NANOSECONDS.toMillis(Math.max(0, deadline - System.nanoTime())) + 1);
    }

    private boolean late() {
        return deadline - System.nanoTime() <= 0;
    }

    /** An attempt to send to one address. */
    private final class Attempt implements FutureCallback<WebhookResponse> {

        private final ExchangeProgress progress;
        private final BoundedResponse response = new BoundedResponse(this::answered);

        Attempt(ExchangeProgress progress) {
            this.progress = progress;
        }

        void answered(WebhookResponse answer) {
            if (progress.hasReachedReceiver()) {
                succeed(answer);
            } else {
                fail(soFar().refusedByProxy(answer.status()));
            }
        }

        @Nullable WebhookResponse partial() {
            return progress.hasReachedReceiver() ? response.partial() : null;
        }

        @Override
        public void completed(WebhookResponse response) {
            // The consumer reports the response itself, when the connection is available again.
        }

        @Override
        public void failed(Exception cause) {
            if (late()) {
                fail(Failure.TIMEOUT); // whatever failed, the deadline had passed
            } else if (ExchangeFailure.beforeConnected(cause, progress.phase())
                    && addresses.hasNext()
                    && !ended.get()) {
                tryNextAddress();
            } else {
                HttpExchange.this.fail(cause);
            }
        }

        @Override
        public void cancelled() {
            fail(Failure.CLOSED); // no effect if the exchange was cancelled because it had ended
        }
    }
}
