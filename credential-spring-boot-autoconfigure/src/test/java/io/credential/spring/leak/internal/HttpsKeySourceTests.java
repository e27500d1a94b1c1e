package io.credential.spring.leak.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.HttpServer;

import io.credential.storage.internal.JsonText;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HttpsKeySourceTests {

    private final Partner partner = new Partner();
    private HttpServer server;
    private HttpsKeySource source;
    private int status = 200;
    private String body = keys("1", partner.pem());
    private @Nullable String presentedTag;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            presentedTag = exchange.getRequestHeaders().getFirst("If-None-Match");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("ETag", "\"tag\"");
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1:1/elsewhere");
            exchange.sendResponseHeaders(status, status == 304 ? -1 : bytes.length);
            if (status != 304) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(bytes);
                }
            }
            exchange.close();
        });
        server.start();
        source = new HttpsKeySource(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys"), Duration.ofSeconds(30));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void fetchThenReturnsKeysAndTag() throws IOException {
        PublishedKeys.Fetched fetched = source.fetch(null).orElseThrow();

        assertThat(fetched.etag()).isEqualTo("\"tag\"");
        assertThat(fetched.keys()).containsOnlyKeys("1");
        assertThat(Objects.requireNonNull(fetched.keys().get("1"))
                        .verifies("x".getBytes(StandardCharsets.UTF_8), partner.sign("x")))
                .isTrue();
        assertThat(presentedTag).isNull();
    }

    @Test
    void fetchWhenUnchangedThenEmpty() throws IOException {
        status = 304;

        assertThat(source.fetch("\"tag\"")).isEqualTo(Optional.empty());

        assertThat(presentedTag).isEqualTo("\"tag\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 500, 304})
    void fetchWhenStatusIsAnotherThenFails(int other) {
        status = other;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.fetch(null))
                .withMessageContaining("status " + other);
    }

    @Test
    void fetchWhenTooLongThenFails() {
        body = " ".repeat(256 * 1024) + body;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.fetch(null))
                .withMessageContaining("longer");
    }

    /** It goes on until the client closes the connection: the test ends only if that happens. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nX: ",
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"
            })
    void fetchWhenHostNeverEndsThenFails(String start) throws Exception {
        ScheduledExecutorService dripping = Executors.newSingleThreadScheduledExecutor();
        try (ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpsKeySource slow = new HttpsKeySource(
                    URI.create("http://127.0.0.1:" + host.getLocalPort() + "/keys"), Duration.ofMillis(100));
            AtomicReference<@Nullable Socket> client = new AtomicReference<>();
            Future<?> drips =
                    dripping.scheduleWithFixedDelay(() -> drip(host, client, start), 0, 1, TimeUnit.MILLISECONDS);

            assertThatExceptionOfType(IOException.class).isThrownBy(() -> slow.fetch(null));

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(drips))
                    .withCauseInstanceOf(UncheckedIOException.class);
        } finally {
            dripping.shutdownNow();
        }
    }

    private static void drip(ServerSocket host, AtomicReference<@Nullable Socket> client, String start) {
        try {
            Socket accepted = client.get();
            if (accepted == null) {
                accepted = host.accept();
                client.set(accepted);
                accepted.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
            }
            accepted.getOutputStream().write(' ');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"public_keys\":{}}",
                "{\"public_keys\":[1]}",
                "{\"public_keys\":[{\"key_identifier\":\"1\"}]}",
                "{\"public_keys\":[{\"key_identifier\":\"1\",\"key\":\"x\"}]}",
                "{\"public_keys\":[]} x"
            })
    void fetchWhenMalformedThenFails(String malformed) {
        body = malformed;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> source.fetch(null))
                .withMessageContaining("does not contain public keys");
    }

    @Test
    void fetchWhenTwoKeysHaveTheSameIdThenFails() {
        String key = keys("1", partner.pem());
        String element = key.substring(key.indexOf('[') + 1, key.lastIndexOf(']'));
        body = "{\"public_keys\":[" + element + "," + element + "]}";

        assertThatExceptionOfType(IOException.class).isThrownBy(() -> source.fetch(null));
    }

    private static String keys(String id, String pem) {
        return "{\"public_keys\":[{\"key_identifier\":\"" + id + "\",\"key\":" + JsonText.write(pem)
                + ",\"is_current\":true}]}";
    }
}
