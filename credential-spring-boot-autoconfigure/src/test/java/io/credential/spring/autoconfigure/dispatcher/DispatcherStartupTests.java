package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.TaskScheduler;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.signature.WebhookVerifier;

import static io.credential.spring.autoconfigure.dispatcher.DispatcherApplication.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

/** Which bean, tables and threads an application gets with the dispatcher, and when it loses them. */
class DispatcherStartupTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

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
    void dispatchThenDeliversTheEventSigned() {
        application.runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            application.register(dispatcher);

            DispatchResult result = dispatcher.dispatch("order.created", Map.of("item", "kettle"));

            assertThat(result.delivered()).isEqualTo(1);
            assertThat(application.receiver.received()).singleElement().satisfies(webhook -> {
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
                        application.database::dataSource,
                        definition -> definition.setDestroyMethodName(""))
                .run(context -> {
                    assertThat(context).hasSingleBean(WebhookDispatcher.class);
                    assertThat(application.tables()).contains("_credential_webhook_deliveries");
                    assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty();
                });
    }

    @Test
    void dispatcherWhenDisabledThenNoBeanTableOrThread() {
        application.runner().withPropertyValues(DISPATCHER + "enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(WebhookDispatcher.class).doesNotHaveBean(DispatcherLifecycle.class);
            assertThat(application.tables())
                    .contains("_credential_api_keys")
                    .noneMatch(name -> name.startsWith("_credential_webhook"));
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void dispatcherWhenApplicationHasOneThenIsUsed() {
        WebhookDispatcher own = JdbcWebhookDispatcher.builder(
                        application.database.database(), Keyring.generate(new SecureRandom()))
                .build();
        application.runner().withBean(WebhookDispatcher.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(WebhookDispatcher.class).doesNotHaveBean(DispatcherLifecycle.class);
            assertThat(context.getBean(WebhookDispatcher.class)).isSameAs(own);
            assertThat(application.tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void contextThenGainsNoBeanOfACommonType() {
        application
                .runner()
                .run(context -> assertThat(context)
                        .doesNotHaveBean(TaskScheduler.class)
                        .doesNotHaveBean(java.util.concurrent.Executor.class)
                        .doesNotHaveBean(WebhookTransport.class)
                        .doesNotHaveBean(HostResolver.class)
                        .doesNotHaveBean(InstantSource.class));
    }

    @Test
    void startWhenSchemaIsNoneThenCreatesNoTable() {
        application.database.migrate(JdbcApiKeyRegistries.SCHEMA);
        application
                .runner()
                .withPropertyValues("credential.storage.schema=none")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(application.tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
                });
    }

    @Test
    void declareSchemaWhenSchemaIsNoneThenCreatesTables() {
        application.database.migrate(JdbcApiKeyRegistries.SCHEMA);
        application
                .runner()
                .withPropertyValues("credential.storage.schema=none")
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);

                    dispatcher.declareSchema();
                    dispatcher.declareSchema();

                    application.register(dispatcher);
                    assertThat(dispatcher.dispatch("order.created", "{}").deliveries())
                            .hasSize(1);
                    assertThat(application.tables()).contains("_credential_webhook_deliveries", "_credential_leases");
                });
    }

    @Test
    void validateWhenTablesAreMissingThenNamesTheirScripts() {
        application.database.migrate(JdbcApiKeyRegistries.SCHEMA);
        application
                .runner()
                .withPropertyValues("credential.storage.schema=validate")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("not current", "V1__dispatcher.sql");
                    assertThat(analysis.getAction()).contains("credential.storage.schema=migrate");
                });
        assertThat(application.tables()).noneMatch(name -> name.startsWith("_credential_webhook"));
    }

    @Test
    void validateWhenTablesAreCurrentThenAccepts() {
        application.runner().run(context -> assertThat(context).hasNotFailed());
        application
                .runner()
                .withPropertyValues("credential.storage.schema=validate")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void tablesWhenNamesAreConfiguredThenHaveThem() {
        application
                .runner()
                .withPropertyValues(DISPATCHER + "endpoints-table=partners", DISPATCHER + "deliveries-table=outbox")
                .run(context -> {
                    application.register(context.getBean(WebhookDispatcher.class));
                    context.getBean(WebhookDispatcher.class).dispatch("order.created", "{}");
                    assertThat(application.tables())
                            .contains("partners", "outbox")
                            .doesNotContain("_credential_webhook_endpoints");
                    assertThat(JdbcClient.create(application.database.dataSource())
                                    .sql("select count(*) from outbox")
                                    .query(Long.class)
                                    .single())
                            .isEqualTo(1);
                });
    }

    @Test
    void backgroundWorkWhenContextClosesThenEnds() {
        application.runner().run(context -> {
            assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty();
            context.close();
            LiveThreads.awaitNone("credential-webhook");
        });
    }

    @Test
    void backgroundWorkWhenStoppedThenCanBeStartedAgain() {
        application.runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            Deliveries deliveries = dispatcher.deliveries();
            application.register(dispatcher);
            context.stop();
            LiveThreads.awaitNone("credential-webhook");

            String id = dispatcher
                    .enqueue("order.created", "{}")
                    .deliveries()
                    .get(0)
                    .deliveryId();
            assertThat(application.receiver.received()).isEmpty();
            context.start();

            Patience.until(() -> deliveries.get(id).orElseThrow().status() == DeliveryStatus.DELIVERED);
        });
    }

    @Test
    void backgroundWorkWhenBeansAreLazyThenStillRuns() {
        application
                .runner()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context ->
                        assertThat(LiveThreads.named("credential-webhook-loop")).isNotEmpty());
    }

    @Test
    void deliveryWhenDueThenIsAttemptedByItself() {
        application.runner().run(context -> {
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            application.register(dispatcher);
            dispatcher.enqueue("order.created", "{}");
            Patience.until(() -> application.receiver.received().size() >= 1);
        });
    }

    @Test
    void dispatcherThenStopsBetweenServerAndDataSource() {
        // The phases of Boot's web server lifecycles, which are private to it.
        int stopsServer = SmartLifecycle.DEFAULT_PHASE - 2048;
        application.runner().run(context -> {
            assertThat(context.getBean(DispatcherLifecycle.class).getPhase()).isLessThan(stopsServer);
            assertThat(context.getBeanFactory().getDependentBeans("credentialDatabase"))
                    .contains("credentialWebhookDispatcher");
        });
    }
}
