package io.credential.webhook.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.credential.testing.Patience;

/** A receiver of webhooks on loopback; each path answers as it is told, 200 by default, and remembers what it got. */
public final class HookReceiver implements AutoCloseable {

    private static final int BACKLOG = 512;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "hook-receiver");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<Hook> hooks = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    public HookReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    /** A webhook as it came. */
    public record Hook(String path, Map<String, List<String>> headers, String body) {

        public String header(String name) {
            return Objects.requireNonNull(headers.get(name), name).get(0);
        }
    }

    /** What a path answers. */
    @FunctionalInterface
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public HookReceiver answering(String path, Answer answer) {
        answers.put(path, answer);
        return this;
    }

    public HookReceiver answering(String path, int status) {
        return answering(path, exchange -> respond(exchange, status, "status " + status));
    }

    /** A path that answers once the latch is open. */
    public HookReceiver answeringAfter(CountDownLatch latch, String path, int status) {
        return answering(path, exchange -> {
            try {
                Patience.await(latch);
            } catch (AssertionError e) {
                throw new IOException(e);
            }
            respond(exchange, status, "status " + status);
        });
    }

    /** A path that answers one status after the other, and the last one from then on. */
    public HookReceiver answeringInTurn(String path, int... statuses) {
        AtomicInteger next = new AtomicInteger();
        return answering(
                path,
                exchange -> respond(exchange, statuses[Math.min(next.getAndIncrement(), statuses.length - 1)], ""));
    }

    /** A path that never answers, until the receiver is closed. */
    public HookReceiver hanging(String path) {
        return answering(path, exchange -> awaitClosing());
    }

    /** For an answer that never comes. */
    public void awaitClosing() {
        try {
            closing.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public List<Hook> hooks() {
        return hooks;
    }

    public List<Hook> hooks(String path) {
        return hooks.stream().filter(hook -> hook.path().equals(path)).toList();
    }

    public static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            byte[] body = exchange.getRequestBody().readAllBytes();
            Headers headers = new Headers();
            headers.putAll(exchange.getRequestHeaders());
            hooks.add(new Hook(path, headers, new String(body, StandardCharsets.UTF_8)));
            answers.getOrDefault(path, ok -> respond(ok, 200, "ok")).to(exchange);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
