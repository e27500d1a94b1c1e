package io.credential.spring.autoconfigure.sender;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.SelfSignedReceiver;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.webhook.WebhookException;
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
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

/** What {@code credential.webhook.signers} says about sending, at a real receiver that signs its certificate itself. */
class WebhookSenderAutoConfigurationTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef";
    private static final String OUTBOUND = "credential.webhook.signers.outbound.";
    private static final String BUNDLE = "spring.ssl.bundle.jks.partner.";

    private static Path keyStore;

    private SelfSignedReceiver receiver;

    @BeforeAll
    static void makeCertificate(@TempDir Path directory) throws IOException {
        keyStore = SelfSignedReceiver.keyStore(directory);
    }

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = new SelfSignedReceiver(keyStore);
    }

    @AfterEach
    void stopReceiver() {
        receiver.close();
    }

    @Test
    void sendWhenBundleTrustsReceiverThenSucceeds() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner").run(context -> {
            SendResult result = send(context, receiver.url());

            assertThat(result.status()).isEqualTo(200);
            assertThat(result.attempts()).isEqualTo(1);
            WebhookVerifier verifier = WebhookVerifier.builder()
                    .algorithm("hmac-sha3-512")
                    .key("v1", SECRET)
                    .build();
            assertThat(verifier.verify(BODY, Map.of("Webhook-Signature", receiver.signatures()))
                            .kid())
                    .isEqualTo("v1");
        });
    }

    @Test
    void sendWhenUserIsKnownThenEventsNameActorAndOrigin() {
        List<AuditEvent> audited = new CopyOnWriteArrayList<>();
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr("203.0.113.7");
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("admin", "none", "ROLE_ADMIN"));
        try {
            runner().withBean(AuditSink.class, () -> audited::add)
                    .withPropertyValues(OUTBOUND + "http.ssl-bundle=partner", OUTBOUND + "audit-success=true")
                    .run(context -> {
                        outbound(context).headers(BODY);
                        send(context, receiver.url());
                        AuditQueues.drain(context);

                        assertThat(audited)
                                .extracting(
                                        AuditEvent::name,
                                        AuditEvent::actor,
                                        event -> event.origin().clientAddress())
                                .containsExactly(
                                        tuple("webhook.sign", "admin", "203.0.113.7"),
                                        tuple("webhook.send", "admin", "203.0.113.7"));
                    });
        } finally {
            RequestContextHolder.resetRequestAttributes();
            SecurityContextHolder.clearContext();
        }
    }

    @Test
    void sendWhenThereIsNoBundleThenTlsFails() {
        runner().withPropertyValues(OUTBOUND + "retry.max-attempts=2").run(context -> {
            assertThat(failure(context, receiver.url()).failure()).isEqualTo(Failure.TLS);
            assertThat(receiver.signatures()).isEmpty();
        });
    }

    @Test
    void sendWhenBundleLimitsTlsThenUsesItsVersions() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner", BUNDLE + "options.enabled-protocols=TLSv1.2")
                .run(context -> {
                    send(context, receiver.url());

                    assertThat(receiver.protocols()).containsExactly("TLSv1.2");
                });
    }

    @Test
    void sendWhenReceiverFailsThenTriesAsOftenAsConfigured() {
        receiver.answerNext(List.of(503, 503, 503, 503));
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner", OUTBOUND + "retry.max-attempts=5")
                .run(context -> {
                    assertThat(send(context, receiver.url()).attempts()).isEqualTo(5);
                    assertThat(receiver.signatures()).hasSize(5).doesNotHaveDuplicates();
                });
    }

    @Test
    void sendWhenRequestTimeoutIsConfiguredThenHasNoMore() {
        List<Duration> timeouts = new CopyOnWriteArrayList<>();
        WebhookTransport transport = request -> {
            timeouts.add(request.timeout());
            return CompletableFuture.completedFuture(new WebhookResponse(204, "", null));
        };
        runner().withBean(WebhookTransport.class, () -> transport)
                .withPropertyValues(OUTBOUND + "http.request-timeout=7s")
                .run(context -> {
                    send(context, receiver.url());

                    assertThat(timeouts)
                            .singleElement()
                            .satisfies(timeout -> assertThat(timeout).isLessThanOrEqualTo(Duration.ofSeconds(7)));
                });
    }

    /** The deadline of the request has no cause; a connection that takes too long has one. */
    @Test
    void sendWhenConnectTimeoutPassesThenFails() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            runner().withPropertyValues(
                            OUTBOUND + "http.connect-timeout=200ms",
                            OUTBOUND + "http.request-timeout=5m",
                            OUTBOUND + "retry.max-attempts=1")
                    .run(context -> assertThat(failure(context, hook(silent.getLocalPort())))
                            .hasCauseInstanceOf(IOException.class));
        }
    }

    @Test
    void sendWhenContextIsClosedThenFails() {
        WebhookSender[] sender = new WebhookSender[1];
        WebhookSigner[] signer = new WebhookSigner[1];
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partner").run(context -> {
            sender[0] = context.getBean(WebhookSender.class);
            signer[0] = outbound(context);
            send(context, receiver.url());
        });

        URI literal = URI.create("https://127.0.0.1:" + receiver.port() + "/hook");
        assertThat(failure(() -> sender[0].send(signer[0], literal, BODY)).failure())
                .isEqualTo(Failure.CLOSED);
    }

    @Test
    void sendWhenPolicyIsDefaultThenThisMachineIsRefused() {
        StarterRunner.bare()
                .withConfiguration(
                        AutoConfigurations.of(WebhookAutoConfiguration.class, WebhookSenderAutoConfiguration.class))
                .withPropertyValues(OUTBOUND + "keys.v1=" + SECRET)
                .run(context -> assertThat(catchThrowableOfType(
                                WebhookException.class, () -> send(context, URI.create("https://127.0.0.1:1/"))))
                        .returns("webhook/unsafe-destination", WebhookException::code));
    }

    @Test
    void sendWhenSignerIsOfTheApplicationThenUsesSharedHttp() {
        WebhookTransport transport = request -> CompletableFuture.completedFuture(new WebhookResponse(204, "", null));
        WebhookSigner signer = WebhookSigner.builder()
                .name("own")
                .algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .build();
        runner().withBean(WebhookTransport.class, () -> transport)
                .run(context -> assertThat(context.getBean(WebhookSender.class)
                                .send(signer, receiver.url(), BODY)
                                .status())
                        .isEqualTo(204));
    }

    @Test
    void startWhenApplicationHasASenderThenNoOther() {
        try (WebhookSender sender = WebhookSender.builder().build()) {
            runner().withBean(WebhookSender.class, () -> sender)
                    .run(context ->
                            assertThat(context).getBean(WebhookSender.class).isSameAs(sender));
        }
    }

    @Test
    void startWhenLibraryOfHttpIsMissingThenSignsOnly() {
        runner().withClassLoader(new FilteredClassLoader(WebhookSender.class)).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean("credentialWebhookSender");
            assertThat(outbound(context).headers(BODY)).isNotEmpty();
        });
    }

    @Test
    void startWhenBundleDoesNotExistThenFails() {
        runner().withPropertyValues(OUTBOUND + "http.ssl-bundle=partnr").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription())
                    .isEqualTo("The property 'credential.webhook.signers.outbound.http.ssl-bundle' is 'partnr', but"
                            + " there is no SSL bundle with this name.");
            assertThat(analysis.getAction()).contains("spring.ssl.bundle.pem.partnr", "spring.ssl.bundle.jks.partnr");
        });
    }

    @Test
    void startWhenBundleCannotBeReadThenFails() {
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
                .withConfiguration(AutoConfigurations.of(
                        WebhookAutoConfiguration.class,
                        WebhookSenderAutoConfiguration.class,
                        SslAutoConfiguration.class))
                .withBean(HostResolver.class, () -> host -> List.of(InetAddress.getLoopbackAddress()))
                .withBean(DestinationPolicy.class, WebhookSenderAutoConfigurationTests::onThisMachineToo)
                .withPropertyValues(OUTBOUND + "keys.v1=" + SECRET, OUTBOUND + "retry.initial=1ms")
                .withPropertyValues(OUTBOUND + "http.connect-timeout=5m", OUTBOUND + "http.request-timeout=5m")
                .withPropertyValues(SelfSignedReceiver.bundle(keyStore));
    }

    private static URI hook(int port) {
        return URI.create("https://hooks.example.com:" + port + "/hook");
    }

    private static WebhookSigner outbound(ApplicationContext context) {
        return context.getBean(WebhookSigners.class).get("outbound");
    }

    private static SendResult send(ApplicationContext context, URI url) {
        return context.getBean(WebhookSender.class).send(outbound(context), url, BODY);
    }

    private static WebhookTransportException failure(ApplicationContext context, URI url) {
        return failure(() -> send(context, url));
    }

    /** Why sending failed in the end. */
    private static WebhookTransportException failure(ThrowingCallable send) {
        WebhookException thrown = catchThrowableOfType(WebhookException.class, send);
        assertThat(thrown.code()).isEqualTo("webhook/send-failed");
        return assertInstanceOf(WebhookTransportException.class, thrown.getCause());
    }

    private static DestinationPolicy onThisMachineToo() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }
}
