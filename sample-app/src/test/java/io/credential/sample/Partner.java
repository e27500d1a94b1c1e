package io.credential.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;

import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Someone who subscribes to webhooks, on the loopback address; answers as it is told. */
final class Partner implements AutoCloseable {

    private final HttpServer server;
    private final List<Webhook> webhooks = new CopyOnWriteArrayList<>();
    private volatile int answer = 204;
    private volatile CountDownLatch released = new CountDownLatch(0);

    Partner() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "partner");
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            webhooks.add(new Webhook(exchange.getRequestURI().getPath(), exchange.getRequestHeaders(), body));
            awaitRelease();
            exchange.sendResponseHeaders(answer, -1);
            exchange.close();
        });
        server.start();
    }

    /** From now on. */
    void answers(int status) {
        answer = status;
    }

    /** Lets everybody wait for an answer until it is closed. */
    Hold hold() {
        CountDownLatch latch = new CountDownLatch(1);
        released = latch;
        return latch::countDown;
    }

    private void awaitRelease() {
        Patience.await(released);
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** What came to a path, in the order in which it came. */
    List<Webhook> webhooks(String path) {
        return webhooks.stream().filter(webhook -> webhook.path().equals(path)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** May be closed more than once. */
    interface Hold extends AutoCloseable {

        @Override
        void close();
    }

    record Webhook(String path, Headers headers, String body) {

        String header(String name) {
            return headers.getFirst(name);
        }
    }
}
