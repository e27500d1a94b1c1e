package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Secrets are generated and replaced; for a bounded time, receivers that know only the old one accept webhooks too. */
@BothDatabases
class SecretRotationTests extends DispatcherTestBase {

    private static final String NEW_SECRET = "another secret of the endpoint";

    SecretRotationTests(TestDatabase test) {
        super(test);
    }

    @Test
    void registerWhenGeneratedThenReturnsTheSecretOnce() {
        Endpoint endpoint = dispatcher.registerEndpoint(generated("/shop"));

        String secret = Objects.requireNonNull(endpoint.secret());
        assertThat(secret).matches("[0-9a-f]{64}");
        assertThat(dispatcher.listEndpoints())
                .singleElement()
                .returns(null, Endpoint::secret)
                .returns("v1", Endpoint::kid);
        assertThat(List.of(endpoint, generated("/shop"), fixture.audited).toString())
                .doesNotContain(secret);
        assertThat(stored("secret")).startsWith("s1.").doesNotContain(secret);
        verify(sent(), "v1", secret);
    }

    @Test
    void registerWhenGeneratedThenSecretsDiffer() {
        Endpoint shop = dispatcher.registerEndpoint(generated("/shop"));
        dispatcher.removeEndpoint("shop");

        assertThat(dispatcher.registerEndpoint(generated("/shop")).secret()).isNotEqualTo(shop.secret());
    }

    /** Applications register their endpoints at each start. */
    @Test
    void registerWhenGeneratedAgainThenKeepsTheSecret() {
        String secret = dispatcher.registerEndpoint(generated("/shop")).secret();

        Endpoint again = dispatcher.registerEndpoint(generated("/moved"));

        assertThat(again.secret()).isNull();
        HookReceiver.Hook hook = sent();
        assertThat(hook.path()).isEqualTo("/moved");
        verify(hook, "v1", secret);
    }

