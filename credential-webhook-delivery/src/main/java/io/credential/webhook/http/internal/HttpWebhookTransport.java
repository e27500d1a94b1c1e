package io.credential.webhook.http.internal;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;

import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.internal.WebhookOptions;

/**
 * Sends webhooks over HTTP/1.1. Each request has one deadline for all of its phases.
 * Responses are read up to a limit. Connections are reused for the same host at the same address. Proxy settings in
 * system properties, cookies, credentials and redirects are ignored.
 *
 * <p>Thread-safe. Threads and sockets are created with the first request.
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

    /** Returns a builder; by default, the JDK's trusted certificates are used, and no proxy. */
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

    /** Closes with a grace period of five seconds. */
    @Override
    public void close() {
        close(DEFAULT_GRACE);
    }

    /**
     * Accepts no more requests, and lets current ones complete within a grace period. The others then fail with {@link
     * Failure#CLOSED}.
     *
     * @param grace how long to wait for current requests; zero to end them immediately
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

    record Settings(
            Duration connectTimeout,
            int maxConcurrent,
            @Nullable TlsStrategy tls,
            @Nullable HttpHost proxy,
            HostResolver proxyResolver) {}

    /**
     * Collects the options of an {@link HttpWebhookTransport}. A null argument fails with {@code webhook/bad-opt}
     * unless null is allowed. Not thread-safe.
     */
    public static final class Builder {

        private static final int DEFAULT_MAX_CONCURRENT = 512;
        private static final int MAX_PORT = 65535;

        private Duration connectTimeout = Duration.ofSeconds(5);
        private int maxConcurrent = DEFAULT_MAX_CONCURRENT;
        private @Nullable TlsStrategy tls;
        private @Nullable HttpHost proxy;
        private HostResolver proxyResolver = HostResolver.system();

        private Builder() {}

        /**
         * The timeout for connecting to one address, and again for the TLS handshake; 5 s by default. The timeout of
         * the request limits both.
         *
         * @throws WebhookException {@code webhook/bad-opt} if it is shorter than a millisecond
         */
        public Builder connectTimeout(Duration timeout) {
            if (WebhookOptions.required(timeout, "connectTimeout").compareTo(Duration.ofMillis(1)) < 0) {
                throw badOption("The connect timeout must be at least 1 ms, not " + timeout);
            }
            this.connectTimeout = timeout;
            return this;
        }

        /**
         * The maximum number of concurrent requests, and of connections, which may all be to the same host; 512 by
         * default. Further requests fail with {@link Failure#OVERLOADED}.
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
         * Replaces the JDK's trusted and client certificates.
         *
         * @param protocols the TLS versions to allow; null for the default ones
         * @param ciphers the cipher suites to allow; null for the default ones
         */
        public Builder tls(SSLContext context, String @Nullable [] protocols, String @Nullable [] ciphers) {
            this.tls = HttpConnections.tlsStrategy(
                    WebhookOptions.required(context, "context"),
                    protocols == null ? null : protocols.clone(),
                    ciphers == null ? null : ciphers.clone());
            return this;
        }

        /**
         * Sends everything through an HTTP proxy, by {@code CONNECT} to the vetted address instead of the name. The
         * operator decides what the proxy may reach; its own address is not vetted. Its name is looked up before each
         * connection, on a separate thread and within the timeout of the request.
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
                throw badOption("The egress proxy must be given as http://host:port, without credentials or a path");
            }
            this.proxy = new HttpHost("http", url.getHost(), url.getPort());
            return this;
        }

        /** Replaces the JDK's resolver for the name of the proxy. */
        Builder proxyResolver(HostResolver resolver) {
            this.proxyResolver = resolver;
            return this;
        }

        private static WebhookException badOption(String message) {
            return new WebhookException(WebhookErrorCode.BAD_OPT, message);
        }

        public HttpWebhookTransport build() {
            return new HttpWebhookTransport(new Settings(connectTimeout, maxConcurrent, tls, proxy, proxyResolver));
        }
    }
}
