package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.PlainCells;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.SelfSignedReceiver;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

import static io.credential.spring.autoconfigure.dispatcher.DispatcherApplication.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The properties and beans with which an application changes its dispatcher. */
class DispatcherCustomizationTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    @AutoClose
    private final TestThreads threads = new TestThreads();

    /** Of an endpoint that hangs until the end of the test. */
    private final CompletableFuture<WebhookResponse> answer = new CompletableFuture<>();

    @TempDir
    private Path directory;

    private DispatcherApplication application;

    @BeforeEach
    void prepare() throws IOException {
        application = new DispatcherApplication(directory);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void transportWhenApplicationHasOneThenIsUsed() {
        List<String> sent = new CopyOnWriteArrayList<>();
        WebhookTransport transport = request -> {
            sent.add(request.destination().uri().toString());
            return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
        };
        application.runner().withBean(WebhookTransport.class, () -> transport).run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            application.register(dispatcher);
            assertThat(dispatcher.dispatch("order.created", "{}").delivered()).isEqualTo(1);
            assertThat(sent).containsExactly(application.receiver.url());
            assertThat(application.receiver.received()).isEmpty();
        });
    }

    @Test
    void resolverWhenApplicationHasOneThenIsUsed() {
        HostResolver resolver = host -> List.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
        application.runner().withBean(HostResolver.class, () -> resolver).run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "shop",
                    "http://shop.example.org:" + application.receiver.port() + "/hook",
                    SECRET,
                    "order.created"));
            assertThat(dispatcher.dispatch("order.created", "{}").delivered()).isEqualTo(1);
        });
    }

    @Test
    void auditSinkAndClockWhenApplicationHasThemThenAreUsed() {
        List<AuditEvent> events = new CopyOnWriteArrayList<>();
        MutableClock clock = MutableClock.atNewYear();
        application
                .runner()
                .withBean(AuditSink.class, () -> events::add)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .run(context -> {
                    application.register(context.getBean(WebhookDispatcher.class));
                    assertThat(events).singleElement().satisfies(event -> {
                        assertThat(event.name()).isEqualTo("webhook.endpoint.register");
                        assertThat(event.time()).isEqualTo(clock.instant());
                    });
                });
    }

    @Test
    void registerEndpointWhenUnsafeThenRefusedUnlessAllowed() {
        application
                .runner()
                .withPropertyValues(DISPATCHER + "allowed-cidrs=")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(() -> application.register(context.getBean(WebhookDispatcher.class)))
                        .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code));
        application
                .runner()
                .withPropertyValues(DISPATCHER + "allowed-cidrs=", DISPATCHER + "allow-internal-destinations=true")
                .run(context -> application.register(context.getBean(WebhookDispatcher.class)));
        application
                .runner()
                .withPropertyValues(DISPATCHER + "allowed-protocols=https")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(() -> application.register(context.getBean(WebhookDispatcher.class)))
                        .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code));
    }

    @Test
    void dispatchWhenRequiredAudienceIsMissingThenRefused() {
        application
                .runner()
                .withPropertyValues(DISPATCHER + "require-audience=true")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(
                                () -> context.getBean(WebhookDispatcher.class).dispatch("order.created", "{}"))
                        .withMessageContaining("audience")
                        .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code));
    }

    @Test
    void dispatchWhenAttemptsAndSizeAreLimitedThenObeys() {
        application.receiver.close();
        application
                .runner()
                .withPropertyValues(DISPATCHER + "max-attempts=1", DISPATCHER + "max-payload-size=2B")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    application.register(dispatcher);
                    assertThat(dispatcher
                                    .dispatch("order.created", "{}")
                                    .deliveries()
                                    .get(0)
                                    .status())
                            .isEqualTo(DeliveryStatus.DEAD);
                    assertThatExceptionOfType(WebhookDispatcherException.class)
                            .isThrownBy(() -> dispatcher.dispatch("order.created", "[1]"))
                            .returns("webhook-dispatcher/payload-too-large", WebhookDispatcherException::code);
                });
    }

    @Test
    void signatureWhenHeaderIsConfiguredThenTravelsInIt() {
        application
                .runner()
                .withPropertyValues(DISPATCHER + "signature-header=Shop-Signature")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    application.register(dispatcher);
                    dispatcher.dispatch("order.created", "{}");
                    assertThat(application.receiver.received())
                            .singleElement()
                            .satisfies(webhook -> assertThat(webhook.headers())
                                    .containsKey("Shop-signature")
                                    .doesNotContainKey("Webhook-signature"));
                });
    }

    @Test
    void requestWhenHeadersAreNamedThenHasThem() {
        application
                .runner()
                .withPropertyValues(
                        DISPATCHER + "headers.delivery-id=X-Delivery",
                        DISPATCHER + "headers.event-id=X-Event",
                        DISPATCHER + "headers.event-type=X-Topic",
                        DISPATCHER + "headers.attempt=",
                        DISPATCHER + "user-agent=shop/7")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    application.register(dispatcher);
                    Delivery delivery = dispatcher
                            .dispatch("order.created", "{}")
                            .deliveries()
                            .get(0);
                    assertThat(application.receiver.received())
                            .singleElement()
                            .satisfies(webhook -> assertThat(webhook.headers())
                                    .containsEntry("X-delivery", List.of(delivery.deliveryId()))
                                    .containsEntry("X-event", List.of(delivery.eventId()))
                                    .containsEntry("X-topic", List.of("order.created"))
                                    .containsEntry("User-agent", List.of("shop/7"))
                                    .doesNotContainKey("X-webhook-attempt"));
                });
    }

    /** It returns at all: the attempt does not end before the test. */
    @Test
    void dispatchWhenEndpointHangsThenReturnsAfterTheWait() {
        hanging().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            application.register(dispatcher);

            assertThat(dispatcher.dispatch("order.created", "{}").deliveries())
                    .extracting(Delivery::status)
                    .containsExactly(DeliveryStatus.IN_FLIGHT);
            endAttempt();
        });
    }

    /** The first node keeps its lease, and its attempt never ends: only the age of the claim counts. */
    @Test
    void claimWhenOlderThanReclaimAfterThenIsTakenOver() {
        hanging().run(first -> {
            WebhookDispatcher dispatcher = first.getBean(WebhookDispatcher.class);
            application.register(dispatcher);
            String stale = deliveryId(dispatcher.dispatch("order.created", "{}"));

            anHourLater("70m").run(second -> {
                String fresh =
                        deliveryId(second.getBean(WebhookDispatcher.class).enqueue("order.created", "{}"));
                Patience.until(() -> delivery(second, fresh).status() == DeliveryStatus.DELIVERED);
                assertThat(delivery(second, stale).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
            });
            anHourLater("50m")
                    .run(second -> Patience.until(() -> delivery(second, stale).status() == DeliveryStatus.DELIVERED));
            endAttempt();
        });
    }

    /** An application whose endpoint does not answer, with an attempt that does not time out. */
    private ApplicationContextRunner hanging() {
        return application
                .runner()
                .withPropertyValues(
                        DISPATCHER + "dispatch-wait=50ms",
                        DISPATCHER + "request-timeout=1h",
                        DISPATCHER + "claim-reclaim-after=2h")
                .withBean(WebhookTransport.class, () -> request -> answer);
    }

    /** The application waits for it before it stops. */
    private void endAttempt() {
        answer.complete(new WebhookResponse(200, "", null));
    }

    private ApplicationContextRunner anHourLater(String claimReclaimAfter) {
        return application
                .runner()
                .withPropertyValues(DISPATCHER + "claim-reclaim-after=" + claimReclaimAfter)
                .withBean(
                        InstantSource.class,
                        () -> Clock.offset(Clock.systemUTC(), Duration.ofHours(1)),
                        StarterRunner.OUR_CLOCK);
    }

    @Test
    void deliveryWhenProxyIsConfiguredThenGoesThroughIt() throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(proxy), threads);
            application
                    .runner()
                    .withPropertyValues(DISPATCHER + "proxy=http://127.0.0.1:" + proxy.getLocalPort())
                    .run(context -> {
                        WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                        application.register(dispatcher);
                        dispatcher.enqueue("order.created", "{}");
                        assertThat(Patience.get(asked))
                                .isEqualTo("CONNECT 127.0.0.1:" + application.receiver.port() + " HTTP/1.1");
                    });
        }
    }

    /** Of what the first client sends; it is then left without an answer. */
    private static String firstLine(ServerSocket server) {
        try (Socket client = server.accept()) {
            return new java.io.BufferedReader(
                            new java.io.InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void dispatchWhenSslBundleTrustsReceiverThenDelivered() throws IOException {
        Path keyStore = SelfSignedReceiver.keyStore(directory);
        try (SelfSignedReceiver trusted = new SelfSignedReceiver(keyStore)) {
            application
                    .runner()
                    .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                    .withBean(HostResolver.class, () -> host -> List.of(InetAddress.getLoopbackAddress()))
                    .withPropertyValues(SelfSignedReceiver.bundle(keyStore))
                    .withPropertyValues(DISPATCHER + "ssl-bundle=partner")
                    .run(context -> {
                        WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                        dispatcher.registerEndpoint(
                                EndpointRegistration.of("shop", trusted.url().toString(), SECRET, "order.created"));

                        String id = deliveryId(dispatcher.dispatch("order.created", "{}"));
                        Patience.until(() -> delivery(context, id).status() == DeliveryStatus.DELIVERED);
                    });
        }
    }

    private static String deliveryId(DispatchResult result) {
        return result.deliveries().get(0).deliveryId();
    }

    private static Delivery delivery(ApplicationContext context, String id) {
        return context.getBean(WebhookDispatcher.class).deliveries().get(id).orElseThrow();
    }

    @Test
    void startWhenSslBundleDoesNotExistThenExplains() {
        application
                .runner()
                .withPropertyValues(DISPATCHER + "ssl-bundle=partners")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains(DISPATCHER + "ssl-bundle", "'partners'");
                    assertThat(analysis.getAction()).contains("spring.ssl.bundle");
                });
    }

    @Test
    void resealSecretsThenReadsPlainOnesOfNamedTableOnly() {
        application.runner().run(context -> {
            application.register(context.getBean(WebhookDispatcher.class));
            context.getBean(CredentialDatabase.class)
                    .jdbc()
                    .sql("update _credential_webhook_endpoints set secret = :plain")
                    .param(
                            "plain",
                            PlainCells.seal(
                                    context.getBean(Keyring.class),
                                    SECRET.getBytes(StandardCharsets.UTF_8),
                                    new SecureRandom()))
                    .update();
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> context.getBean(WebhookDispatcher.class).resealSecrets())
                    .returns("webhook-dispatcher/reseal-window-closed", WebhookDispatcherException::code);
        });
        application
                .runner()
                .withPropertyValues("credential.seal.allow-plain-migration=_credential_webhook_endpoints")
                .run(context -> assertThat(context.getBean(WebhookDispatcher.class)
                                .resealSecrets()
                                .resealed())
                        .isEqualTo(1));
    }
}
