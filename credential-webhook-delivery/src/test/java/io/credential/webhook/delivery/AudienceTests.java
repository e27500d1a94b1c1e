package io.credential.webhook.delivery;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import ch.qos.logback.classic.Level;

import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.outbox.EventDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which endpoints an event reaches, by its audience and theirs. */
@BothDatabases
class AudienceTests extends DispatcherTestBase {

    private static final DispatchOptions NONE = DispatchOptions.none();

    AudienceTests(TestDatabase test) {
        super(test);
    }

    @BeforeEach
    void registerEndpoints() {
        endpoint("a", "tenant-1", "for-tenants", "for-all");
        endpoint("b", "tenant-2", "*");
        endpoint("c", null, "for-all");
    }

    @Test
    void dispatchWhenAudienceIsNamedThenReachesOnlyIt() {
        assertThat(reached(dispatcher.dispatch("for-all", "{}", NONE.withAudience("tenant-1"))))
                .containsExactly("a");
    }

    @Test
    void dispatchWhenToEveryAudienceThenReachesAll() {
        assertThat(reached(dispatcher.dispatch("for-all", "{}", NONE.toEveryAudience())))
                .containsExactly("a", "b", "c");
    }

    @Test
    void dispatchWhenAudienceIsForgottenThenRefused() {
        assertRefused("for-all", options -> dispatcher.dispatch("for-all", "{}", options));
        assertRefused("for-all", options -> dispatcher.enqueue("for-all", "{}", options));
        assertRefused("for-tenants", options -> dispatcher.dispatch("for-tenants", "{}", options));

        assertNothingIsStored();
    }

    @Test
    void dispatchWhenNoAudienceIsReachedThenNoneIsNeeded() {
        dispatcher.removeEndpoint("b");
        dispatcher.removeEndpoint("a");
        endpoint("d", "tenant-1", "other");

        assertThat(reached(dispatcher.dispatch("for-all", "{}"))).containsExactly("c");
        assertThat(reached(dispatcher.dispatch("nobody", "{}"))).isEmpty();
    }

    @Test
    void dispatchWhenItReachesNobodyThenDebugLogSaysSo() {
        DispatchOptions once = NONE.withAudience("tenant-3").withIdempotencyKey("once");
        try (CapturedLog log = CapturedLog.of(EventDispatcher.class).level(Level.DEBUG)) {
            dispatcher.dispatch("for-tenants", "{}", NONE.withAudience("tenant-3"));
            dispatcher.enqueue("for-tenants", "{}", once);
            dispatcher.enqueue("for-tenants", "{}", once); // stores nothing
            dispatcher.dispatch("for-tenants", "{}", NONE.withAudience("tenant-1"));

            assertThat(log.lines()).hasSize(2).allMatch(line -> line.endsWith("subscribes to for-tenants"));
        }
    }

    @Test
    void dispatchWhenEndpointIsPausedThenRefusedToo() {
        dispatcher.removeEndpoint("b");
        dispatcher.pauseEndpoint("a");

        assertRefused("for-tenants", options -> dispatcher.enqueue("for-tenants", "{}", options));
    }

    @Test
    void transactionWhenRefusedThenCommitsTheRest() {
        new TransactionTemplate(new JdbcTransactionManager(test.dataSource())).executeWithoutResult(status -> {
            assertRefused("for-all", options -> dispatcher.dispatch("for-all", "{}", options));
            dispatcher.dispatch("for-all", "{}", NONE.withAudience("tenant-2"));
        });

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()))
                .extracting(Delivery::endpointId)
                .containsExactly("b");
        assertThat(fixture.rows.ids("event_id", "{events}")).hasSize(1);
    }

    @Test
    void keyWhenRefusedThenIsNotUsed() {
        DispatchOptions keyed = NONE.withIdempotencyKey("order-17");
        assertRefused("for-all", options -> dispatcher.dispatch("for-all", "{}", keyed));

        assertThat(reached(dispatcher.dispatch("for-all", "{}", keyed.withAudience("tenant-1"))))
                .containsExactly("a");
    }

    @Test
    void keyWhenRepeatedThenFirstIsReturned() {
        DispatchOptions keyed = NONE.withIdempotencyKey("order-17");
        dispatcher.removeEndpoint("b");
        dispatcher.removeEndpoint("a");
        DispatchResult first = dispatcher.dispatch("for-all", "{}", keyed);
        endpoint("a", "tenant-1", "for-all"); // a repetition sends nothing, so it cannot reach this one

        assertThat(dispatcher.dispatch("for-all", "{}", keyed).deliveries()).isEqualTo(first.deliveries());
    }

    @Test
    void requireAudienceWhenMissingThenRefused() {
        JdbcWebhookDispatcher strict = fixture.node(options -> options.requireAudience(true));

        for (DispatchOptions options : List.of(NONE, NONE.toEveryAudience())) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> strict.enqueue("nobody", "{}", options))
                    .withMessageContaining("audience")
                    .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        }
        assertNothingIsStored();
        assertThat(reached(strict.dispatch("for-all", "{}", NONE.withAudience("tenant-1"))))
                .containsExactly("a");
    }

    private void endpoint(String id, @Nullable String audience, String... eventTypes) {
        dispatcher.registerEndpoint(
                EndpointRegistration.of(id, fixture.receiver.url("/" + id), DispatcherFixture.SECRET, eventTypes)
                        .audience(audience));
    }

    private static List<String> reached(DispatchResult result) {
        return result.deliveries().stream().map(Delivery::endpointId).toList();
    }

    private static void assertRefused(String eventType, Function<DispatchOptions, DispatchResult> dispatch) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatch.apply(NONE))
                .withMessageContainingAll(eventType, "withAudience", "toEveryAudience")
                .returns("webhook-dispatcher/audience-required", WebhookDispatcherException::code);
    }

    private void assertNothingIsStored() {
        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
        assertThat(fixture.rows.ids("delivery_id", "{deliveries}")).isEmpty();
        assertThat(fixture.receiver.hooks()).isEmpty();
    }
}
