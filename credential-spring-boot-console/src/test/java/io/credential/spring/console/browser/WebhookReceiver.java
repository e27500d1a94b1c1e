package io.credential.spring.console.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Receives webhooks on the loopback address. The path of an endpoint decides how they are answered. */
final class WebhookReceiver implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile CountDownLatch arrived = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(1);

    WebhookReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/accepts", exchange -> answer(exchange, 204, Map.of(), ""));
        server.createContext("/fails", exchange -> answer(exchange, 503, Map.of(), "the queue is full"));
        server.createContext("/is-hostile", exchange -> answer(exchange, 500, HostileText.headers(), HostileText.ALL));
        server.createContext(
                "/redirects", exchange -> answer(exchange, 302, Map.of("Location", HostileText.SCRIPT_URL), ""));
        server.createContext("/is-slow", exchange -> {
            arrived.countDown();
            Patience.await(released);
            answer(exchange, 503, Map.of(), "");
        });
        server.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Lets the next webhook to the slow path wait for {@link #release}. */
    void hold() {
        arrived = new CountDownLatch(1);
        released = new CountDownLatch(1);
    }

    /** Waits until a webhook has come to the slow path. */
    void awaitArrival() {
        Patience.await(arrived);
    }

    void release() {
        released.countDown();
    }

    private static void answer(HttpExchange exchange, int status, Map<String, String> headers, String body)
            throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            headers.forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        released.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
