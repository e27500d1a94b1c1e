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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.TaskScheduler;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.PlainCells;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.SelfSignedReceiver;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The dispatcher of an application that asks for it. */
class WebhookDispatcherAutoConfigurationTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String SECRET = "a secret of the tests, long enough";

    @TempDir
    private Path directory;

    @AutoClose
    private final TestThreads threads = new TestThreads();

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    /** Of an endpoint that hangs until the end of the test. */
    private final CompletableFuture<WebhookResponse> answer = new CompletableFuture<>();

    private Receiver receiver;

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void stop() {
        receiver.close();
        database.close();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withPropertyValues(
                        DISPATCHER + "enabled=true",
                        DISPATCHER + "allowed-cidrs=127.0.0.1",
                        DISPATCHER + "dispatch-wait=1m");
    }

    private void register(WebhookDispatcher dispatcher) {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", receiver.url(), SECRET, "order.created"));
    }

    private List<String> tables() {
        return JdbcClient.create(database.dataSource())
                .sql("select name from sqlite_master where type = 'table'")
                .query((row, number) -> row.getString(1))
                .list();
    }

    @Test
    void dispatchThenDeliversTheEventSigned() {
        runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            register(dispatcher);

            DispatchResult result = dispatcher.dispatch("order.created", Map.of("item", "kettle"));

            assertThat(result.delivered()).isEqualTo(1);
            assertThat(receiver.received()).singleElement().satisfies(webhook -> {
                assertThat(webhook.body()).isEqualTo("{\"item\":\"kettle\"}");
                assertThat(WebhookVerifier.builder()
                                .algorithm("hmac-sha3-512")
                                .key("v1", SECRET)
                                .build()
                                .verify(webhook.body().getBytes(StandardCharsets.UTF_8), webhook.headers())
                                .kid())
                        .isEqualTo("v1");
            });
        });
    }

    @Test
    void dispatcherWhenNotMentionedThenIsThere() {
        StarterRunner.unconfigured()
                .withPropertyValues(
                        "credential.api-keys.registries.live.prefix=bk",
                        "credential.keyring.location=file:" + StarterRunner.keyring(directory))
                .withBean(
                        "own",
                        DataSource.class,
                        database::dataSource,
                        definition -> definition.setDestroyMethodName(""))
                .run(context -> {
                    assertThat(context).hasSingleBean(WebhookDispatcher.class);
                    assertThat(tables()).contains("_credential_webhook_deliveries");
                    assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty();
                });
    }

    @Test
    void dispatcherWhenDisabledThenNoBeanTableOrThread() {
        runner().withPropertyValues(StarterRunner.NO_DISPATCHER).run(context -> {
            assertThat(context).doesNotHaveBean(WebhookDispatcher.class).doesNotHaveBean(DispatcherLifecycle.class);
            assertThat(tables())
                    .contains("_credential_api_keys")
                    .noneMatch(name -> name.startsWith("_credential_webhook"));
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void dispatcherWhenApplicationHasOneThenIsUsed() {
        WebhookDispatcher own = JdbcWebhookDispatcher.builder(database.database(), Keyring.generate(new SecureRandom()))
                .build();
        runner().withBean(WebhookDispatcher.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(WebhookDispatcher.class).doesNotHaveBean(DispatcherLifecycle.class);
            assertThat(context.getBean(WebhookDispatcher.class)).isSameAs(own);
            assertThat(tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void startWhenSchemaIsNoneThenCreatesNoTable() {
        database.migrate(JdbcApiKeyRegistries.SCHEMA);
        runner().withPropertyValues("credential.storage.schema=none").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
        });
    }

    @Test
    void declareSchemaWhenSchemaIsNoneThenCreatesTables() {
        database.migrate(JdbcApiKeyRegistries.SCHEMA);
        runner().withPropertyValues("credential.storage.schema=none").run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);

            dispatcher.declareSchema();
            dispatcher.declareSchema();

            register(dispatcher);
            assertThat(dispatcher.dispatch("order.created", "{}").deliveries()).hasSize(1);
            assertThat(tables()).contains("_credential_webhook_deliveries", "_credential_leases");
        });
    }

    @Test
    void dispatchWhenRequiredAudienceIsMissingThenRefused() {
        runner().withPropertyValues(DISPATCHER + "require-audience=true")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(
                                () -> context.getBean(WebhookDispatcher.class).dispatch("order.created", "{}"))
                        .withMessageContaining("audience")
                        .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code));
    }

    /** It returns at all: the attempt does not end before the test. */
    @Test
    void dispatchWhenEndpointHangsThenReturnsAfterTheWait() {
        runner().withPropertyValues(
                        DISPATCHER + "dispatch-wait=50ms",
                        DISPATCHER + "request-timeout=1h",
                        DISPATCHER + "claim-reclaim-after=2h")
                .withBean(WebhookTransport.class, () -> request -> answer)
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher);

                    assertThat(dispatcher.dispatch("order.created", "{}").deliveries())
                            .extracting(Delivery::status)
                            .containsExactly(DeliveryStatus.IN_FLIGHT);
                    endAttempt();
                });
    }

    /** The first node keeps its lease, and its attempt never ends: only the age of the claim counts. */
    @Test
    void claimWhenOlderThanReclaimAfterThenIsTakenOver() {
        runner().withPropertyValues(
                        DISPATCHER + "dispatch-wait=50ms",
                        DISPATCHER + "request-timeout=1h",
                        DISPATCHER + "claim-reclaim-after=2h")
                .withBean(WebhookTransport.class, () -> request -> answer)
                .run(first -> {
                    WebhookDispatcher dispatcher = first.getBean(WebhookDispatcher.class);
                    register(dispatcher);
                    String stale = deliveryId(dispatcher.dispatch("order.created", "{}"));

                    anHourLater("70m").run(second -> {
                        String fresh = deliveryId(
                                second.getBean(WebhookDispatcher.class).enqueue("order.created", "{}"));
                        Patience.until(() -> delivery(second, fresh).status() == DeliveryStatus.DELIVERED);
                        assertThat(delivery(second, stale).status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
                    });
                    anHourLater("50m")
                            .run(second ->
                                    Patience.until(() -> delivery(second, stale).status() == DeliveryStatus.DELIVERED));
                    endAttempt();
                });
    }

    /** The application waits for it before it stops. */
    private void endAttempt() {
        answer.complete(new WebhookResponse(200, "", null));
    }

    private ApplicationContextRunner anHourLater(String claimReclaimAfter) {
        return runner().withPropertyValues(DISPATCHER + "claim-reclaim-after=" + claimReclaimAfter)
                .withBean(
                        InstantSource.class,
                        () -> Clock.offset(Clock.systemUTC(), Duration.ofHours(1)),
                        StarterRunner.OUR_CLOCK);
    }

    private static String deliveryId(DispatchResult result) {
        return result.deliveries().get(0).deliveryId();
    }

    private static Delivery delivery(ApplicationContext context, String id) {
        return context.getBean(WebhookDispatcher.class).deliveries().get(id).orElseThrow();
    }

    @Test
    void validateWhenTablesAreMissingThenNamesTheirScripts() {
        database.migrate(JdbcApiKeyRegistries.SCHEMA);
        runner().withPropertyValues("credential.storage.schema=validate").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("not current", "V1__dispatcher.sql");
            assertThat(analysis.getAction()).contains("credential.storage.schema=migrate");
        });
        assertThat(tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
    }

    @Test
    void validateWhenTablesAreCurrentThenAccepts() {
        runner().run(context -> assertThat(context).hasNotFailed());
        runner().withPropertyValues("credential.storage.schema=validate")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void tablesWhenNamesAreConfiguredThenHaveThem() {
        runner().withPropertyValues(DISPATCHER + "endpoints-table=partners", DISPATCHER + "deliveries-table=outbox")
                .run(context -> {
                    register(context.getBean(WebhookDispatcher.class));
                    context.getBean(WebhookDispatcher.class).dispatch("order.created", "{}");
                    assertThat(tables()).contains("partners", "outbox").doesNotContain("_credential_webhook_endpoints");
                    assertThat(JdbcClient.create(database.dataSource())
                                    .sql("select count(*) from outbox")
                                    .query(Long.class)
                                    .single())
                            .isEqualTo(1);
                });
    }

    @Test
    void backgroundWorkWhenContextClosesThenEnds() {
        runner().run(context -> {
            assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty();
            context.close();
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void backgroundWorkWhenStoppedThenCanBeStartedAgain() {
        runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            Deliveries deliveries = dispatcher.deliveries();
            register(dispatcher);
            context.stop();
            LiveThreads.awaitNone("credential-webhook");

            String id = dispatcher
                    .enqueue("order.created", "{}")
                    .deliveries()
                    .get(0)
                    .deliveryId();
            assertThat(receiver.received()).isEmpty();
            context.start();

            Patience.until(() -> deliveries.get(id).orElseThrow().status() == DeliveryStatus.DELIVERED);
        });
    }

    @Test
    void dispatcherThenStopsBetweenServerAndDataSource() {
        // The phases of Boot's web server lifecycles, which are private to it.
        int stopsServer = SmartLifecycle.DEFAULT_PHASE - 2048;
        runner().run(context -> {
            assertThat(context.getBean(DispatcherLifecycle.class).getPhase()).isLessThan(stopsServer);
            assertThat(context.getBeanFactory().getDependentBeans("credentialDatabase"))
                    .contains("credentialWebhookDispatcher");
        });
    }

    @Test
    void backgroundWorkWhenBeansAreLazyThenStillRuns() {
        runner().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context ->
                        assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty());
    }

    @Test
    void deliveryWhenDueThenIsAttemptedByItself() {
        runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            register(dispatcher);
            dispatcher.enqueue("order.created", "{}");
            Patience.until(() -> receiver.received().size() >= 1);
        });
    }

    @Test
    void transportWhenApplicationHasOneThenIsUsed() {
        List<String> sent = new CopyOnWriteArrayList<>();
        WebhookTransport transport = request -> {
            sent.add(request.destination().uri().toString());
            return CompletableFuture.completedFuture(new WebhookResponse(200, "", null));
        };
        runner().withBean(WebhookTransport.class, () -> transport).run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            register(dispatcher);
            assertThat(dispatcher.dispatch("order.created", "{}").delivered()).isEqualTo(1);
            assertThat(sent).containsExactly(receiver.url());
            assertThat(receiver.received()).isEmpty();
        });
    }

    @Test
    void resolverWhenApplicationHasOneThenIsUsed() {
        HostResolver resolver = host -> List.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}));
        runner().withBean(HostResolver.class, () -> resolver).run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "shop", "http://shop.example.org:" + receiver.port() + "/hook", SECRET, "order.created"));
            assertThat(dispatcher.dispatch("order.created", "{}").delivered()).isEqualTo(1);
        });
    }

    @Test
    void auditSinkAndClockWhenApplicationHasThemThenAreUsed() {
        List<AuditEvent> events = new CopyOnWriteArrayList<>();
        MutableClock clock = MutableClock.atNewYear();
        runner().withBean(AuditSink.class, () -> events::add)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .run(context -> {
                    register(context.getBean(WebhookDispatcher.class));
                    assertThat(events).singleElement().satisfies(event -> {
                        assertThat(event.name()).isEqualTo("webhook.endpoint.register");
                        assertThat(event.time()).isEqualTo(clock.instant());
                    });
                });
    }

    @Test
    void registerEndpointWhenUnsafeThenRefusedUnlessAllowed() {
        runner().withPropertyValues(DISPATCHER + "allowed-cidrs=")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(() -> register(context.getBean(WebhookDispatcher.class)))
                        .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code));
        runner().withPropertyValues(DISPATCHER + "allowed-cidrs=", DISPATCHER + "allow-internal-destinations=true")
                .run(context -> register(context.getBean(WebhookDispatcher.class)));
        runner().withPropertyValues(DISPATCHER + "allowed-protocols=https")
                .run(context -> assertThatExceptionOfType(WebhookDispatcherException.class)
                        .isThrownBy(() -> register(context.getBean(WebhookDispatcher.class)))
                        .returns("webhook-dispatcher/unsafe-destination", WebhookDispatcherException::code));
    }

    @Test
    void dispatchWhenAttemptsAndSizeAreLimitedThenObeys() {
        receiver.close();
        runner().withPropertyValues(DISPATCHER + "max-attempts=1", DISPATCHER + "max-payload-size=2B")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher);
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
        runner().withPropertyValues(DISPATCHER + "signature-header=Shop-Signature")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    register(dispatcher);
                    dispatcher.dispatch("order.created", "{}");
                    assertThat(receiver.received())
                            .singleElement()
                            .satisfies(webhook -> assertThat(webhook.headers())
                                    .containsKey("Shop-signature")
                                    .doesNotContainKey("Webhook-signature"));
                });
    }

    @Test
    void deliveryWhenProxyIsConfiguredThenGoesThroughIt() throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(proxy), threads);
            runner().withPropertyValues(DISPATCHER + "proxy=http://127.0.0.1:" + proxy.getLocalPort())
                    .run(context -> {
                        WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                        register(dispatcher);
                        dispatcher.enqueue("order.created", "{}");
                        assertThat(Patience.get(asked)).isEqualTo("CONNECT 127.0.0.1:" + receiver.port() + " HTTP/1.1");
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
            runner().withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
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

    @Test
    void startWhenSslBundleDoesNotExistThenExplains() {
        runner().withPropertyValues(DISPATCHER + "ssl-bundle=partners").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains(DISPATCHER + "ssl-bundle", "'partners'");
            assertThat(analysis.getAction()).contains("spring.ssl.bundle");
        });
    }

    @Test
    void resealSecretsThenReadsPlainOnesOfNamedTableOnly() {
        runner().run(context -> {
            register(context.getBean(WebhookDispatcher.class));
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
        runner().withPropertyValues("credential.seal.allow-plain-migration=_credential_webhook_endpoints")
                .run(context -> assertThat(context.getBean(WebhookDispatcher.class)
                                .resealSecrets()
                                .resealed())
                        .isEqualTo(1));
    }

    @Test
    void contextThenGainsNoBeanOfACommonType() {
        runner().run(context -> assertThat(context)
                .doesNotHaveBean(TaskScheduler.class)
                .doesNotHaveBean(java.util.concurrent.Executor.class)
                .doesNotHaveBean(WebhookTransport.class)
                .doesNotHaveBean(HostResolver.class)
                .doesNotHaveBean(InstantSource.class));
    }
}
