package io.credential.webhook.http.internal;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultConnectionKeepAliveStrategy;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManager;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException.Failure;

/** The HTTP client with its pool and deadline timer: everything that uses threads or sockets. Thread-safe. */
final class HttpConnections {

    /** For receivers that send no keep-alive time. Most keep connections longer; on a closed one, a request fails. */
    static final TimeValue DEFAULT_KEEP_ALIVE = TimeValue.ofSeconds(10);

    static final int MAX_LINE = 16 * 1024;

    private static final long MAX_KEEP_ALIVE_MILLIS = 60_000;
    private static final long SAFETY_MILLIS = 1_000;
    private static final Duration HOUSEKEEPING = Duration.ofSeconds(5);
    private static final Timeout SELECT_INTERVAL = Timeout.ofMilliseconds(200);
    private static final int IO_THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private static final Http1Config HTTP1 =
            Http1Config.custom().setMaxLineLength(MAX_LINE).build();

    private final int maxConcurrent;
    private final Semaphore permits;
    private final Set<HttpExchange> underWay = ConcurrentHashMap.newKeySet();
    private final PoolingAsyncClientConnectionManager pool;
    private final ProxyAddresses proxy;
    private final CloseableHttpAsyncClient client;
    private final Timeout connectTimeout;
    private final boolean proxied;
    private final DeadlineTimer timer;

    HttpConnections(HttpWebhookTransport.Settings settings) {
        this(settings, new DeadlineTimer("credential-http-deadline"));
    }

    HttpConnections(HttpWebhookTransport.Settings settings, DeadlineTimer timer) {
        this.timer = timer;
        maxConcurrent = settings.maxConcurrent();
        permits = new Semaphore(maxConcurrent);
        connectTimeout = Timeout.of(settings.connectTimeout());
        HttpHost proxyHost = settings.proxy();
        proxied = proxyHost != null;
        proxy = new ProxyAddresses(proxyHost == null ? null : proxyHost.getHostName(), settings.proxyResolver(), timer);
        pool = pool(settings, proxy);
        client = client(settings, new CancellableConnects(pool, proxy, new WholeHeadParser.Installer(HTTP1)));
        try {
            client.start();
            timer.every(HOUSEKEEPING, pool::closeExpired);
        } catch (Throwable e) { // no thread could be created
            closeClient();
            throw e;
        }
    }

    CompletableFuture<WebhookResponse> send(WebhookRequest request) {
        if (!permits.tryAcquire()) {
            return HttpExchange.failed(Failure.OVERLOADED, request);
        }
        HttpExchange exchange = new HttpExchange(this, request, this::ended);
        underWay.add(exchange);
        return exchange.start(timer);
    }

    private void ended(HttpExchange exchange) {
        underWay.remove(exchange);
        permits.release();
    }

    CloseableHttpAsyncClient client() {
        return client;
    }

    Timeout connectTimeout() {
        return connectTimeout;
    }

    boolean proxied() {
        return proxied;
    }

    private static PoolingAsyncClientConnectionManager pool(
            HttpWebhookTransport.Settings settings, ProxyAddresses proxy) {
        TlsStrategy tls = settings.tls();
        return PoolingAsyncClientConnectionManagerBuilder.create()
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT)
                .setConnPoolPolicy(PoolReusePolicy.LIFO)
                // Requests are limited before they get here. None waits for a connection: its receiver would be blamed.
                .setMaxConnTotal(settings.maxConcurrent())
                .setMaxConnPerRoute(settings.maxConcurrent())
                .setDnsResolver(proxy)
                .setTlsStrategy(tls == null ? tlsStrategy(SSLContexts.createDefault(), null, null) : tls)
                // With HTTP/2, a receiver could fill the heap with control frames that the client must answer.
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(settings.connectTimeout()))
                        .setValidateAfterInactivity(TimeValue.ofMilliseconds(SAFETY_MILLIS))
                        .build())
                .build();
    }

    /** With this, the JDK checks the host name during the handshake, before anything is sent. */
    static TlsStrategy tlsStrategy(SSLContext context, String @Nullable [] protocols, String @Nullable [] ciphers) {
        return new DefaultClientTlsStrategy(
                context, protocols, ciphers, SSLBufferMode.STATIC, HostnameVerificationPolicy.BUILTIN, null);
    }

    private static CloseableHttpAsyncClient client(
            HttpWebhookTransport.Settings settings, AsyncClientConnectionManager pool) {
        HttpAsyncClientBuilder builder = HttpAsyncClients.custom()
                .setConnectionManager(pool)
                .setRoutePlanner(new VettedRoutePlanner(settings.proxy()))
                .setThreadFactory(DaemonThreads.numbered("credential-http"))
                .setIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(IO_THREADS)
                        .setSelectInterval(SELECT_INTERVAL)
                        .build())
                .setHttp1Config(HTTP1)
                .setKeepAliveStrategy(HttpConnections::keepAlive)
                .setUserAgent("credential")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableConnectionState()
                .disableContentCompression();
        return builder.addExecInterceptorFirst("cancellation", Cancellation::attach)
                .addExecInterceptorAfter(ChainElement.CONNECT.name(), "progress", ExchangeProgress::ready)
                .build();
    }

    /** A little less than the receiver announces, so that it does not close a connection that is about to be used. */
    private static TimeValue keepAlive(HttpResponse response, HttpContext context) {
        long announced = DefaultConnectionKeepAliveStrategy.INSTANCE
                .getKeepAliveDuration(response, context)
                .toMilliseconds();
        return TimeValue.ofMilliseconds(Math.max(1, Math.min(announced - SAFETY_MILLIS, MAX_KEEP_ALIVE_MILLIS)));
    }

    /** Lets exchanges complete within the grace period, then ends them as {@link Failure#CLOSED}. */
    void close(Duration grace) {
        try {
            if (permits.tryAcquire(maxConcurrent, TimeUnit.NANOSECONDS.convert(grace), TimeUnit.NANOSECONDS)) {
                permits.release(maxConcurrent);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        underWay.forEach(exchange -> exchange.fail(Failure.CLOSED));
        closeClient();
    }

    /** Closes all connections first: the threads then stop immediately. */
    private void closeClient() {
        timer.close();
        pool.close(CloseMode.IMMEDIATE);
        client.initiateShutdown();
        try {
            client.awaitShutdown(TimeValue.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close(CloseMode.IMMEDIATE);
        proxy.close();
    }
}
