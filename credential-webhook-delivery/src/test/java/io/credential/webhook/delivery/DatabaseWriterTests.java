package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.WebhookException;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What {@code docs/security.md} says that a writer of the database can do with webhooks, although it lacks the keyring. */
@BothDatabases
class DatabaseWriterTests extends DispatcherTestBase {

    DatabaseWriterTests(TestDatabase test) {
        super(test);
    }

    @Test
    void subscriptionWhenInsertedThenEndpointGetsEvent() {
        fixture.endpoint("shop", "/shop", "order.paid");
        fixture.rows
                .sql("INSERT INTO {subscriptions} (event_type, endpoint_id) VALUES ('user.created', 'shop')")
                .update();

        dispatcher.dispatch("user.created", "{}");

        fixture.verify(onlyHook());
    }

    @Test
    void deliveryWhenPendingAgainThenChangedPayloadIsSigned() {
        fixture.endpoint("shop", "/shop");
        String id = dispatcher.dispatch("order.paid", "{}").deliveries().get(0).deliveryId();
        fixture.receiver.hooks().clear();
        fixture.rows
                .sql("UPDATE {events} SET payload = :payload")
                .param("payload", "{\"changed\":true}".getBytes(StandardCharsets.UTF_8))
                .update();
        fixture.rows.change(id, "status = 'pending', delivered_at = NULL, attempts = 0");

        dispatcher.processRetries();

        HookReceiver.Hook hook = onlyHook();
        assertThat(hook.body()).isEqualTo("{\"changed\":true}");
        fixture.verify(hook);
    }

    @Test
    void endpointWhenEarlierSecretIsPutBackThenItSigns() {
        fixture.endpoint("shop", "/shop");
        String earlier = fixture.rows.ids("secret", "{endpoints}").get(0);
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", fixture.receiver.url("/shop"), "a newer secret of the endpoint", "*"));
        fixture.rows
                .sql("UPDATE {endpoints} SET secret = :earlier")
                .param("earlier", earlier)
                .update();

        dispatcher.dispatch("order.paid", "{}");

        fixture.verify(onlyHook());
    }

    @Test
    void deliveryWhenInsertedForOtherAudienceThenSent() {
        for (String tenant : new String[] {"a", "b"}) {
            dispatcher.registerEndpoint(
                    EndpointRegistration.of(tenant, fixture.receiver.url("/" + tenant), DispatcherFixture.SECRET, "*")
                            .audience(tenant));
        }
        String id = dispatcher
                .dispatch("order.paid", "{}", DispatchOptions.none().withAudience("a"))
                .deliveries()
                .get(0)
                .deliveryId();
        fixture.receiver.hooks().clear();
        fixture.rows.change(
                id, "endpoint_id = 'b', audience = 'b', status = 'pending', delivered_at = NULL, attempts = 0");

        dispatcher.processRetries();

        assertThat(onlyHook().path()).isEqualTo("/b");
    }

    @Test
    void nonceWhenDeletedThenWebhookIsAcceptedAgain() {
        JdbcNonceStore nonces = new JdbcNonceStore(test.migrate(JdbcNonceStore.SCHEMA), fixture.clock);
        fixture.rows.sql("DELETE FROM _credential_nonces").update();
        fixture.endpoint("shop", "/shop");
        dispatcher.dispatch("order.paid", "{}");
        HookReceiver.Hook hook = onlyHook();
        fixture.verify(hook, nonces);
        assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> fixture.verify(hook, nonces));

        fixture.rows
                .sql("DELETE FROM _credential_nonces WHERE remembered_since IS NULL")
                .update();

        fixture.verify(hook, nonces);
    }

    private HookReceiver.Hook onlyHook() {
        assertThat(fixture.receiver.hooks()).hasSize(1);
        return fixture.receiver.hooks().get(0);
    }
}
