package io.credential.spring.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.webhook.signature.WebhookSigner;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies in chunks and in frames: how a server puts them together can be seen only on the server. */
class WebhookProtocolTests {

    private static final byte[] BODY = body();

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void bodyWhenChunkedThenVerified(Class<?> server) {
        try (WebhookHost host = WebhookHost.start(server)) {
            assertThat(host.send(request(host, signature(), chunked(BODY))).body())
                    .isEqualTo(HexFormat.of().formatHex(BODY));
            assertThat(host.send(request(host, signature(), chunked(changed()))).statusCode())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void bodyWhenSentByHttp2ThenVerified(Class<?> server) throws Exception {
        try (WebhookHost host = WebhookHost.start(server, "server.http2.enabled=true")) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            upgrade(client, host);

            for (BodyPublisher body : new BodyPublisher[] {BodyPublishers.ofByteArray(BODY), chunked(BODY)}) {
                HttpResponse<String> answer = send(client, request(host, signature(), body));

                assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(answer.body()).isEqualTo(HexFormat.of().formatHex(BODY));
            }
            assertThat(send(client, request(host, signature(), chunked(changed())))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void bodyWhenTooLongInHttp2ThenRefused(Class<?> server) throws Exception {
        try (WebhookHost host = WebhookHost.start(
                server, "server.http2.enabled=true", "credential.webhook.inbound.partner.max-body-size=99999B")) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            upgrade(client, host);

            HttpResponse<String> answer = send(client, request(host, signature(), chunked(BODY)));

            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.statusCode()).isEqualTo(413);
        }
    }

    /** The client then keeps the connection, which speaks HTTP/2. */
    private static void upgrade(HttpClient client, WebhookHost host) throws Exception {
        assertThat(send(client, HttpRequest.newBuilder(host.uri("/page"))).version())
                .isEqualTo(HttpClient.Version.HTTP_2);
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(WebhookHost host, String signature, BodyPublisher body) {
        return host.post("/hooks/partner/hex", BODY)
                .header("Webhook-Signature", signature)
                .POST(body);
    }

    private static BodyPublisher chunked(byte[] body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    }

    private static String signature() {
        return Objects.requireNonNull(WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", WebhookHost.SECRET)
                .build()
                .headers(BODY)
                .get("Webhook-Signature"));
    }

    /** Longer than a chunk and a frame. */
    private static byte[] body() {
        byte[] body = new byte[100_000];
        new Random(1).nextBytes(body);
        return body;
    }

    private static byte[] changed() {
        byte[] changed = Arrays.copyOf(BODY, BODY.length);
        changed[changed.length - 1] ^= 1;
        return changed;
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(HookController.class)
    static class OnJetty {}
}
