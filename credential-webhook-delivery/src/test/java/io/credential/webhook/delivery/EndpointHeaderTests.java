package io.credential.webhook.delivery;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** Headers of an endpoint are sent with every request, and shown to nobody else. Its name and metadata are shown. */
@BothDatabases
class EndpointHeaderTests extends DispatcherTestBase {

    EndpointHeaderTests(TestDatabase test) {
        super(test);
    }

    @Test
    void attemptThenHasTheHeadersAndIsSigned() {
        dispatcher.registerEndpoint(
                registration("shop").header("Authorization", "Bearer hunter2").header("X-Tenant", "seven: 7"));

        dispatcher.dispatch("e", "{}");

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.header("Authorization")).isEqualTo("Bearer hunter2");
        assertThat(hook.header("X-tenant")).isEqualTo("seven: 7");
        fixture.verify(hook);
    }

    @Test
    void headersThenAreStoredSealedAndShownMasked() {
        Endpoint registered =
                dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));

        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        assertThat(dispatcher.deliveries().attempts(id).get(0).requestHeaders())
                .containsEntry("Authorization", "******")
                .containsKey("Webhook-Signature");
        assertThat(stored("headers")).startsWith("s1.").doesNotContain("hunter2", "Authorization");
        assertThat(List.of(registered, dispatcher.listEndpoints(), fixture.audited)
                        .toString())
                .doesNotContain("hunter2");
    }

    @Test
    void registerWhenAgainWithoutHeadersThenTheyAreGone() {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));
        dispatcher.dispatch("e", "{}");

        dispatcher.registerEndpoint(registration("shop"));
        dispatcher.dispatch("e", "{}");

        assertThat(fixture.receiver.hooks().get(1).headers()).doesNotContainKey("Authorization");
        assertThat(stored("headers")).isNull();
    }

    @Test
    void attemptWhenHeadersAreOfAnotherEndpointThenDead() {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));
        dispatcher.registerEndpoint(registration("thief"));
        fixture.rows
                .sql(
                        "UPDATE {endpoints} SET headers = (SELECT max(headers) FROM {endpoints}) WHERE endpoint_id = 'thief'")
                .update();
        fixture.receiver.hooks().clear();

        List<Delivery> deliveries = dispatcher.dispatch("e", "{}").deliveries();

        assertThat(deliveries)
                .extracting(Delivery::endpointId, Delivery::status)
                .containsExactly(tuple("shop", DeliveryStatus.DELIVERED), tuple("thief", DeliveryStatus.DEAD));
        assertThat(deliveries.get(1).lastError()).startsWith("integrity");
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void registerWhenHeaderIsThatOfTheSignatureThenRefused() {
        JdbcWebhookDispatcher node = fixture.node(options -> options.signatureHeader("X-Signature"));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> node.registerEndpoint(registration("shop").header("x-signature", "hunter2")))
                .withMessageContaining("x-signature")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(dispatcher.listEndpoints()).isEmpty();
    }

    @Test
    void attemptWhenHeaderIsThatOfTheSignatureThenSigned() {
        dispatcher.registerEndpoint(registration("shop").header("x-signature", "hunter2"));
        JdbcWebhookDispatcher node = fixture.node(options -> options.signatureHeader("X-Signature"));

        String id = node.dispatch("e", "{}").deliveries().get(0).deliveryId();

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.headers().get("X-signature")).hasSize(1).doesNotContain("hunter2");
        assertThat(dispatcher.deliveries().attempts(id).get(0).requestHeaders())
                .containsEntry("X-Signature", hook.header("X-signature"));
    }

    @Test
    void registerWhenNamedThenNameAndMetadataAreListed() {
        Endpoint registered = dispatcher.registerEndpoint(registration("shop")
                .name("Käse & Co.")
                .metadata(Map.of("contract", Map.of("no", 7), "tags", List.of("a"))));

        assertThat(registered)
                .returns("Käse & Co.", Endpoint::name)
                .returns(Map.of("contract", Map.of("no", 7), "tags", List.of("a")), Endpoint::metadata);
        assertThat(dispatcher.listEndpoints()).containsExactly(registered);
        assertThat(dispatcher.registerEndpoint(registration("shop")))
                .returns(null, Endpoint::name)
                .returns(Map.of(), Endpoint::metadata);
    }

    private EndpointRegistration registration(String endpointId) {
        return EndpointRegistration.of(endpointId, fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*");
    }

    private String stored(String column) {
        return fixture.rows
                .sql("SELECT " + column + " FROM {endpoints}")
                .query((row, number) -> row.getString(1))
                .list()
                .get(0);
    }
}
