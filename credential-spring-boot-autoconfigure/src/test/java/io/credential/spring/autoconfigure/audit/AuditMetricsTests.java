package io.credential.spring.autoconfigure.audit;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.micrometer.core.instrument.MeterRegistry;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What the audit queues report to Micrometer. */
class AuditMetricsTests {

    private static final String LOG = "credential.audit.jdbc.enabled=true";
    private static final AuditEvent EVENT = new AuditEvent(
            "apikey.get", AuditEvent.Outcome.SUCCESS, null, null, "api-key", "1", Instant.EPOCH, Map.of());

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void queuedWhenSinkIsSlowThenCountsRequests() {
        CountDownLatch recording = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        runner().withBean(AuditSink.class, () -> event -> {
                    recording.countDown();
                    Patience.await(stuck);
                })
                .run(context -> {
                    ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                    registry.verify("nonsense");
                    Patience.await(recording);
                    registry.verify("bk_live_0123456789abcdef_" + "0".repeat(32));

                    assertThat(queued(context, "requests")).isOne();
                    stuck.countDown();
                });
    }

    @Test
    void queuedWhenDatabaseIsBusyThenCountsEventsOfTheLog() {
        runner(LOG)
                .run(context -> database.database().inTransaction(() -> {
                    database.database()
                            .jdbc()
                            .sql("UPDATE _credential_key_checks SET key_id = key_id")
                            .update(); // nobody else can write
                    InParallel.elsewhere(() -> {
                        context.getBean(AuditSink.class).record(EVENT);
                        return true;
                    });

                    Patience.until(() -> queued(context, "log") == 1);
                    return true;
                }));
    }

    @Test
    void lostWhenSinkThrowsThenCountsEventsOfEveryFeature() {
        runner("credential.webhook.dispatcher.enabled=true")
                .withBean(AuditSink.class, () -> event -> {
                    throw new IllegalStateException("The sink is broken");
                })
                .run(context -> {
                    context.getBean(ApiKeyRegistry.class).verify("nonsense");
                    Patience.until(() -> lost(context, "sink-failed") == 1);
                    context.getBean(ApiKeyRegistry.class).getById("0011223344556677");
                    assertThat(lost(context, "sink-failed")).isEqualTo(2);
                    context.getBean(WebhookDispatcher.class)
                            .registerEndpoint(
                                    EndpointRegistration.withGeneratedSecret("shop", "https://8.8.8.8/", List.of("*")));
                    assertThat(lost(context, "sink-failed")).isEqualTo(3);
                });
    }

    @Test
    void lostWhenLogIsClosedThenCounted() {
        runner(LOG).run(context -> {
            JdbcAuditLog log = context.getBean(JdbcAuditLog.class);
            log.close();
            log.sink().record(EVENT);

            assertThat(lost(context, "not-stored")).isOne();
        });
    }

    @Test
    void contextWhenMicrometerIsAbsentThenNoMetrics() {
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AuditMetrics.class));
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
                .withPropertyValues(properties);
    }

    private static double queued(ApplicationContext context, String queue) {
        return context.getBean(MeterRegistry.class)
                .get("credential.audit.queued")
                .tag("queue", queue)
                .gauge()
                .value();
    }

    private static double lost(ApplicationContext context, String reason) {
        return context.getBean(MeterRegistry.class)
                .get("credential.audit.lost")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }
}
