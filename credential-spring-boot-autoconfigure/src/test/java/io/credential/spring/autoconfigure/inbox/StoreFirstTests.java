package io.credential.spring.autoconfigure.inbox;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.Filter;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.spring.webhook.OnWebhook;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.Patience;
import io.credential.webhook.inbox.InboxQuery;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;
import io.credential.webhook.signature.VerifiedWebhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** Webhooks that are stored before they are processed by methods of the application. */
@ExtendWith(OutputCaptureExtension.class)
class StoreFirstTests {

    private static final String SECRET = "a secret of the tests, long enough";
    private static final String SENDER = "credential.webhook.inbound.github.";
    private static final String PUSH = "{\"ref\":\"refs/heads/main\"}";

    private final WebApplicationContextRunner bare = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    CredentialAutoConfiguration.class,
                    LocalSqliteAutoConfiguration.class,
                    CredentialDatabaseAutoConfiguration.class,
                    AuditAutoConfiguration.class,
                    WebhookAutoConfiguration.class,
                    WebhookInboxAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class))
            .withPropertyValues(
                    StarterRunner.NO_DISPATCHER,
                    SENDER + "scheme=github",
                    SENDER + "paths=/hooks/github",
                    SENDER + "keys.v1=" + SECRET);

    private final WebApplicationContextRunner runner;

    StoreFirstTests(@TempDir Path directory) {
        runner = bare.withPropertyValues(
                "credential.storage.path=" + directory.resolve("inbox.db"), SENDER + "store-first=true");
    }

    @Test
    void hookWhenVerifiedThenAnsweredAndProcessed() {
        runner.withUserConfiguration(Pushes.class).run(context -> {
            MockHttpServletResponse response = post(context, "push", PUSH);

            assertThat(response.getStatus()).isEqualTo(202);
            Received received = next(context.getBean(Pushes.class).received);
            assertThat(received.push().ref()).isEqualTo("refs/heads/main");
            assertThat(received.text()).isEqualTo(PUSH);
            assertThat(received.bytes()).isEqualTo(PUSH.length());
            assertThat(received.webhook().sender()).isEqualTo("github");
            assertThat(received.webhook().type()).isEqualTo("push");
            Patience.until(() -> find(context, InboxStatus.PROCESSED).size() == 1);
        });
    }

    @Test
    void hookWhenBeansAreLazyThenProcessed() {
        runner.withUserConfiguration(Pushes.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(post(context, "push", PUSH).getStatus()).isEqualTo(202);

                    Patience.until(() -> find(context, InboxStatus.PROCESSED).size() == 1);
                });
    }

    @Test
    void hookWhenRepeatedThenAnsweredAndProcessedOnce() {
        runner.withUserConfiguration(Pushes.class).run(context -> {
            assertThat(post(context, "push", PUSH).getStatus()).isEqualTo(202);
            Patience.until(() -> find(context, InboxStatus.PROCESSED).size() == 1);

            assertThat(post(context, "push", PUSH).getStatus()).isEqualTo(202);

            assertThat(find(context, InboxStatus.PENDING)).isEmpty();
            assertThat(context.getBean(Pushes.class).received).hasSize(1);
        });
    }

    @Test
    void hookWhenForgedThenRefused() {
        runner.withUserConfiguration(Pushes.class).run(context -> {
            MockHttpServletRequest request = request("push", PUSH);
            request.setContent("{}".getBytes(UTF_8));

            assertThat(filter(context, request).getStatus()).isEqualTo(401);

            assertThat(find(context, InboxStatus.PENDING)).isEmpty();
        });
    }

    @Test
    void hookWhenNoMethodIsForItsTypeThenNotStored() {
        runner.withUserConfiguration(Pushes.class).run(context -> {
            assertThat(post(context, "issues", "{}").getStatus()).isEqualTo(202);

            assertThat(find(context, InboxStatus.PENDING)).isEmpty();
            assertThat(find(context, InboxStatus.PROCESSED)).isEmpty();
        });
    }

    @Test
    void hookWhenAMethodIsForTheRestThenItGetsIt() {
        runner.withUserConfiguration(Pushes.class, Rest.class).run(context -> {
            post(context, "issues", "{}");

            assertThat(next(context.getBean(Rest.class).received).type()).isEqualTo("issues");
        });
    }

    /** Its body can then be ambiguous: an operator must see it. */
    @Test
    void hookWhenItHasNoTypeThenStoredAndDead() {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues("credential.webhook.inbox.max-attempts=1")
                .run(context -> {
                    MockHttpServletRequest request = request("push", PUSH);
                    request.removeHeader("X-GitHub-Event");

                    assertThat(filter(context, request).getStatus()).isEqualTo(202);

                    Patience.until(() -> find(context, InboxStatus.DEAD).size() == 1);
                });
    }

    /** The type is not signed. */
    @Test
    void hookWhenTypesOfOneBodyAreNamedThenEachIsProcessed() {
        runner.withUserConfiguration(SecondPushes.class).run(context -> {
            post(context, "push", PUSH);
            post(context, "ping", PUSH);
            post(context, "ping", PUSH);

            Patience.until(() -> find(context, InboxStatus.PROCESSED).size() == 2);
        });
    }

    @Test
    void hookWhenTypesOfOneBodyAreInventedThenOnce() {
        runner.withUserConfiguration(Rest.class).run(context -> {
            post(context, "issues", PUSH);
            Patience.until(() -> find(context, InboxStatus.PROCESSED).size() == 1);

            post(context, "invented", PUSH);

            assertThat(find(context, InboxStatus.PENDING)).isEmpty();
        });
    }

    @Test
    void methodWhenTheBodyDoesNotFitThenLogsNothingOfIt(CapturedOutput output) {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues("credential.webhook.inbox.max-attempts=1")
                .run(context -> {
                    post(context, "push", "{\"ref\":{\"secret\":\"hunter2\"}}");

                    Patience.until(() -> find(context, InboxStatus.DEAD).size() == 1);
                    assertThat(find(context, InboxStatus.DEAD).get(0).lastError())
                            .isEqualTo(IllegalArgumentException.class.getName());
                });
        assertThat(output).contains("Push", "ref").doesNotContain("hunter2");
    }

    @Test
    void hookWhenItCannotBeStoredThen503() {
        runner.withUserConfiguration(Pushes.class).run(context -> {
            context.getBean(CredentialDatabase.class)
                    .jdbc()
                    .sql("ALTER TABLE _credential_webhook_inbox RENAME TO elsewhere")
                    .update();

            MockHttpServletResponse response = post(context, "push", PUSH);

            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(response.getContentAsString()).contains("webhook/unavailable");
        });
    }

    @Test
    void methodWhenItFailsThenRolledBackAndDeadInTheEnd() {
        runner.withUserConfiguration(Failing.class)
                .withPropertyValues(
                        "credential.webhook.inbox.max-attempts=2", "credential.webhook.inbox.retry-backoff.initial=1ms")
                .run(context -> {
                    post(context, "push", PUSH);

                    Patience.until(() -> find(context, InboxStatus.DEAD).size() == 1);
                    StoredWebhook dead = find(context, InboxStatus.DEAD).get(0);
                    assertThat(dead.attempts()).isEqualTo(2);
                    assertThat(dead.lastError()).isEqualTo(IllegalStateException.class.getName());
                    assertThat(context.getBean(CredentialDatabase.class).hasTable("half_done"))
                            .isFalse();
                });
    }

    @Test
    void metricsThenCountAttemptsAndBacklog() {
        runner.withUserConfiguration(Failing.class)
                .withPropertyValues("credential.webhook.inbox.max-attempts=1")
                .run(context -> {
                    MeterRegistry registry = new SimpleMeterRegistry();
                    post(context, "push", PUSH);
                    Patience.until(() -> find(context, InboxStatus.DEAD).size() == 1);
                    context.getBean("credentialInboxMetrics", MeterBinder.class).bindTo(registry);

                    Patience.until(() -> registry.get("credential.webhook.inbox.webhooks")
                                    .tag("status", "dead")
                                    .gauge()
                                    .value()
                            == 1);
                    assertThat(registry.get("credential.webhook.inbox.webhooks")
                                    .tag("status", "pending")
                                    .gauge()
                                    .value())
                            .isZero();
                    assertThat(registry.get("credential.webhook.inbox.oldest.due.age")
                                    .gauge()
                                    .value())
                            .isZero();
                    assertThat(registry.get("credential.webhook.inbox.attempts")
                                    .tag("outcome", "failed")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void startWhenNoMethodIsForTheSenderThenFails() {
        runner.run(context -> assertThat(Analyses.of(context.getStartupFailure()))
                .satisfies(analysis -> {
                    assertThat(analysis.getDescription()).contains("[github]");
                    assertThat(analysis.getAction()).contains("@OnWebhook(\"github\")", "store-first");
                }));
    }

    @Test
    void startWhenTheSenderIsUnknownThenFails() {
        runner.withUserConfiguration(Pushes.class, Misspelt.class)
                .run(context -> assertThat(Analyses.of(context.getStartupFailure()))
                        .satisfies(analysis -> {
                            assertThat(analysis.getDescription()).contains("Misspelt.on", "'gitbub'");
                            assertThat(analysis.getAction()).contains("[github]");
                        }));
    }

    @Test
    void startWhenTheSenderIsNotStoredFirstThenFails() {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues(
                        "credential.webhook.inbox.enabled=true",
                        SENDER + "store-first=false",
                        SENDER + "allow-unmapped=true")
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getAction())
                        .contains("credential.webhook.inbound.github.store-first"));
    }

    @Test
    void startWhenTwoMethodsAreForOneTypeThenFails() {
        runner.withUserConfiguration(Pushes.class, SecondPushes.class)
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("Pushes.on", "SecondPushes.on", "'github'"));
    }

    @Test
    void startWhenAMethodHasTwoPayloadsThenFails() {
        runner.withUserConfiguration(TwoPayloads.class)
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("TwoPayloads.on", "one type"));
    }

    @Test
    void startWhenAMethodIsAsynchronousThenFails() {
        runner.withUserConfiguration(Later.class)
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("Later.on", "asynchronous"));
    }

    @Test
    void startWhenRetentionIsTooShortThenFails() {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues("credential.webhook.inbox.retention=5m")
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("credential.webhook.inbox.retention", "'github'"));
    }

    @Test
    void startWhenTheOwnInboxStoresNothingThenFails() {
        runner.withBean("own", WebhookInbox.class, () -> mock(WebhookInbox.class))
                .withUserConfiguration(Pushes.class)
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("its own WebhookInbox"));
    }

    @Test
    void startWhenThereIsANonceStoreTooThenFails() {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues(SENDER + "nonce-store=jdbc")
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("credential.webhook.inbound.github.nonce-store"));
    }

    @Test
    void startWhenItIsAPaymentProcessorThenFails() {
        runner.withUserConfiguration(Pushes.class)
                .withPropertyValues(SENDER + "scheme=processor")
                .run(context -> assertThat(
                                Analyses.of(context.getStartupFailure()).getDescription())
                        .contains("credential.webhook.inbound.github.store-first"));
    }

    @Test
    void inboxWhenEnabledThenItIsThere() {
        runner.withPropertyValues(
                        "credential.webhook.inbox.enabled=true",
                        SENDER + "store-first=false",
                        SENDER + "allow-unmapped=true")
                .run(context -> assertThat(context.getBean(WebhookInbox.class).once("github", "1", () -> {}))
                        .isTrue());
    }

    @Test
    void inboxWhenNotEnabledThenNeitherBeanNorDatabase() {
        bare.withPropertyValues(SENDER + "allow-unmapped=true")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(WebhookInbox.class)
                        .doesNotHaveBean(CredentialDatabase.class));
    }

    @Test
    void inboxWhenTheApplicationHasOneThenNoWorker() {
        runner.withBean("own", WebhookInbox.class, () -> mock(WebhookInbox.class))
                .withPropertyValues(
                        "credential.webhook.inbox.enabled=true",
                        SENDER + "store-first=false",
                        SENDER + "allow-unmapped=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(WebhookInbox.class)
                        .doesNotHaveBean(JdbcWebhookInbox.class)
                        .doesNotHaveBean(InboxLifecycle.class));
    }

    private static <T> T next(BlockingQueue<T> received) {
        Patience.until(() -> !received.isEmpty());
        return received.element();
    }

    private static List<StoredWebhook> find(ApplicationContext context, InboxStatus status) {
        return context.getBean(WebhookInbox.class).search(InboxQuery.of(status)).webhooks();
    }

    private static MockHttpServletResponse post(ApplicationContext context, String type, String body) throws Exception {
        return filter(context, request(type, body));
    }

    private static MockHttpServletRequest request(String type, String body) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/hooks/github");
        request.setContentType("application/json");
        request.setContent(body.getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
        request.addHeader(
                "X-Hub-Signature-256", "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8))));
        request.addHeader("X-GitHub-Event", type);
        return request;
    }

    /** Nothing comes after the filter. */
    private static MockHttpServletResponse filter(ApplicationContext context, MockHttpServletRequest request)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        MockFilterChain after = new MockFilterChain();
        Filter filter = Objects.requireNonNull(
                context.getBean(FilterRegistrationBean.class).getFilter());
        filter.doFilter(request, response, after);
        assertThat(after.getRequest()).isNull();
        return response;
    }

    record Push(String ref) {}

    record Received(VerifiedWebhook webhook, Push push, String text, int bytes) {}

    @Configuration(proxyBeanMethods = false)
    static class Pushes {

        final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

        @OnWebhook(value = "github", type = "push")
        void on(VerifiedWebhook webhook, Push push, String text, byte[] bytes) {
            received.add(new Received(webhook, push, text, bytes.length));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondPushes {

        @OnWebhook(
                sender = "github",
                type = {"ping", "push"})
        void on() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Rest {

        final BlockingQueue<VerifiedWebhook> received = new LinkedBlockingQueue<>();

        @OnWebhook("github")
        void on(VerifiedWebhook webhook) {
            received.add(webhook);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Misspelt {

        @OnWebhook("gitbub")
        void on() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Later {

        @OnWebhook("github")
        CompletableFuture<String> on() {
            return CompletableFuture.completedFuture("later");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoPayloads {

        @OnWebhook("github")
        void on(Push push, Map<String, Object> again) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        private final CredentialDatabase database;

        Failing(CredentialDatabase database) {
            this.database = database;
        }

        @OnWebhook("github")
        void on(String body) {
            database.jdbc().sql("CREATE TABLE half_done (body text)").update();
            throw new IllegalStateException(body);
        }
    }
}
