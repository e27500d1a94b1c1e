package io.credential.spring.autoconfigure.dispatcher.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.Rotation;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.apikeys.ApiKeyOwnerAudience;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.dispatcher.Receiver;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What the owners of keys are told about them, at the endpoints of their audience. */
@ExtendWith(OutputCaptureExtension.class)
class OwnerEventsTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";
    private static final String EVENTS_ENABLED = DISPATCHER + "operational-events.enabled=true";
    private static final String NOTIFY = "credential.api-keys.registries.live.notify-owners=true";
    private static final String EXPIRING = "credential.api-key.expiring";
    private static final String DISABLED_AS_IDLE = "credential.api-key.disabled-as-idle";
    private static final String OLD_SECRET_USED = "credential.api-key.old-secret-used";

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
    void ownerWhenKeyExpiresThenToldOnceWithoutSealedData() {
        runner(NOTIFY).run(context -> {
            subscribeAll(context, EXPIRING);
            Instant expiresAt = clock.instant().plusSeconds(60);
            IssuedApiKey key = live(context)
                    .issue(IssueRequest.forOwner("user-42").name("a name").expiresAt(expiresAt));

            runJob(context, "credential.api-keys.expiring");
            runJob(context, "credential.api-keys.expiring");

            assertThat(told(context, EXPIRING)).containsExactlyInAnyOrder("owner", "operator");
            String body = "{\"namespace\":\"live\",\"keyId\":\"" + key.id() + "\",\"expiresAt\":"
                    + expiresAt.toEpochMilli() + "}";
            Patience.until(() -> receiver.received().stream()
                            .filter(webhook -> webhook.body().equals(body))
                            .count()
                    == 2);
        });
    }

    @Test
    void ownerWhenOldSecretIsUsedThenToldOnce() {
        runner(NOTIFY).run(context -> {
            subscribeAll(context, OLD_SECRET_USED);
            ApiKeyRegistry registry = live(context);
            IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42"));
            registry.rotate(issued.id(), Rotation.graceful(Duration.ofHours(1)));

            for (int i = 0; i < 2; i++) {
                assertThat(registry.verify(issued.key())).isPresent();
                runJob(context, "credential.api-keys.old-secrets");
            }

            assertThat(told(context, OLD_SECRET_USED)).containsExactlyInAnyOrder("owner", "operator");
        });
    }

    @Test
    void ownerWhenKeyIsDisabledAsIdleThenToldOnce() {
        runner(NOTIFY, "credential.api-keys.registries.live.disable-after-idle=30d")
                .run(context -> {
                    subscribeAll(context, DISABLED_AS_IDLE);
                    IssuedApiKey key = live(context).issue(IssueRequest.forOwner("user-42"));
                    clock.advance(Duration.ofDays(31));

                    runJob(context, "credential.api-keys.idle");
                    runJob(context, "credential.api-keys.idle");

                    assertThat(told(context, DISABLED_AS_IDLE)).containsExactlyInAnyOrder("owner", "operator");
                    String body = "{\"namespace\":\"live\",\"keyId\":\"" + key.id() + "\",\"disabledAt\":"
                            + clock.millis() + "}";
                    Patience.until(() -> receiver.received().stream()
                                    .filter(webhook -> webhook.body().equals(body))
                                    .count()
                            == 2);
                });
    }

    @Test
    void ownerWhenBeanFailsThenIdleKeyIsDisabledStill(CapturedOutput output) {
        runner(NOTIFY, "credential.api-keys.registries.live.disable-after-idle=30d")
                .withBean(ApiKeyOwnerAudience.class, () -> key -> {
                    throw new IllegalStateException("no such user");
                })
                .run(context -> {
                    subscribeAll(context, DISABLED_AS_IDLE);
                    IssuedApiKey key = live(context).issue(IssueRequest.forOwner("user-42"));
                    clock.advance(Duration.ofDays(31));

                    runJob(context, "credential.api-keys.idle");

                    assertThat(told(context, DISABLED_AS_IDLE)).containsExactly("operator");
                    assertThat(live(context).getById(key.id()).orElseThrow().disabledAt())
                            .isNotNull();
                    assertThat(output).contains("no such user");
                });
    }

    @Test
    void ownerWhenRegistryDoesNotNotifyThenNotTold() {
        runner(NOTIFY, "credential.api-keys.registries.test.prefix=tk").run(context -> {
            subscribeAll(context, EXPIRING);
            issueExpiring(context.getBean(ApiKeyRegistries.class).get("test"), "user-42");

            runJob(context, "credential.api-keys.expiring");

            assertThat(told(context, EXPIRING)).containsExactly("operator");
        });
    }

    @Test
    void ownerWhenIdIsNoAudienceThenWarnedAboutOnce(CapturedOutput output) {
        runner(NOTIFY).run(context -> {
            subscribeAll(context, EXPIRING);
            issueExpiring(live(context), "user 42");
            issueExpiring(live(context), "user 43");
            issueExpiring(live(context), "user-42");

            runJob(context, "credential.api-keys.expiring");
            runJob(context, "credential.api-keys.expiring");

            assertThat(told(context, EXPIRING)).containsOnlyOnce("owner");
            assertThat(output)
                    .containsOnlyOnce("Define a bean of type ApiKeyOwnerAudience")
                    .doesNotContain("user 4");
        });
    }

    @Test
    void ownerWhenBeanMapsToAudienceThenToldThere() {
        runner(NOTIFY)
                .withBean(
                        ApiKeyOwnerAudience.class,
                        () -> key -> Optional.of(key.ownerId().replace("auth0|", "user-"))
                                .filter(audience -> !audience.equals("user-7")))
                .run(context -> {
                    subscribeAll(context, EXPIRING);
                    issueExpiring(live(context), "auth0|42");
                    issueExpiring(live(context), "auth0|7");

                    runJob(context, "credential.api-keys.expiring");

                    assertThat(told(context, EXPIRING)).containsExactlyInAnyOrder("owner", "operator", "operator");
                });
    }

    @Test
    void ownerWhenBeanFailsThenOthersAreToldNevertheless(CapturedOutput output) {
        runner(NOTIFY)
                .withBean(ApiKeyOwnerAudience.class, () -> key -> {
                    if (key.ownerId().equals("unknown")) {
                        throw new IllegalStateException("no such user");
                    }
                    return Optional.of(key.ownerId());
                })
                .run(context -> {
                    subscribeAll(context, EXPIRING);
                    issueExpiring(live(context), "unknown");
                    issueExpiring(live(context), "user-42");

                    runJob(context, "credential.api-keys.expiring");

                    assertThat(told(context, EXPIRING)).containsExactlyInAnyOrder("owner", "operator", "operator");
                    assertThat(output).contains("The bean of type ApiKeyOwnerAudience failed", "no such user");
                });
    }

    @Test
    void contextWhenNoEventsAreSentThenFails() {
        for (String missing : List.of(DISPATCHER + "operational-events.enabled=false", DISPATCHER + "enabled=false")) {
            runner(NOTIFY, missing)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(CredentialConfigurationException.class)
                            .hasMessageContaining("notify-owners"));
        }
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withPropertyValues(DISPATCHER + "enabled=true", DISPATCHER + "allowed-cidrs=127.0.0.1", EVENTS_ENABLED)
                .withPropertyValues(properties);
    }

    private static ApiKeyRegistry live(ApplicationContext context) {
        return context.getBean(ApiKeyRegistries.class).get("live");
    }

    private void issueExpiring(ApiKeyRegistry registry, String owner) {
        registry.issue(IssueRequest.forOwner(owner).expiresAt(clock.instant().plusSeconds(60)));
    }

    /** Registers an endpoint of an operator, and one for each of two owners. */
    private void subscribeAll(ApplicationContext context, String eventType) {
        JdbcWebhookDispatcher dispatcher = context.getBean(JdbcWebhookDispatcher.class);
        String secret = "a secret of the receiver, long enough";
        dispatcher.registerEndpoint(EndpointRegistration.of("operator", receiver.url(), secret, eventType));
        dispatcher.registerEndpoint(EndpointRegistration.of("owner", receiver.url(), secret, eventType)
                .audience("user-42"));
        dispatcher.registerEndpoint(EndpointRegistration.of("stranger", receiver.url(), secret, eventType)
                .audience("user-43"));
    }

    private static List<String> told(ApplicationContext context, String eventType) {
        return context
                .getBean(JdbcWebhookDispatcher.class)
                .deliveries()
                .list(DeliveryQuery.all().withEventType(eventType))
                .stream()
                .map(Delivery::endpointId)
                .toList();
    }

    private static void runJob(ApplicationContext context, String name) {
        context.getBean(CredentialSchedule.class).getScheduledTasks().stream()
                .map(task -> task.getTask().getRunnable())
                .filter(job -> job.toString().equals(name))
                .findFirst()
                .orElseThrow()
                .run();
    }
}