    @Test
    void registerWhenGeneratedAgainThenKeepsTheRotation() {
        fixture.endpoint("shop", "/shop");
        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET));

        assertThat(dispatcher.registerEndpoint(generated("/moved"))).satisfies(again -> {
            assertThat(again.kid()).isEqualTo("v2");
            assertThat(again.previousSecretUntil()).isEqualTo(rotated.previousSecretUntil());
        });
        HookReceiver.Hook hook = sent();
        verify(hook, "v2", NEW_SECRET);
        fixture.verify(hook);
    }

    @Test
    void registerWhenOverlapHasEndedThenDropsOldSecret() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET).overlap(Duration.ofMinutes(10)));
        fixture.clock.advance(Duration.ofMinutes(10));

        dispatcher.registerEndpoint(generated("/moved"));

        assertThat(stored("previous_secret")).isNull();
        verify(sent(), "v2", NEW_SECRET);
    }

    @Test
    void registerWhenGivenAgainThenTheRotationIsOver() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.generated());

        assertThat(fixture.endpoint("shop", "/shop"))
                .returns("v1", Endpoint::kid)
                .returns(null, Endpoint::previousSecretUntil);
        assertThat(kids(sent())).containsExactly("v1");
        assertThat(stored("previous_secret")).isNull();
    }

    @Test
    void registerWhenGeneratedForAnotherAudienceThenRefused() {
        fixture.endpoint("shop", "/shop");

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.registerEndpoint(generated("/shop").audience("tenant-2")))
                .returns("webhook-dispatcher/endpoint-conflict", WebhookDispatcherException::code);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.registerEndpoint(generated("/shop").createOnly()))
                .returns("webhook-dispatcher/endpoint-conflict", WebhookDispatcherException::code);
    }

    @Test
    void registerWhenTheKeptSecretDoesNotOpenThenRefused() {
        fixture.endpoint("shop", "/shop");
        fixture.rows
                .sql("UPDATE {endpoints} SET url = 'https://attacker.example/'")
                .update();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.registerEndpoint(generated("/shop")))
                .returns("webhook-dispatcher/unreadable-secret", WebhookDispatcherException::code);
    }

    @Test
    void rotateThenBothSecretsSignAndTheNewOneIsFirst() {
        fixture.endpoint("shop", "/shop");

        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        assertThat(rotated.kid()).isEqualTo("v2");
        assertThat(rotated.previousSecretUntil())
                .isEqualTo(fixture.clock.instant().plus(Duration.ofHours(24)));
        HookReceiver.Hook hook = sent();
        assertThat(kids(hook)).containsExactly("v2", "v1");
        verify(hook, "v2", rotated.secret());
        fixture.verify(hook); // as a receiver that has not changed anything
    }

    @Test
    void rotateWhenTheOverlapHasEndedThenOnlyTheNewOneSigns() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET).overlap(Duration.ofMinutes(10)));
        assertThat(kids(sent())).containsExactly("v2", "v1");

        fixture.clock.advance(Duration.ofMinutes(10));

        HookReceiver.Hook hook = sent();
        assertThat(kids(hook)).containsExactly("v2");
        verify(hook, "v2", NEW_SECRET);
        assertThat(dispatcher.listEndpoints())
                .extracting(Endpoint::previousSecretUntil)
                .containsOnlyNulls();
    }

    @Test
    void rotateWithoutOverlapThenOnlyTheNewOneSigns() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET).overlap(Duration.ZERO));

        assertThat(kids(sent())).containsExactly("v2");
        assertThat(stored("previous_secret")).isNull();
    }

    @Test
    void rotateWhenAgainThenTheOldestIsDropped() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET));
        Endpoint again = dispatcher.rotateSecret("shop", SecretRotation.generated());

        HookReceiver.Hook hook = sent();
        assertThat(kids(hook)).containsExactly("v3", "v2");
        verify(hook, "v3", again.secret());
        verify(hook, "v2", NEW_SECRET);
    }

    @Test
    void rotateThenOtherNodesFollow() {
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher other = fixture.node(options -> options);
        other.dispatch("e", "{}");

        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET));
        other.dispatch("e", "{}");

        assertThat(fixture.receiver.hooks())
                .extracting(SecretRotationTests::kids)
                .containsExactly(List.of("v1"), List.of("v2", "v1"));
    }

    @Test
    void rotateWhenAttemptsRunAndWaitThenAllAreVerified() {
        CountDownLatch answered = new CountDownLatch(1);
        fixture.receiver.answeringAfter(answered, "/shop", 200);
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher node =
                fixture.node(options -> DispatcherFixture.patient(options).maxInFlightPerEndpoint(1));
        node.start();
        node.enqueue("e", "1");
        fixture.await(() -> fixture.receiver.hooks().size() == 1);
        node.enqueue("e", "2");

        node.rotateSecret("shop", SecretRotation.to(NEW_SECRET));
        answered.countDown();

        fixture.await(() -> fixture.receiver.hooks().size() == 2);
        fixture.receiver.hooks().forEach(fixture::verify);
        assertThat(kids(fixture.receiver.hooks().get(1))).containsExactly("v2", "v1");
    }

    @Test
    void removeExpiredThenErasesSecretsAfterTheirOverlap() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET));
        fixture.clock.advance(Duration.ofHours(24).minusMillis(1));
        fixture.dispatcher.removeExpired();
        assertThat(stored("previous_secret")).startsWith("s1.");

        fixture.clock.advance(Duration.ofMillis(1));
        fixture.dispatcher.removeExpired();

        assertThat(stored("previous_secret")).isNull();
        verify(sent(), "v2", NEW_SECRET);
    }

    @Test
    void attemptWhenTheOldSecretWasRestoredThenDead() {
        fixture.endpoint("shop", "/shop");
        dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET).overlap(Duration.ofMinutes(10)));
        String old = stored("previous_secret");
        fixture.clock.advance(Duration.ofMinutes(10));
        fixture.dispatcher.removeExpired();

        fixture.rows
                .sql("UPDATE {endpoints} SET previous_secret = :old, previous_until = :until")
                .param("old", old)
                .param("until", fixture.clock.millis() + 1000)
                .update();

        assertThat(dispatcher.dispatch("e", "{}").deliveries()).singleElement().satisfies(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.DEAD);
            assertThat(delivery.lastError()).startsWith("integrity");
        });
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void rotateWhenRolledBackThenNothingChanges() {
        fixture.endpoint("shop", "/shop");
        fixture.audited.clear();

        new TransactionTemplate(new JdbcTransactionManager(test.database().dataSource())).executeWithoutResult(tx -> {
            dispatcher.rotateSecret("shop", SecretRotation.to(NEW_SECRET));
            tx.setRollbackOnly();
        });

        assertThat(kids(sent())).containsExactly("v1");
        assertThat(fixture.audited).isEmpty();
    }

    @Test
    void rotateThenIsAuditedWithoutTheSecret() {
        fixture.endpoint("shop", "/shop");
        fixture.audited.clear();

        Endpoint rotated = dispatcher.rotateSecret("shop", SecretRotation.generated());

        assertThat(fixture.audited).singleElement().satisfies(event -> {
            assertThat(event)
                    .returns("webhook.endpoint.rotate-secret", AuditEvent::name)
                    .returns("shop", AuditEvent::resourceId);
            assertThat(event.attributes())
                    .containsEntry("kid", "v2")
                    .containsEntry("generated", true)
                    .containsEntry("overlapMillis", 86_400_000L);
        });
        assertThat(List.of(fixture.audited, rotated).toString())
                .doesNotContain(Objects.requireNonNull(rotated.secret()));
    }

    @Test
    void resealSecretsThenAudited() {
        fixture.endpoint("shop", "/shop");
        fixture.audited.clear();

        dispatcher.resealSecrets();

        assertThat(fixture.audited)
                .singleElement()
                .returns("webhook.endpoint.reseal", AuditEvent::name)
                .returns(Map.of("examined", 1, "resealed", 0), AuditEvent::attributes);
    }

    @Test
    void rotateWhenTheSecretDoesNotOpenThenRefused() {
        fixture.endpoint("shop", "/shop");
        fixture.rows
                .sql("UPDATE {endpoints} SET url = 'https://attacker.example/'")
                .update();
        fixture.audited.clear();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.rotateSecret("shop", SecretRotation.generated()))
                .returns("webhook-dispatcher/unreadable-secret", WebhookDispatcherException::code);
        assertThat(fixture.audited).singleElement().returns("unreadable-secret", AuditEvent::reason);
    }

    @Test
    void rotateWhenChangedMeanwhileThenConflict() {
        fixture.endpoint("shop", "/shop");
        JdbcWebhookDispatcher racing = fixture.node(options -> options.clock(() -> {
            if (fixture.database().isInTransaction()) { // between reading the secret and replacing it
                fixture.rows.sql("UPDATE {endpoints} SET secret = 'another'").update();
            }
            return fixture.clock.instant();
        }));
        fixture.audited.clear();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> racing.rotateSecret("shop", SecretRotation.generated()))
                .returns("webhook-dispatcher/endpoint-conflict", WebhookDispatcherException::code);
        assertThat(fixture.audited).singleElement().returns("endpoint-conflict", AuditEvent::reason);
        assertThat(kids(sent())).containsExactly("v1");
    }

    @Test
    void rotateWhenThereIsNoEndpointThenNotFound() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.rotateSecret("shop", SecretRotation.generated()))
                .returns("webhook-dispatcher/not-found", WebhookDispatcherException::code);
    }

    @Test
    void overlapWhenOutOfRangeThenRefused() {
        for (Duration overlap :
                List.of(Duration.ofMillis(-1), Duration.ofDays(7).plusMillis(1))) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> SecretRotation.generated().overlap(overlap))
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
    }

    @Test
    void toStringThenShowsNoSecret() {
        assertThat(SecretRotation.to(NEW_SECRET).toString()).doesNotContain(NEW_SECRET);
    }

    private EndpointRegistration generated(String path) {
        return EndpointRegistration.withGeneratedSecret("shop", fixture.receiver.url(path), List.of("*"));
    }

    /** Returns what the receiver gets of a new event. */
    private HookReceiver.Hook sent() {
        fixture.receiver.hooks().clear();
        dispatcher.dispatch("e", "{}");
        return fixture.receiver.hooks().get(0);
    }

    private void verify(HookReceiver.Hook hook, String kid, @Nullable String secret) {
        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key(kid, secret)
                        .clock(fixture.clock)
                        .build()
                        .verify(hook.body().getBytes(StandardCharsets.UTF_8), hook.headers())
                        .kid())
                .isEqualTo(kid);
    }

    private static List<String> kids(HookReceiver.Hook hook) {
        return List.of(hook.header("Webhook-signature").split(",", -1)).stream()
                .map(segment -> segment.substring(0, segment.indexOf('=')))
                .skip(2)
                .toList();
    }

    private @Nullable String stored(String column) {
        return fixture.rows
                .sql("SELECT " + column + " FROM {endpoints}")
                .query((row, number) -> row.getString(1))
                .list()
                .get(0);
    }
}
