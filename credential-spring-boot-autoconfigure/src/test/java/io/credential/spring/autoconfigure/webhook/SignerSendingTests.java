package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.WebhookSignerProperties.Http;
import io.credential.spring.autoconfigure.egress.Egress;
import io.credential.testing.Patience;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.signature.SendResult;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

/** What {@code credential.webhook.signers} says about sending, at a real receiver that signs its certificate itself. */
class SignerSendingTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef";
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";
    private static final String BUNDLE = "spring.ssl.bundle.jks.partner.";

    private static Path keyStore;

    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private final List<String> protocols = new CopyOnWriteArrayList<>();
    private HttpsServer receiver;

    @BeforeAll
    static void makeCertificate(@TempDir Path directory) throws IOException, InterruptedException {
        keyStore = directory.resolve("receiver.p12");
        Path log = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder((Path.of(System.getProperty("java.home"), "bin", "keytool")
                                + " -genkeypair -alias receiver -keyalg EC -dname CN=receiver -validity 2"
                                + " -ext SAN=dns:hooks.example.com -storetype PKCS12 -storepass changeit -keystore "
                                + keyStore)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(Patience.exitValue(keytool)).as(() -> read(log)).isZero();
    }

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        JksSslStoreDetails keys =
                JksSslStoreDetails.forLocation("file:" + keyStore).withPassword("changeit");
        receiver.setHttpsConfigurator(new HttpsConfigurator(
                SslBundle.of(new JksSslStoreBundle(keys, null)).createSslContext()));
        receiver.setExecutor(executor);
        receiver.createContext("/", this::answer);
        receiver.start();
    }

    @AfterEach
    void stopReceiver() {
        receiver.stop(0);
        executor.shutdownNow();
    }

    @Test
    void aSignerSendsToAReceiverThatItsBundleTrusts() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner").run(context -> {
            SendResult result = outbound(context).send(hook(), BODY);

            assertThat(result.status()).isEqualTo(200);
            assertThat(result.attempts()).isEqualTo(1);
            WebhookVerifier verifier = WebhookVerifier.builder()
                    .algorithm("hmac-sha3-512")
                    .key("v1", SECRET)
                    .build();
            assertThat(verifier.verify(BODY, Map.of("Webhook-Signature", signatures))
                            .kid())
                    .isEqualTo("v1");
        });
    }

    @Test
    void withoutABundleOnlyTheTrustOfTheJdkCounts() {
        runner().withPropertyValues(OUTBOUND + "retry.max-attempts=2").run(context -> {
            assertThat(failure(outbound(context), hook()).failure()).isEqualTo(Failure.TLS);
            assertThat(signatures).isEmpty();
        });
    }

    @Test
    void theVersionsOfTlsAreThoseOfTheBundle() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner", BUNDLE + "options.enabled-protocols=TLSv1.2")
                .run(context -> {
                    outbound(context).send(hook(), BODY);

                    assertThat(protocols).containsExactly("TLSv1.2");
                });
    }

    @Test
    void aSignerTriesAsOftenAsItIsTold() {
        answers.addAll(List.of(503, 503, 503, 503));
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner", OUTBOUND + "retry.max-attempts=5")
                .run(context -> {
                    assertThat(outbound(context).send(hook(), BODY).attempts()).isEqualTo(5);
                    assertThat(signatures).hasSize(5).doesNotHaveDuplicates();
                });
    }

    @Test
    void anAttemptTakesNoLongerThanTheRequestTimeout() {
        try (SignerHttp http = new SignerHttp(
                new Egress(onThisMachineToo(), HostResolver.system(), null, null),
                new StaticListableBeanFactory().getBeanProvider(SslBundles.class))) {
            Http configured = new Http(Duration.ofSeconds(5), Duration.ofMillis(1234), null);

            assertThat(http.sending(OUTBOUND + "http", configured).requestTimeout())
                    .isEqualTo(Duration.ofMillis(1234));
        }
    }

    /** The deadline of the request has no cause; a connection that takes too long has one. */
    @Test
    void connectingTakesNoLongerThanTheConnectTimeout() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            runner().withPropertyValues(
                            OUTBOUND + "http.connect-timeout=200ms",
                            OUTBOUND + "http.request-timeout=4s",
                            OUTBOUND + "retry.max-attempts=1")
                    .run(context -> assertThat(failure(outbound(context), hook(silent.getLocalPort())))
                            .hasCauseInstanceOf(IOException.class));
        }
    }

    @Test
    void aSignerSendsNothingOnceTheContextIsClosed() {
        WebhookSigner[] signer = new WebhookSigner[1];
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner").run(context -> {
            signer[0] = outbound(context);
            signer[0].send(hook(), BODY);
        });

        URI literal = URI.create("https://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
        assertThat(failure(signer[0], literal).failure()).isEqualTo(Failure.CLOSED);
    }

    @Test
    void unlessThePolicyIsTheApplicationsOwnAddressesOfThisMachineAreRefused() {
        StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
                .withPropertyValues(OUTBOUND + "keys.v1=" + SECRET)
                .run(context -> assertThat(catchThrowableOfType(
                                WebhookException.class,
                                () -> outbound(context).send(URI.create("https://127.0.0.1:1/"), BODY)))
                        .returns("webhook/unsafe-destination", WebhookException::code));
    }

    @Test
    void aBundleThatDoesNotExistStopsTheStart() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partnr").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription())
                    .isEqualTo("The property 'credential.webhook.signers.outbound.http.ssl-bundle' is 'partnr', but"
                            + " there is no SSL bundle of this name.");
            assertThat(analysis.getAction()).contains("spring.ssl.bundle.pem.partnr", "spring.ssl.bundle.jks.partnr");
        });
    }

    @Test
    void aBundleThatCannotBeReadStopsTheStart() {
        runner().withPropertyValues(
                        OUTBOUND + "http.ssl-bundle=partner",
                        BUNDLE + "truststore.location=file:" + keyStore + ".missing")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription())
                            .contains("'partner'", "'credential.webhook.signers.outbound.http.ssl-bundle'")
                            .doesNotContain("changeit");
                    assertThat(analysis.getAction()).contains("spring.ssl.bundle.jks.partner");
                });
    }

    private static ApplicationContextRunner runner() {
        return StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class, SslAutoConfiguration.class))
                .withBean(HostResolver.class, () -> host -> List.of(InetAddress.getLoopbackAddress()))
                .withBean(DestinationPolicy.class, SignerSendingTests::onThisMachineToo)
                .withPropertyValues(
                        OUTBOUND + "keys.v1=" + SECRET,
                        OUTBOUND + "retry.initial=1ms",
                        BUNDLE + "truststore.location=file:" + keyStore,
                        BUNDLE + "truststore.password=changeit");
    }

    private void answer(HttpExchange exchange) throws IOException {
        protocols.add(((HttpsExchange) exchange).getSSLSession().getProtocol());
        signatures.add(exchange.getRequestHeaders().getFirst("Webhook-Signature"));
        exchange.getRequestBody().readAllBytes();
        Integer status = answers.poll();
        exchange.sendResponseHeaders(status == null ? 200 : status, -1);
        exchange.close();
    }

    private URI hook() {
        return hook(receiver.getAddress().getPort());
    }

    private static URI hook(int port) {
        return URI.create("https://hooks.example.com:" + port + "/hook");
    }

    private static WebhookSigner outbound(ApplicationContext context) {
        return context.getBean(WebhookSigners.class).get("outbound");
    }

    /** Why sending failed in the end. */
    private static WebhookTransportException failure(WebhookSigner signer, URI url) {
        WebhookException thrown = catchThrowableOfType(WebhookException.class, () -> signer.send(url, BODY));
        assertThat(thrown.code()).isEqualTo("webhook/send-failed");
        return assertInstanceOf(WebhookTransportException.class, thrown.getCause());
    }

    private static DestinationPolicy onThisMachineToo() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
