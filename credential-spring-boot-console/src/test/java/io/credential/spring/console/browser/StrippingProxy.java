package io.credential.spring.console.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.credential.testing.Patience;

/** A reverse proxy that removes a prefix from paths without telling the application. */
final class StrippingProxy implements AutoCloseable {

    private static final String PREFIX = "/tools/hooks";

    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "host", "content-length", "transfer-encoding", "keep-alive", "upgrade");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final String target;

    /** @param target the application, without a slash at its end */
    StrippingProxy(String target) throws IOException {
        this.target = target;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext(PREFIX, this::forward);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + PREFIX;
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString().substring(PREFIX.length());
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target + path))
                    .timeout(Patience.LIMIT)
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            exchange.getRequestHeaders()
                    .forEach((name, values) -> values.stream()
                            .filter(value -> isForwarded(name))
                            .forEach(value -> request.header(name, value)));
            respond(exchange, client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void respond(HttpExchange exchange, HttpResponse<byte[]> response) throws IOException {
        response.headers()
                .map()
                .forEach((name, values) -> values.stream()
                        .filter(value -> isForwarded(name))
                        .forEach(value -> exchange.getResponseHeaders().add(name, value)));
        exchange.sendResponseHeaders(response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
        exchange.getResponseBody().write(response.body());
    }

    private static boolean isForwarded(String header) {
        return !HOP_BY_HOP.contains(header.toLowerCase(Locale.ROOT)) && !header.startsWith(":");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
