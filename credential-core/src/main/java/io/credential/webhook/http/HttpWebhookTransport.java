package io.credential.webhook.http;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;

import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.WebhookOptions;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Sends webhooks over HTTP/1.1 and, where TLS negotiates it, HTTP/2. Each request has one deadline over all of its
 * phases; responses are read up to a limit; connections are reused for the same host at the same address.
 * Proxy settings of the JVM's system properties, cookies, credentials and redirects are ignored.
 *
 * <p>Thread-safe. Threads and sockets are created on the first request.
 *
 * @since 0.1.0
 */
public final class HttpWebhookTransport implements WebhookTransport, AutoCloseable {

    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);

    private final Settings settings;
    private final Object lock = new Object();
    private @Nullable HttpConnections connections;
    private boolean closed;

    private HttpWebhookTransport(Settings settings) {
        this.settings = settings;
    }

    /** A transport with the JDK's trusted certificates and without a proxy, until options say otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@inheritDoc}
     *
     * @throws WebhookException {@code webhook/bad-opt} if the request is null
     */
    @Override
    public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        WebhookOptions.required(request, "request");
        HttpConnections open = connections();
        return open == null ? HttpExchange.failed(Failure.CLOSED, request) : open.send(request);
    }

    private @Nullable HttpConnections connections() {
        synchronized (lock) {
            if (closed) {
                return null;
            }
            if (connections == null) {
                connections = new HttpConnections(settings);
            }
            return connections;
        }
    }

    /** Accepts requests again after {@link #close(Duration)}; has no effect on an open transport. */
    public void open() {
        synchronized (lock) {
            closed = false;
        }
    }

    /** Closes with a grace of five seconds. */
    @Override
    public void close() {
        close(DEFAULT_GRACE);
    }

    /**
     * Takes no more requests, lets those under way finish for a while, then ends them as {@link Failure#CLOSED}.
     *
     * @param grace how long to wait for requests under way; zero to end them at once
     * @throws WebhookException {@code webhook/bad-opt} if the grace period is null
     */
    public void close(Duration grace) {
        WebhookOptions.required(grace, "grace");
        HttpConnections open;
        synchronized (lock) {
            closed = true;
            open = connections;
            connections = null;
        }
        if (open != null) {
            open.close(grace);
        }
    }

    /** What the builder has collected. */
    record Settings(
            Duration connectTimeout,
            int maxConcurrent,
            int ioThreads,
            @Nullable TlsStrategy tls,
            @Nullable HttpHost proxy,
            HostResolver proxyResolver) {}

    /**
     * Collects the options of an {@link HttpWebhookTransport}. A null where none is allowed is {@code webhook/bad-opt}.
     * Not thread-safe.
     */
    public static final class Builder {

        private static final int DEFAULT_MAX_CONCURRENT = 512;
        private static final int MAX_PORT = 65535;

        private Duration connectTimeout = Duration.ofSeconds(5);
        private int maxConcurrent = DEFAULT_MAX_CONCURRENT;
        private int ioThreads = Math.min(4, Runtime.getRuntime().availableProcessors());
        private @Nullable TlsStrategy tls;
        private @Nullable HttpHost proxy;
        private HostResolver proxyResolver = HostResolver.system();

        private Builder() {}

        /**
         * How long one address may take to accept a connection, and again for TLS; 5 s by default. The request's own
         * time-out bounds both.
         *
         * @throws WebhookException {@code webhook/bad-opt} if it is under a millisecond
         */
        public Builder connectTimeout(Duration timeout) {
            if (WebhookOptions.required(timeout, "connectTimeout").compareTo(Duration.ofMillis(1)) < 0) {
                throw badOption("The connect timeout must be at least 1 ms, not " + timeout);
            }
            this.connectTimeout = timeout;
            return this;
        }

        /**
         * How many requests may be under way at once, and how many connections are kept; 512 by default. One more fails
         * as {@link Failure#OVERLOADED}. One host at one address gets at most a quarter of the connections, or 16 if
         * that is more; what is beyond waits for one.
         *
         * @throws WebhookException {@code webhook/bad-opt} if it is less than 1
         */
        public Builder maxConcurrent(int requests) {
            if (requests < 1) {
                throw badOption("At least 1 request must be allowed at once, not " + requests);
            }
            this.maxConcurrent = requests;
            return this;
        }

        /**
         * How many threads do the I/O; by default one for each processor, four at most.
         *
         * @throws WebhookException {@code webhook/bad-opt} if it is less than 1
         */
        public Builder ioThreads(int threads) {
            if (threads < 1) {
                throw badOption("At least 1 thread is needed for I/O, not " + threads);
            }
            this.ioThreads = threads;
            return this;
        }

        /** Trust and client certificates in place of the JDK's own. */
        public Builder tls(SSLContext context) {
            return tls(context, null, null);
        }

        /**
         * Trust and client certificates in place of the JDK's own.
         *
         * @param protocols the versions of TLS to allow, null for the usual ones
         * @param ciphers the cipher suites to allow, null for the usual ones
         */
        public Builder tls(SSLContext context, String @Nullable [] protocols, String @Nullable [] ciphers) {
            this.tls = HttpConnections.tlsStrategy(
                    WebhookOptions.required(context, "context"),
                    protocols == null ? null : protocols.clone(),
                    ciphers == null ? null : ciphers.clone());
            return this;
        }

        /**
         * Sends everything through an HTTP proxy, by {@code CONNECT} with the vetted address in place of the name. What
         * the proxy may reach is the operator's to decide; its own address is not vetted. Its name is looked up before
         * each connection, on a separate thread and within the request's time-out.
         *
         * @param url {@code http://host:port}; null for none
         * @throws WebhookException {@code webhook/bad-opt} if the URL is anything else
         */
        public Builder proxy(@Nullable URI url) {
            if (url == null) {
                this.proxy = null;
                return this;
            }
            boolean plain = "http".equalsIgnoreCase(url.getScheme())
                    && url.getHost() != null
                    && url.getPort() > 0
                    && url.getPort() <= MAX_PORT
                    && url.getRawUserInfo() == null
                    && (url.getRawPath().isEmpty() || url.getRawPath().equals("/"))
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
            if (!plain) {
                throw badOption("The egress proxy must be given as http://host:port, without credentials and path");
            }
            this.proxy = new HttpHost("http", url.getHost(), url.getPort());
            return this;
        }

        /** What looks up the name of the proxy, in place of the JDK. */
        Builder proxyResolver(HostResolver resolver) {
            this.proxyResolver = resolver;
            return this;
        }

        private static WebhookException badOption(String message) {
            return new WebhookException(WebhookErrorCode.BAD_OPT, message);
        }

        /** The transport. Threads and sockets come with the first request. */
        public HttpWebhookTransport build() {
            return new HttpWebhookTransport(
                    new Settings(connectTimeout, maxConcurrent, ioThreads, tls, proxy, proxyResolver));
        }
    }
}
