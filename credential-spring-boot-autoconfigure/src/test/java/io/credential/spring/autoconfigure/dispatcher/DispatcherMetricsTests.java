package io.credential.spring.autoconfigure.dispatcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.micrometer.core.instrument.MeterRegistry;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** What the dispatcher reports to Micrometer. */
class DispatcherMetricsTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void backlogThenRightBeforeDuringAndAfter() {
        runner().run(context -> {
            DispatcherWatch watch = context.getBean(DispatcherWatch.class);
            stopReading(context);
            watch.refresh();
            assertThat(deliveries(context, "pending")).isZero();
            assertThat(gauge(context, "credential.webhook.oldest.due.age")).isZero();

            insertPending(DispatcherBacklog.MOST);
            assertThat(deliveries(context, "pending"))
                    .as("before it is read again")
                    .isZero();
            refreshAgain(watch);
            assertThat(deliveries(context, "pending")).isEqualTo(DispatcherBacklog.MOST);
            assertThat(gauge(context, "credential.webhook.oldest.due.age")).isGreaterThan(1e9);

            sql("UPDATE _credential_webhook_deliveries SET status = 'dead', dead_at = 1");
            refreshAgain(watch);
            assertThat(deliveries(context, "pending")).isZero();
            assertThat(deliveries(context, "dead")).isEqualTo(DispatcherBacklog.MOST);
            assertThat(gauge(context, "credential.webhook.oldest.due.age")).isZero();
        });
    }

    @Test
    void scrapeThenReadsNothingFromTheDatabase() {
        runner().run(context -> {
            stopReading(context);
            context.getBean(DispatcherWatch.class).refresh();
            sql("ALTER TABLE _credential_webhook_deliveries RENAME TO gone");

            assertThat(context.getBean(MeterRegistry.class)
                            .get("credential.webhook.deliveries")
                            .gauges())
                    .hasSize(3)
                    .allSatisfy(gauge -> assertThat(gauge.value()).isZero());
        });
    }

    @Test
    void backlogWhenItCannotBeReadThenNotANumber() {
        runner().run(context -> {
            DispatcherWatch watch = context.getBean(DispatcherWatch.class);
            stopReading(context);
            watch.refresh();
            sql("ALTER TABLE _credential_webhook_deliveries RENAME TO gone");

            assertThatException().isThrownBy(() -> refreshAgain(watch));

            assertThat(deliveries(context, "pending")).isNaN();
            assertThat(gauge(context, "credential.webhook.oldest.due.age")).isNaN();
            assertThat(gauge(context, "credential.webhook.backlog.age")).isNotNaN();
        });
    }

    @Test
    void refreshWhenSlowThenPausesTwoMinutesAtMost() {
        runner().run(context -> {
            stopReading(context);
            AtomicLong nanos = new AtomicLong();
            AtomicLong perLook = new AtomicLong();
            DispatcherWatch watch = new DispatcherWatch(
                    context.getBean(CredentialSchedule.class),
                    InstantSource.system(),
                    () -> nanos.getAndAdd(perLook.get()));
            watch.created(context.getBean(JdbcWebhookDispatcher.class));
            perLook.set(Duration.ofMinutes(1).toNanos());
            watch.refresh(); // takes a minute
            perLook.set(0);
            long ended = Duration.ofMinutes(1).toNanos();

            nanos.set(ended + Duration.ofSeconds(119).toNanos());
            watch.refresh();
            assertThat(watch.backlogAge()).isEqualTo(119);
            assertThat(watch.ofBacklog(DispatcherBacklog::pending)).isZero();

            nanos.set(ended + Duration.ofSeconds(136).toNanos());
            assertThat(watch.ofBacklog(DispatcherBacklog::pending)).isNaN();
            assertThat(watch.oldestDueAge()).isNaN();
            watch.refresh();
            assertThat(watch.backlogAge()).isZero();
            assertThat(watch.ofBacklog(DispatcherBacklog::pending)).isZero();
        });
    }

    @Test
    void backlogAgeWhenNeverReadThenSinceTheStart() {
        runner().run(context -> {
            AtomicLong nanos = new AtomicLong();
            DispatcherWatch watch =
                    new DispatcherWatch(context.getBean(CredentialSchedule.class), InstantSource.system(), nanos::get);
            watch.created(context.getBean(JdbcWebhookDispatcher.class));

            nanos.set(Duration.ofMinutes(11).toNanos());

            assertThat(watch.backlogAge()).isEqualTo(660);
        });
    }

    @Test
    void contextThenReadsInTheBackground() {
        runner().run(context -> Patience.until(() -> deliveries(context, "pending") == 0));
    }

    @Test
    void nodeWhenIdleThenZero() {
        runner().run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .get("credential.webhook.node.deliveries")
                        .gauges())
                .hasSize(3)
                .allSatisfy(gauge -> assertThat(gauge.value()).isZero()));
    }

    @Test
    void auditWhenSinkIsBusyThenCountsWhatWaits() throws IOException {
        Receiver refusing = new Receiver();
        refusing.close();
        CountDownLatch recording = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        runner().withPropertyValues(DISPATCHER + "allowed-cidrs=127.0.0.1", DISPATCHER + "max-attempts=1")
                .withBean(AuditSink.class, () -> event -> {
                    if (event.name().equals("webhook.delivery.dead")) {
                        recording.countDown();
                        Patience.await(stuck);
                    }
                })
                .run(context -> {
                    WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                    dispatcher.registerEndpoint(
                            EndpointRegistration.withGeneratedSecret("shop", refusing.url(), List.of("*")));
                    dispatcher.enqueue("order.created", "{}");
                    Patience.await(recording);
                    assertThat(queuedAudit(context)).isZero();
                    dispatcher.enqueue("order.created", "{}");

                    Patience.until(() -> queuedAudit(context) == 1);
                    stuck.countDown();
                    Patience.until(() -> queuedAudit(context) == 0);
                });
    }

    @Test
    void auditWhenNothingIsLostThenCounterIsZero() {
        runner().run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .get("credential.audit.lost")
                        .tag("reason", "queue-full")
                        .functionCounter()
                        .count())
                .isZero());
    }

    @Test
    void contextWhenMicrometerIsAbsentThenNoMetrics() {
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(WebhookDispatcher.class)
                        .doesNotHaveBean(DispatcherMetrics.class));
    }

    /** The pause after a read depends on how long it took. */
    private static void refreshAgain(DispatcherWatch watch) {
        double before = watch.backlogAge();
        Patience.until(() -> {
            watch.refresh();
            return watch.backlogAge() < before;
        });
    }

    /** Stops the background work, so that the test alone reads and nothing is attempted. */
    private static void stopReading(ApplicationContext context) {
        context.getBean(JdbcWebhookDispatcher.class).stop(Duration.ZERO);
        context.getBean(CredentialSchedule.class).stop();
    }

    private static double deliveries(ApplicationContext context, String status) {
        return context.getBean(MeterRegistry.class)
                .get("credential.webhook.deliveries")
                .tag("status", status)
                .gauge()
                .value();
    }

    private static double gauge(ApplicationContext context, String name) {
        return context.getBean(MeterRegistry.class).get(name).gauge().value();
    }

    private static double queuedAudit(ApplicationContext context) {
        return context.getBean(MeterRegistry.class)
                .get("credential.audit.queued")
                .tag("queue", "dispatcher")
                .gauge()
                .value();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
                .withPropertyValues(DISPATCHER + "enabled=true");
    }

    private void insertPending(int number) {
        sql("""
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
                INSERT INTO _credential_webhook_deliveries
                    (delivery_id, event_id, endpoint_id, status, attempts, next_attempt_at, created_at)
                SELECT 'delivery-' || i, 'event', 'endpoint-' || (i %% 50), 'pending', 0, 1, 1
                FROM n""".formatted(number));
    }

    private void sql(String sql) {
        JdbcClient.create(database.dataSource()).sql(sql).update();
    }
}
