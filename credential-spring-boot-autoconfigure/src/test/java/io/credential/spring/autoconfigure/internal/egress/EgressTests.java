package io.credential.spring.autoconfigure.internal.egress;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import com.sun.net.httpserver.HttpServer;

import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.sender.WebhookSenderAutoConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.SendResult;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookSender;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What is said about the way out holds for signers that send as for the dispatcher, with and without a dispatcher. */
@ExtendWith(OutputCaptureExtension.class)
class EgressTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";

    @TempDir
    private Path directory;

    private HttpServer receiver;

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        receiver.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stopReceiver() {
        receiver.stop(0);
    }

    @Test
    void sendWhenCidrIsAllowedThenDelivers() {
        signers()
                .withPropertyValues(DISPATCHER + "allowed-cidrs=127.0.0.1/32")
                .run(context -> assertThat(send(context).status()).isEqualTo(204));
    }

    @Test
    void sendWhenInternalDestinationsAreAllowedThenDelivers() {
        signers()
                .withPropertyValues(DISPATCHER + "allow-internal-destinations=true")
                .run(context -> assertThat(send(context).status()).isEqualTo(204));
    }

    @Test
    void sendWhenProtocolIsNotAllowedThenRefused() {
        signers()
                .withPropertyValues(
                        DISPATCHER + "allow-internal-destinations=true", DISPATCHER + "allowed-protocols=https")
                .run(context ->
                        assertThat(refusal(context)).returns("webhook/unsafe-destination", WebhookException::code));
    }

    @Test
    void sendWhenThereIsAProxyThenGoesThroughIt() throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        try (ServerSocket proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> refuseTunnels(proxy, asked), "test-proxy");
            serving.setDaemon(true);
            serving.start();
            signers()
                    .withPropertyValues(
                            DISPATCHER + "allowed-cidrs=127.0.0.1",
                            DISPATCHER + "proxy=http://127.0.0.1:" + proxy.getLocalPort())
                    .run(context -> {
                        assertThat(refusal(context).getCause())
                                .isInstanceOfSatisfying(
                                        WebhookTransportException.class,
                                        e -> assertThat(e.failure()).isEqualTo(Failure.PROXY));
                        assertThat(asked)
                                .containsExactly("CONNECT 127.0.0.1:"
                                        + receiver.getAddress().getPort() + " HTTP/1.1");
                    });
        }
    }

    @Test
    void sendWhenApplicationHasATransportThenUsesIt() {
        List<String> sent = new CopyOnWriteArrayList<>();
        onDispatcher(runner -> runner.withBean(WebhookTransport.class, () -> recording(sent))
                .withPropertyValues(DISPATCHER + "allowed-cidrs=127.0.0.1")
                .run(context -> {
                    assertThat(send(context).status()).isEqualTo(200);
                    register(context);
                    context.getBean(WebhookDispatcher.class).dispatch("order.created", "{}");

                    assertThat(sent).containsExactly(url().toString(), url().toString());
                }));
    }

    @Test
    void startWhenTransportIgnoresPropertiesThenWarned(CapturedOutput output) {
        onDispatcher(runner -> runner.withBean(WebhookTransport.class, () -> recording(new ArrayList<>()))
                .withPropertyValues(
                        DISPATCHER + "proxy=http://proxy.example.com:3128",
                        DISPATCHER + "ssl-bundle=nowhere",
                        OUTBOUND + "http.ssl-bundle=nowhere")
                .run(context -> assertThat(output)
                        .contains("WebhookTransport sends all webhooks, and ignores [" + DISPATCHER + "proxy, "
                                + DISPATCHER + "ssl-bundle, " + OUTBOUND + "http.ssl-bundle]")));
    }

    @Test
    void registerWhenApplicationHasAPolicyThenItDecides(CapturedOutput output) {
        DestinationPolicy internal =
                DestinationPolicy.builder().allowInternalDestinations(true).build();
        onDispatcher(runner -> runner.withBean(DestinationPolicy.class, () -> internal)
                .withPropertyValues(DISPATCHER + "allowed-protocols=https")
                .run(context -> {
                    register(context);
                    assertThat(send(context).status()).isEqualTo(204);
                    assertThat(output).contains("A bean of type DestinationPolicy decides", "are ignored");
                }));
    }

    @Test
    void sendAndRegisterWhenPolicyForbidsThenBothAreRefused() {
        onDispatcher(runner -> runner.run(context -> {
            assertThat(refusal(context)).returns("webhook/unsafe-destination", WebhookException::code);
            assertThat(catchThrowableOfType(WebhookDispatcherException.class, () -> register(context)))
                    .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code);
        }));
    }

    @Test
    void sendWhenApplicationHasAResolverThenUsesIt() {
        signers()
                .withPropertyValues(DISPATCHER + "allowed-cidrs=127.0.0.1")
                .withBean(HostResolver.class, () -> host -> List.of(InetAddress.getAllByName("127.0.0.1")))
                .run(context -> assertThat(send(
                                        context,
                                        URI.create("http://hooks.example.com:"
                                                + receiver.getAddress().getPort()))
                                .status())
                        .isEqualTo(204));
    }

    private static final String[] PATIENT = {OUTBOUND + "http.connect-timeout=5m", OUTBOUND + "http.request-timeout=5m"
    };

    private static ApplicationContextRunner signers() {
        return StarterRunner.bare()
                .withConfiguration(
                        AutoConfigurations.of(WebhookAutoConfiguration.class, WebhookSenderAutoConfiguration.class))
                .withPropertyValues(OUTBOUND + "keys.v1=0123456789abcdef", OUTBOUND + "retry.max-attempts=1")
                .withPropertyValues(PATIENT);
    }

    private void onDispatcher(Consumer<ApplicationContextRunner> test) {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE)) {
            test.accept(StarterRunner.on(database, directory)
                    .withConfiguration(
                            AutoConfigurations.of(WebhookAutoConfiguration.class, WebhookSenderAutoConfiguration.class))
                    .withPropertyValues(
                            DISPATCHER + "enabled=true",
                            DISPATCHER + "dispatch-wait=1h",
                            OUTBOUND + "keys.v1=0123456789abcdef",
                            OUTBOUND + "retry.max-attempts=1")
                    .withPropertyValues(PATIENT));
        }
    }

    private void register(ApplicationContext context) {
        context.getBean(WebhookDispatcher.class)
                .registerEndpoint(
                        EndpointRegistration.of("shop", url().toString(), "a secret of the tests", "order.created"));
    }

    private SendResult send(ApplicationContext context) {
        return send(context, url());
    }

    private static SendResult send(ApplicationContext context, URI url) {
        WebhookSigner signer = context.getBean(WebhookSigners.class).get("outbound");
        return context.getBean(WebhookSender.class).send(signer, url, BODY);
    }

    private WebhookException refusal(ApplicationContext context) {
        return catchThrowableOfType(WebhookException.class, () -> send(context));
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
    }

    private static WebhookTransport recording(List<String> sent) {
        return request -> {
            sent.add(request.destination().uri().toString());
            return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
        };
    }

    private static void refuseTunnels(ServerSocket proxy, List<String> asked) {
        while (!proxy.isClosed()) {
            try (Socket client = proxy.accept()) {
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
                asked.add(in.readLine());
                while (!in.readLine().isEmpty()) {
                    // the rest of the head
                }
                client.getOutputStream()
                        .write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
            } catch (IOException e) {
                if (!proxy.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
