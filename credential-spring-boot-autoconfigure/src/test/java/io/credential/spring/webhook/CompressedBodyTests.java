package io.credential.spring.webhook;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Bodies with {@code Content-Encoding: gzip}. Servers differ in how they treat headers and body, so real ones are needed. */
class CompressedBodyTests {

    private static final String OWN = "/hooks/partner";
    private static final String GITHUB = "/hooks/github";
    private static final String GITHUB_SECRET = "another secret of the tests";
    private static final int LIMIT = 1024;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private static WebhookHost tomcat;
    private static WebhookHost jetty;

    @BeforeAll
    static void start() {
        tomcat = start(OnTomcat.class, "server.compression.enabled=false");
        jetty = start(OnJetty.class, "server.compression.enabled=false");
    }

    private static WebhookHost start(Class<?> source, String compression) {
        return WebhookHost.start(
                source,
                compression,
                "credential.webhook.inbound.partner.max-body-size=1KB",
                "credential.webhook.inbound.github.max-body-size=1KB",
                "credential.webhook.inbound.github.paths=/hooks/github/**",
                "credential.webhook.inbound.github.scheme=github",
                "credential.webhook.inbound.github.nonce-store=memory",
                "credential.webhook.inbound.github.keys.v1=" + GITHUB_SECRET);
    }

