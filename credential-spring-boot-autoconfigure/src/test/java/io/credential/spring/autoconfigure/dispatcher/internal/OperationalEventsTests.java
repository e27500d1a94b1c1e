package io.credential.spring.autoconfigure.dispatcher.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.dispatcher.Receiver;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What an application that asks for operational events sends to the receiver of its operator. */
class OperationalEventsTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String EVENTS = "credential.webhook.dispatcher.operational-events.";
    private static final String EXPIRING = "credential.api-key.expiring";
    private static final String OLD_SECRET_USED = "credential.api-key.old-secret-used";
    private static final String BACKLOG_OLD = "credential.backlog.old";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = MutableClock.atNewYear();
    private Receiver receiver;

    @BeforeEach
    void startReceiver() throws IOException {
        receiver = new Receiver();
    }

    @AfterEach
    void close() {
        receiver.close();
        database.close();
    }

    @Test
    void keyWhenItExpiresWithinTheNoticeThenIsReportedOnce() {
        runner(EVENTS + "enabled=true", EVENTS + "expiry-notice=3d").run(context -> {
            subscribe(context, EXPIRING);
            Instant expiresAt = clock.instant().plus(Duration.ofDays(5));
            IssuedApiKey key = context.getBean(ApiKeyRegistry.class)
                    .issue(IssueRequest.forOwner("user-42").name("a name").expiresAt(expiresAt));
            runJob(context, "credential.api-keys.expiring");
            assertThat(stored(context, EXPIRING)).isZero();

            clock.advance(Duration.ofDays(2));
            runJob(context, "credential.api-keys.expiring");
            runJob(context, "credential.api-keys.expiring");

            assertThat(stored(context, EXPIRING)).isEqualTo(1);
            assertReceived("{\"namespace\":\"live\",\"keyId\":\"" + key.id() + "\",\"expiresAt\":"
                    + expiresAt.toEpochMilli() + "}");
        });
    }

    @Test
    void keyWhenThisNodeIsNotTheLeaderThenIsNotReported() {
        runner(EVENTS + "enabled=true")
                .withBean(Leadership.class, NeverLeader::new)
                .run(context -> {
                    subscribe(context, EXPIRING);
                    context.getBean(ApiKeyRegistry.class)
                            .issue(IssueRequest.forOwner("user-42")
                                    .expiresAt(clock.instant().plusSeconds(60)));

                    runJob(context, "credential.api-keys.expiring");

                    assertThat(stored(context, EXPIRING)).isZero();
                });
    }

    @Test
    void oldSecretWhenUsedWithinTheNoticeThenIsReportedOnce() {
        runner(EVENTS + "enabled=true", EVENTS + "grace-notice=1d").run(context -> {
            subscribe(context, OLD_SECRET_USED);
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42"));
            RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.graceful(Duration.ofDays(7)));
            clock.advance(Duration.ofDays(6).minusMillis(1));
            useAndReport(context, issued.key());
            assertThat(stored(context, OLD_SECRET_USED)).isZero();

            clock.advance(Duration.ofMillis(1));
            useAndReport(context, rotated.key());
            assertThat(stored(context, OLD_SECRET_USED)).isZero();
            useAndReport(context, issued.key());
            Instant usedAt = clock.instant();
            clock.advance(Duration.ofHours(1));
            useAndReport(context, issued.key());

            assertThat(stored(context, OLD_SECRET_USED)).isEqualTo(1);
            assertReceived("{\"namespace\":\"live\",\"keyId\":\"" + issued.id() + "\",\"usedAt\":"
                    + usedAt.toEpochMilli() + ",\"secondaryExpiresAt\":"
                    + usedAt.plus(Duration.ofDays(1)).toEpochMilli() + "}");
        });
    }

    @Test
    void backlogWhenOlderThanItsAgeThenIsReported() {
        runner(EVENTS + "enabled=true", EVENTS + "backlog-age=10m").run(context -> {
            JdbcWebhookDispatcher dispatcher = context.getBean(JdbcWebhookDispatcher.class);
            dispatcher.stop(Duration.ZERO);
            subscribe(context, BACKLOG_OLD, "order.created");
            Instant dueAt = clock.instant();
            dispatcher.enqueue("order.created", "{}");
            clock.advance(Duration.ofMinutes(10));
            reportBacklog(context);
            assertThat(stored(context, BACKLOG_OLD)).isZero();

            clock.advance(Duration.ofMillis(1));
            reportBacklog(context);
            reportBacklog(context);

            assertThat(stored(context, BACKLOG_OLD)).isEqualTo(1);
            dispatcher.start();
            assertReceived("{\"oldestDueAt\":" + dueAt.toEpochMilli() + ",\"pending\":1,\"inFlight\":0,\"dead\":0}");
        });
    }

    @Test
    void contextWhenNotEnabledThenNothingIsReported() {
        runner(EVENTS + "expiry-notice=3d", EVENTS + "enabled=false").run(context -> {
            subscribe(context, "credential.endpoint.paused");
            assertThat(jobs(context)).noneMatch(job -> job.contains("Events"));

            context.getBean(JdbcWebhookDispatcher.class).pauseEndpoint("ops");

            assertThat(stored(context, "credential.endpoint.paused")).isZero();
        });
    }

    @Test
    void contextWhenEnabledWithoutOtherFeatureThenStarts() {
        runner(EVENTS + "enabled=true", StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(context).hasNotFailed());
        StarterRunner.unconfigured()
                .withPropertyValues(
                        "credential.storage.path=" + directory.resolve("own.db"),
                        "credential.keyring.location=file:" + StarterRunner.keyring(directory),
                        EVENTS + "enabled=true")
                .run(context ->
                        assertThat(jobs(context)).anyMatch(job -> job.equals("credential.webhook.backlog-events")));
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withPropertyValues(DISPATCHER + "enabled=true", DISPATCHER + "allowed-cidrs=127.0.0.1")
                .withPropertyValues(properties);
    }

    private void subscribe(ApplicationContext context, String... eventTypes) {
        context.getBean(JdbcWebhookDispatcher.class)
                .registerEndpoint(EndpointRegistration.of(
                        "ops", receiver.url(), "a secret of the operator, long enough", eventTypes));
    }

    private static void useAndReport(ApplicationContext context, String token) {
        assertThat(context.getBean(ApiKeyRegistry.class).verify(token)).isPresent();
        runJob(context, "credential.api-keys.old-secrets");
    }

    /** The pause after a read depends on how long it took. */
    private static void reportBacklog(ApplicationContext context) {
        DispatcherWatch watch = context.getBean(DispatcherWatch.class);
        double before = watch.backlogAge();
        Patience.until(() -> {
            watch.refresh();
            return Double.isNaN(before) || watch.backlogAge() < before;
        });
        runJob(context, "credential.webhook.backlog-events");
    }

    private static void runJob(ApplicationContext context, String name) {
        context.getBean(CredentialSchedule.class).getScheduledTasks().stream()
                .map(task -> task.getTask().getRunnable())
                .filter(job -> job.toString().equals(name))
                .findFirst()
                .orElseThrow()
                .run();
    }

    private static List<String> jobs(ApplicationContext context) {
        return context.getBean(CredentialSchedule.class).getScheduledTasks().stream()
                .map(task -> task.getTask().getRunnable().toString())
                .toList();
    }

    private static int stored(ApplicationContext context, String eventType) {
        return context.getBean(JdbcWebhookDispatcher.class)
                .deliveries()
                .list(DeliveryQuery.all().withEventType(eventType))
                .size();
    }

    private void assertReceived(String body) {
        Patience.until(() ->
                receiver.received().stream().anyMatch(webhook -> webhook.body().equals(body)));
    }

    /** Issues keys all the same, unlike {@link io.credential.testing.OtherLeads}. */
    private static final class NeverLeader implements Leadership {

        @Override
        public OptionalLong epoch() {
            return OptionalLong.empty();
        }

        @Override
        public void requireLeader() {}
    }
}
