package io.credential.webhook.http.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailurePhase;

/**
 * Tracks how far an attempt to send to one address has come, which the client's exceptions do not say. The client also
 * returns a refusal by the proxy as if it came from the receiver: a 200 or 403 of the proxy would count as the
 * receiver's response. Thread-safe.
 */
final class ExchangeProgress {

    private static final String ATTRIBUTE = ExchangeProgress.class.getName();

    private final boolean directTls;
    private volatile FailurePhase phase = FailurePhase.CONNECT;

    /** @param directTls whether TLS is spoken as soon as TCP has connected, and not first with a proxy */
    ExchangeProgress(boolean directTls) {
        this.directTls = directTls;
    }

    /** Follows the request that is executed with this context. */
    void follows(HttpContext context) {
        context.setAttribute(ATTRIBUTE, this);
    }

    static ExchangeProgress of(HttpContext context) {
        return Objects.requireNonNull(
                (ExchangeProgress) context.getAttribute(ATTRIBUTE), "A request must be executed with its progress");
    }

    /** TCP has connected. */
    void connected() {
        if (directTls) {
            phase = FailurePhase.TLS;
        }
    }

    /** The proxy has opened the tunnel, in which TLS is spoken. */
    void tunnelled() {
        phase = FailurePhase.TLS;
    }

    /** Must be the handler after the one that connects. */
    static void ready(
            HttpRequest request,
            @Nullable AsyncEntityProducer body,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        of(scope.clientContext).phase = FailurePhase.SEND;
        chain.proceed(request, body, scope, callback);
    }

    FailurePhase phase() {
        return phase;
    }

    /** Returns whether a response is from the receiver and not from the proxy. */
    boolean hasReachedReceiver() {
        return phase.compareTo(FailurePhase.SEND) >= 0;
    }

    /** Returns a request that notes when it is sent. */
    AsyncRequestProducer watched(HttpRequest head, byte[] body) {
        return new BasicRequestProducer(head, new BasicAsyncEntityProducer(body, null)) {
            @Override
            public void produce(DataStreamChannel channel) throws IOException {
                super.produce(new WatchedChannel(channel));
            }
        };
    }

    private final class WatchedChannel implements DataStreamChannel {

        private final DataStreamChannel channel;

        WatchedChannel(DataStreamChannel channel) {
            this.channel = channel;
        }

        @Override
        public void requestOutput() {
            channel.requestOutput();
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return channel.write(source);
        }

        @Override
        public void endStream() throws IOException {
            channel.endStream();
            phase = FailurePhase.RESPONSE;
        }

        @Override
        public void endStream(@Nullable List<? extends Header> trailers) throws IOException {
            channel.endStream(trailers);
            phase = FailurePhase.RESPONSE;
        }
    }
}