    @AfterAll
    static void stop() {
        tomcat.close();
        jetty.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void bodyWhenCompressedThenApplicationReadsTheContent(String sender) {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, sender + "/headers", gzip(unique()), "gzip");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("length 30 30 30 [30], no encoding, read 30");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void bodyWhenCompressedAndChunkedThenRead(String sender) {
        for (WebhookHost host : hosts()) {
            byte[] gzip = gzip(unique());

            HttpResponse<String> answer = host.send(signed(host, sender + "/headers", gzip, "GZip")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(gzip))));

            assertThat(answer.body()).isEqualTo("length 30 30 30 [30], no encoding, read 30");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void formWhenCompressedThenParametersAreRead(String sender) {
        for (WebhookHost host : hosts()) {
            byte[] gzip = gzip(("name=kettle&id=" + COUNT.incrementAndGet()).getBytes(UTF_8));

            assertThat(host.send(signed(host, sender + "/form", gzip, "gzip")
                                    .setHeader("Content-Type", "application/x-www-form-urlencoded"))
                            .body())
                    .isEqualTo("kettle");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void bodyWhenNotCompressedThenHeadersAreUnchanged(String sender) {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, sender + "/headers", unique(), "identity");

            assertThat(answer.body()).isEqualTo("length 30 30 30 [30], identity, read 30");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void bodyWhenContentIsTooLongThenRefused(String sender) {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, sender + "/headers", gzip(new byte[LIMIT + 1]), "gzip");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
            assertThat(answer.body()).contains("\"code\":\"webhook/body-too-large\"");
            assertThat(send(host, sender + "/headers", gzip(new byte[LIMIT]), "gzip")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, GITHUB})
    void bodyWhenItIsNotGzipThenRefused(String sender) {
        for (WebhookHost host : hosts()) {
            byte[] gzip = gzip(unique());
            for (byte[] body : new byte[][] {unique(), {}, Arrays.copyOf(gzip, gzip.length - 1)}) {
                HttpResponse<String> answer = host.send(host.post(sender + "/headers", body)
                        .header("Content-Encoding", "gzip")
                        .header("Webhook-Signature", ownSignature(body))
                        .header("X-Hub-Signature-256", "sha256=" + "0".repeat(64)));

                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
                assertThat(answer.body()).contains("\"code\":\"webhook/bad-body\"");
            }
        }
    }

    /** A body that nobody signed must not be decompressed where the compressed bytes are signed. */
    @Test
    void bodyWhenContentIsSignedInOurFormatThenRefused() {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = host.send(host.post(OWN + "/headers", gzip(new byte[LIMIT + 1]))
                    .header("Content-Encoding", "gzip")
                    .header("Webhook-Signature", ownSignature(new byte[LIMIT + 1])));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
            assertThat(answer.body()).contains("\"code\":\"webhook/bad-signature\"");
        }
    }

    @Test
    void bodyWhenCompressedAnewThenReplay() {
        byte[] body = unique();
        assertThat(send(tomcat, GITHUB + "/headers", gzip(body), "gzip").statusCode())
                .isEqualTo(200);

        HttpResponse<String> answer = tomcat.send(tomcat.post(GITHUB + "/headers", body)
                .header("X-Hub-Signature-256", "sha256=" + gitHubSignature(body)));

        assertThat(answer.body()).contains("\"code\":\"webhook/replay\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "deflate", "zstd", "gzip, gzip", "gzip,br", "gzip;q=1", "x"})
    void bodyWhenEncodedOtherwiseThenUnsupported(String encoding) {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, OWN + "/headers", gzip(unique()), encoding);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(415);
            assertThat(answer.body()).contains("\"code\":\"webhook/unsupported-media-type\"");
            assertThat(answer.headers().firstValue("Accept-Encoding")).hasValue("gzip");
        }
    }

    @Test
    void bodyWhenEncodingHasTwoLinesThenUnsupported() {
        for (WebhookHost host : hosts()) {
            assertThat(host.send(signed(host, OWN + "/headers", gzip(unique()), "gzip")
                                    .header("Content-Encoding", "gzip"))
                            .statusCode())
                    .isEqualTo(415);
        }
    }

    /** Jetty decompresses requests if it compresses responses: they have neither the header nor the compressed bytes. */
    @Test
    void bodyWhenServerDecompressesThenContentIsVerified() {
        try (WebhookHost host = start(OnJetty.class, "server.compression.enabled=true")) {
            HttpResponse<String> answer = send(host, GITHUB + "/read", gzip(unique()), "gzip");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("read 30");
            assertThat(send(host, OWN + "/headers", gzip(unique()), "gzip").body())
                    .contains("webhook/bad-signature");
        }
    }

    private static WebhookHost[] hosts() {
        return new WebhookHost[] {tomcat, jetty};
    }

    /** Of 30 bytes. */
    private static byte[] unique() {
        return String.format(Locale.ROOT, "{\"id\":%023d}", COUNT.incrementAndGet())
                .getBytes(UTF_8);
    }

    private static HttpResponse<String> send(WebhookHost host, String path, byte[] body, String encoding) {
        return host.send(signed(host, path, body, encoding));
    }

    /** Our format signs the bytes that are sent, GitHub the content. */
    private static HttpRequest.Builder signed(WebhookHost host, String path, byte[] body, String encoding) {
        HttpRequest.Builder request =
                host.post(path, body).header("Content-Encoding", encoding).header("Content-Type", "application/json");
        return path.startsWith(OWN)
                ? request.header("Webhook-Signature", ownSignature(body))
                : request.header("X-Hub-Signature-256", "sha256=" + gitHubSignature(content(body)));
    }

    private static String ownSignature(byte[] body) {
        return Objects.requireNonNull(WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", WebhookHost.SECRET)
                .build()
                .headers(body)
                .get("Webhook-Signature"));
    }

    private static String gitHubSignature(byte[] content) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(GITHUB_SECRET.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(content));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] content(byte[] body) {
        if (body[0] == '{') {
            return body;
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(gzip)) {
            out.write(content);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return gzip.toByteArray();
    }

    @RestController
    static class Reader {

        @PostMapping({OWN + "/headers", GITHUB + "/headers"})
        String headers(@RequestBody byte[] body, @RequestHeader HttpHeaders headers, HttpServletRequest request) {
            assertThat(Collections.list(request.getHeaders("content-encoding")))
                    .isEqualTo(headers.getOrEmpty("Content-Encoding"));
            return "length " + headers.getContentLength() + " " + request.getContentLength() + " "
                    + request.getIntHeader("content-length") + " "
                    + Collections.list(request.getHeaders("Content-Length")) + ", "
                    + Objects.requireNonNullElse(request.getHeader("content-encoding"), "no encoding") + ", read "
                    + body.length;
        }

        @PostMapping(GITHUB + "/read")
        String read(@RequestBody byte[] body) {
            return "read " + body.length;
        }

        @PostMapping({OWN + "/form", GITHUB + "/form"})
        String form(@RequestParam("name") String name) {
            return name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(Reader.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(Reader.class)
    static class OnJetty {}
}
