package io.credential.benchmarks.takeover;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Records which node attempts which delivery, and when. Holds the answers back, or gives each after a pause. Thread-safe.
 */
final class HoldingReceiver implements AutoCloseable {

    private static final String DELIVERY_ID_HEADER = "X-Webhook-Delivery-Id";
    private static final int BACKLOG = 1024;
    private static final int THREADS = 4;

    private final HttpServer server;
    private final ExecutorService readers = Executors.newFixedThreadPool(THREADS);
    private final ScheduledExecutorService answers = Executors.newScheduledThreadPool(THREADS);
    private final Duration pause;
    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<HttpExchange> held = new ArrayList<>();
    private boolean holding;

    static {
        // By default, the server closes connections beyond 200 that are idle, and attempts on these fail.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** @param pause between a request and its answer, unless answers are held back */
    HoldingReceiver(Duration pause) throws IOException {
        this.pause = pause;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(readers);
        server.createContext("/", this::receive);
        server.start();
    }

    /**
     * An attempt that has arrived.
     *
     * @param node the name of the process that made it
     * @param at by {@link System#nanoTime}
     */
    record Arrival(String deliveryId, String node, long at) {}

    String url(int endpoint) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + endpoint;
    }

    /** Holds answers back until {@link #release()}. */
    synchronized void hold() {
        holding = true;
    }

    void release() {
        List<HttpExchange> released;
        synchronized (this) {
            holding = false;
            released = List.copyOf(held);
            held.clear();
        }
        released.forEach(HoldingReceiver::answer);
    }

    synchronized List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    synchronized void forget() {
        arrivals.clear();
    }

    private void receive(HttpExchange exchange) throws IOException {
        long at = System.nanoTime();
        exchange.getRequestBody().readAllBytes();
        Arrival arrival = new Arrival(
                exchange.getRequestHeaders().getFirst(DELIVERY_ID_HEADER),
                exchange.getRequestHeaders().getFirst(DispatcherNode.NAME_HEADER),
                at);
        synchronized (this) {
            arrivals.add(arrival);
            if (holding) {
                held.add(exchange);
                return;
            }
        }
        var unused = answers.schedule(() -> answer(exchange), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void answer(HttpExchange exchange) {
        try (exchange) {
            exchange.sendResponseHeaders(204, -1);
        } catch (IOException e) {
            // The node was killed.
        }
    }

    @Override
    public void close() {
        server.stop(0);
        answers.shutdownNow();
        readers.shutdownNow();
    }
}
