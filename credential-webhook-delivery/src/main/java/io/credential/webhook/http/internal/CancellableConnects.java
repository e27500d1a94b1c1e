package io.credential.webhook.http.internal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Function;

import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.nio.AsyncConnectionEndpoint;
import org.apache.hc.core5.concurrent.CallbackContribution;
import org.apache.hc.core5.concurrent.ComplexFuture;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.concurrent.FutureContribution;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection pool in which a {@link Cancellation} can close a connection as soon as TCP has connected. The client
 * itself cannot close a connection during its TLS handshake, and resolves the name of a proxy on the thread that
 * connects.
 */
final class CancellableConnects implements AsyncClientConnectionManager {

    private final AsyncClientConnectionManager pool;
    private final ProxyAddresses proxy;
    private final WholeHeadParser.Installer heads;

    CancellableConnects(AsyncClientConnectionManager pool, ProxyAddresses proxy, WholeHeadParser.Installer heads) {
        this.pool = pool;
        this.proxy = proxy;
        this.heads = heads;
    }

    @Override
    public Future<AsyncConnectionEndpoint> connect(
            AsyncConnectionEndpoint endpoint,
            ConnectionInitiator initiator,
            @Nullable Timeout timeout,
            @Nullable Object attachment,
            HttpContext context,
            FutureCallback<AsyncConnectionEndpoint> callback) {
        Cancellation cancellation = Cancellation.of(context);
        ConnectionInitiator watched = watched(initiator, cancellation, ExchangeProgress.of(context));
        FutureCallback<AsyncConnectionEndpoint> opened = new CallbackContribution<>(callback) {
            @Override
            public void completed(AsyncConnectionEndpoint connected) {
                callback.completed(connected); // registers the step that can close it from now on
                cancellation.opened();
            }
        };
        Optional<CompletableFuture<Void>> lookup = proxy.refresh();
        return lookup.isEmpty()
                ? pool.connect(endpoint, watched, timeout, attachment, context, opened)
                : after(
                        lookup.get(),
                        opened,
                        then -> pool.connect(endpoint, watched, timeout, attachment, context, then));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the result on
    private static Future<AsyncConnectionEndpoint> after(
            CompletableFuture<Void> lookup,
            FutureCallback<AsyncConnectionEndpoint> callback,
            Function<FutureCallback<AsyncConnectionEndpoint>, Future<AsyncConnectionEndpoint>> connect) {
        ComplexFuture<AsyncConnectionEndpoint> connecting = new ComplexFuture<>(callback);
        lookup.whenComplete((done, failure) -> {
            if (failure != null) {
                connecting.failed(new UnknownHostException("The name of the egress proxy was not resolved"));
            } else if (!connecting.isDone()) {
                try {
                    connecting.setDependency(connect.apply(new FutureContribution<>(connecting) {
                        @Override
                        public void completed(AsyncConnectionEndpoint connected) {
                            connecting.completed(connected);
                        }
                    }));
                } catch (RuntimeException e) {
                    connecting.failed(e); // the endpoint was released in the meantime
                }
            }
        });
        return connecting;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback is called in every case
    private ConnectionInitiator watched(
            ConnectionInitiator initiator, Cancellation cancellation, ExchangeProgress progress) {
        return (endpoint, remote, local, timeout, attachment, callback) -> {
            initiator.connect(endpoint, remote, local, timeout, attachment, new CallbackContribution<>(callback) {
                @Override
                public void completed(IOSession session) {
                    progress.connected();
                    if (cancellation.opening(session)) {
                        heads.install(session);
                        callback.completed(session);
                    } else {
                        session.close(CloseMode.IMMEDIATE);
                        callback.failed(new InterruptedIOException("The exchange has ended"));
                    }
                }
            });
            // Not the connector's future: the connection leaks if that is cancelled at the wrong moment. Connecting
            // ends by its timeout, which is never later than the deadline.
            return new CompletableFuture<>();
        };
    }

    @Override
    public Future<AsyncConnectionEndpoint> lease(
            String id,
            HttpRoute route,
            @Nullable Object state,
            Timeout timeout,
            FutureCallback<AsyncConnectionEndpoint> callback) {
        return pool.lease(id, route, state, timeout, callback);
    }

    @Override
    public void release(AsyncConnectionEndpoint endpoint, @Nullable Object state, TimeValue validFor) {
        pool.release(endpoint, state, validFor);
    }

    @Override
    public void upgrade(AsyncConnectionEndpoint endpoint, @Nullable Object attachment, HttpContext context) {
        ExchangeProgress.of(context).tunnelled();
        pool.upgrade(endpoint, attachment, context);
    }

    @Override
    public void upgrade(
            AsyncConnectionEndpoint endpoint,
            @Nullable Object attachment,
            HttpContext context,
            FutureCallback<AsyncConnectionEndpoint> callback) {
        ExchangeProgress.of(context).tunnelled();
        pool.upgrade(endpoint, attachment, context, callback);
    }

    @Override
    public void close(CloseMode mode) {
        pool.close(mode);
    }

    @Override
    public void close() throws IOException {
        pool.close();
    }
}
