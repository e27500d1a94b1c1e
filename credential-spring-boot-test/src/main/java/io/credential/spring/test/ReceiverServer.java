package io.credential.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.spring.test.WebhookReceiver.Answer;

/** Serves HTTP requests on a free port of the loopback address. Thread-safe. */
final class ReceiverServer implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final byte[] ADDRESS = {127, 0, 0, 1};
    private static final int BACKLOG = 512;

    /** How long a request may still take to arrive and to be answered while the server is closed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final HttpServer server;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(DaemonThreads.named("credential-webhook-receiver"));
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Decides how a request is answered. */
    @FunctionalInterface
    interface Handler {
        Answer answer(String path, Headers headers, byte[] body);
    }

    private ReceiverServer(HttpServer server) {
        this.server = server;
    }

    static ReceiverServer start(Handler handler) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(ADDRESS), 0), BACKLOG);
            ReceiverServer started = new ReceiverServer(http);
            http.setExecutor(started.threads);
            http.createContext("/", exchange -> started.serve(exchange, handler));
            http.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url(String path) {
        return "http://" + HOST + ":" + port() + path;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Waits until this is closed, at most for a time; returns whether it is. */
    boolean awaitClosing(Duration limit) throws InterruptedException {
        return closing.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void serve(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Answer answer = handler.answer(exchange.getRequestURI().getPath(), exchange.getRequestHeaders(), body);
            if (!answer.delay().isZero() && awaitClosing(answer.delay())) {
                return; // without an answer
            }
            Duration retryAfter = answer.retryAfter();
            if (retryAfter != null) {
                exchange.getResponseHeaders().set("Retry-After", Long.toString(retryAfter.toSeconds()));
            }
            exchange.sendResponseHeaders(answer.status(), -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed: without an answer
        }
    }

    /** Answers the requests that have arrived, except for those that wait for a delayed answer. */
    @Override
    public void close() {
        closing.countDown();
        threads.shutdown();
        try {
            threads.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
