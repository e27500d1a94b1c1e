package io.credential.webhook.http.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.concurrent.CancellableDependency;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;

/**
 * Cancels an exchange at any step. The client's future cannot: it remembers only the last reported step, and the first
 * one may be reported last. This is always the case with a pooled connection; cancelling then ends a lease that has
 * already ended, while the connection stays open and is read. This class cancels all steps, even one that is reported
 * later. Thread-safe.
 */
final class Cancellation implements CancellableDependency {

    private static final String ATTRIBUTE = Cancellation.class.getName();

    private final List<Cancellable> steps = new ArrayList<>(4);
    private @Nullable IOSession opening;
    private boolean cancelled;

    /** Applies to the requests that are executed with this context. */
    void governs(HttpContext context) {
        context.setAttribute(ATTRIBUTE, this);
    }

    static Cancellation of(HttpContext context) {
        return Objects.requireNonNull(
                (Cancellation) context.getAttribute(ATTRIBUTE), "A request must be executed with a cancellation");
    }

    /** Must be the first handler of the chain: later handlers then report their steps to the cancellation. */
    static void attach(
            HttpRequest request,
            @Nullable AsyncEntityProducer body,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        AsyncExecChain.Scope governed = new AsyncExecChain.Scope(
                scope.exchangeId,
                scope.route,
                scope.originalRequest,
                of(scope.clientContext),
                scope.clientContext,
                scope.execRuntime,
                scope.scheduler,
                scope.execCount);
        chain.proceed(request, body, governed, callback);
    }

    @Override
    public void setDependency(Cancellable step) {
        synchronized (this) {
            if (!cancelled) {
                steps.add(step);
                return;
            }
        }
        step.cancel();
    }

    /**
     * Registers a connection that no step can close yet, because it is not ready for a request.
     *
     * @return false if the exchange has been cancelled, so that the caller must close the connection
     */
    synchronized boolean opening(IOSession session) {
        opening = session;
        return !cancelled;
    }

    /** From now on, the steps close the connection, since it may be returned to the pool. */
    synchronized void opened() {
        opening = null;
    }

    @Override
    public synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public boolean cancel() {
        IOSession unready;
        synchronized (this) {
            if (cancelled) {
                return false;
            }
            cancelled = true;
            unready = opening;
        }
        // Outside the lock, since this runs callbacks. The list no longer changes.
        steps.forEach(Cancellable::cancel);
        if (unready != null) {
            unready.close(CloseMode.IMMEDIATE);
        }
        return true;
    }
}
