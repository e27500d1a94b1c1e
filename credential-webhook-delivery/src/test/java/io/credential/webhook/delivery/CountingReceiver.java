package io.credential.webhook.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A receiver on loopback for many webhooks: it keeps of each no more than the id of its delivery and the attempt. No
 * thread waits for an answer that is late or held back.
 */
public final class CountingReceiver implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final Map<String, Answering> paths = new ConcurrentHashMap<>();
    private final Queue<Receipt> receipts = new ConcurrentLinkedQueue<>();
    private final Queue<Receipt> accepted = new ConcurrentLinkedQueue<>();

    public CountingReceiver() {
        try {
            server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    /** A webhook that came. */
    public record Receipt(String path, String deliveryId, int attempt) {}

    /** Answers what has come, now or later, with a status. */
    @FunctionalInterface
    interface Answering {
        void take(IntConsumer answer);
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Answers at once from now on; every path does so with 200 at first. */
    public void answer(String path, int status) {
        paths.put(path, answer -> answer.accept(status));
    }

    public void answerAfter(String path, long millis) {
        Executor late = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, threads);
        paths.put(path, answer -> late.execute(() -> answer.accept(200)));
    }

    /** Leaves what comes unanswered. */
    public void hang(String path) {
        paths.put(path, answer -> {});
    }

    /** Keeps what comes, to be answered when the test says so. */
    public Queue<IntConsumer> hold(String path) {
        Queue<IntConsumer> held = new ConcurrentLinkedQueue<>();
        paths.put(path, held::add);
        return held;
    }

    /** Answers with 200 what is held at the moment. */
    public static void answerHeld(Queue<IntConsumer> held) {
        for (IntConsumer answer = held.poll(); answer != null; answer = held.poll()) {
            answer.accept(200);
        }
    }

    /** Everything that came, in its order. */
    public Queue<Receipt> receipts() {
        return receipts;
    }

    /** How often each delivery was accepted, by its id. */
    public Map<String, Long> answers() {
        return accepted.stream().collect(Collectors.groupingBy(Receipt::deliveryId, Collectors.counting()));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void receive(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        Receipt receipt = new Receipt(
                exchange.getRequestURI().getPath(),
                exchange.getRequestHeaders().getFirst("X-Webhook-Delivery-Id"),
                Integer.parseInt(exchange.getRequestHeaders().getFirst("X-Webhook-Attempt")));
        receipts.add(receipt);
        paths.getOrDefault(receipt.path(), answer -> answer.accept(200))
                .take(status -> respond(receipt, exchange, status));
    }

    private void respond(Receipt receipt, HttpExchange exchange, int status) {
        try (exchange) {
            accepted.add(receipt);
            // The server keeps no more than 200 idle connections, and closes others while a client may use them again.
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException e) {
            // Whoever asked is gone.
        }
    }
}
