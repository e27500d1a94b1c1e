package io.credential.spring.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.testing.Patience;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that does not finish its body is told so, where it still listens, and audited. */
class UnreadableBodyTests {

    private static final String HEADER = Objects.requireNonNull(WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", WebhookHost.SECRET)
            .build()
            .headers("{}".getBytes(UTF_8))
            .get("Webhook-Signature"));

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void requestWhenAChunkIsMalformedThenBadBody(Class<?> server) throws IOException {
        try (WebhookHost host = WebhookHost.start(server);
                Socket client = connect(host)) {
            send(client, "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nnot a length\r\n");

            String answer = new String(client.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 400").contains("\"code\":\"webhook/bad-body\"");
            assertThat(reasons(host)).containsExactly("unreadable-body");
            assertThat(host.context().getBean(RecordingSink.class).events)
                    .allSatisfy(event -> assertThat(event.origin().userAgent()).isEqualTo("broken/1"));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void requestWhenTheClientBreaksOffThenAudited(Class<?> server) throws IOException {
        try (WebhookHost host = WebhookHost.start(server)) {
            try (Socket client = connect(host)) {
                send(client, "Content-Length: 100\r\n\r\n{}");
            }

            Patience.untilAsserted(() -> assertThat(reasons(host)).containsExactly("unreadable-body"));
        }
    }

    /** A client that is not told would send its next request into a connection that closes, and a POST is not repeated. */
    @Test
    void refusalWhenBodyIsUnderWayThenJettySaysThatItCloses() throws IOException {
        try (WebhookHost host = WebhookHost.start(OnJetty.class);
                Socket client = connect(host)) {
            client.getOutputStream()
                    .write("POST /hooks/partner/bytes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
                            .getBytes(US_ASCII));

            String answer = new String(client.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 401").contains("Connection: close\r\n");
        }
    }

    private static Socket connect(WebhookHost host) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), host.uri("/").getPort());
        socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
        return socket;
    }

    private static void send(Socket client, String rest) throws IOException {
        client.getOutputStream()
                .write(
                        ("POST /hooks/partner/bytes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: broken/1\r\n"
                                        + "Webhook-Signature: " + HEADER + "\r\n" + rest)
                                .getBytes(US_ASCII));
        client.getOutputStream().flush();
    }

    private static List<String> reasons(WebhookHost host) {
        AuditQueues.drain(host.context());
        return host.context().getBean(RecordingSink.class).events.stream()
                .map(AuditEvent::reason)
                .toList();
    }

    static final class RecordingSink implements AuditSink {

        private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void record(AuditEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class OnTomcat {

        @Bean
        RecordingSink sink() {
            return new RecordingSink();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(HookController.class)
    static class OnJetty {

        @Bean
        RecordingSink sink() {
            return new RecordingSink();
        }
    }
}
