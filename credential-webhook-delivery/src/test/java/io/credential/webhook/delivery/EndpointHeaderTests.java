package io.credential.webhook.delivery;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.RequestHeaders;

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
    void keepingHeadersThenAddsAndReplaces() {
        dispatcher.registerEndpoint(
                registration("shop").header("Authorization", "Bearer hunter2").header("X-Tenant", "seven"));

        Endpoint kept = dispatcher.registerEndpoint(
                keeping("/elsewhere").header("x-tenant", "eight").header("X-More", "more"));
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.header("Authorization")).isEqualTo("Bearer hunter2");
        assertThat(hook.headers().get("X-tenant")).containsExactly("eight");
        assertThat(dispatcher.deliveries().attempts(id).get(0).requestHeaders().keySet())
                .as("written as in the registration")
                .contains("x-tenant");
        assertThat(hook.header("X-more")).isEqualTo("more");
        fixture.verify(hook);
        assertThat(kept.secret()).isNull();
    }

    @Test
    void registerWhenSecretIsKeptThenHeadersAreNot() {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));

        dispatcher.registerEndpoint(
                EndpointRegistration.withGeneratedSecret("shop", fixture.receiver.url("/shop"), List.of("*")));

        assertThat(stored("headers")).isNull();
    }

    @Test
    void keepingHeadersWhenThereAreNoneThenThoseGiven() {
        dispatcher.registerEndpoint(keeping("/shop").header("X-Tenant", "seven"));
        dispatcher.dispatch("e", "{}");
        dispatcher.removeEndpoint("shop");
        dispatcher.registerEndpoint(registration("shop"));

        dispatcher.registerEndpoint(keeping("/shop"));

        assertThat(fixture.receiver.hooks().get(0).header("X-tenant")).isEqualTo("seven");
        assertThat(stored("headers")).isNull();
    }

    @Test
    void keepingHeadersWhenSchemeChangesThenSent() {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));

        Endpoint changed = dispatcher.registerEndpoint(keeping("/shop").scheme(SignatureScheme.GITHUB));
        dispatcher.dispatch("e", "{}");

        assertThat(changed.secret()).isNotNull();
        assertThat(fixture.receiver.hooks().get(0).header("Authorization")).isEqualTo("Bearer hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://127.0.0.1:%d/shop", "http://localhost:%d/shop", "http://127.0.0.1:1/shop"})
    void keepingHeadersWhenUrlIsOfAnotherOriginThenRefused(String url) {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));
        List<Endpoint> before = dispatcher.listEndpoints();

        assertRefused(
                dispatcher,
                EndpointRegistration.withGeneratedSecret("shop", url.formatted(fixture.receiver.port()), List.of("*"))
                        .keepingHeaders(),
                "scheme, the host and the port");

        assertThat(dispatcher.listEndpoints()).isEqualTo(before);
    }

    @Test
    void keepingHeadersWhenTheyAreTooManyThenRefused() {
        EndpointRegistration full = registration("shop").header("X-Long", "x".repeat(4090));
        dispatcher.registerEndpoint(full);

        assertRefused(dispatcher, keeping("/shop").header("X-More", "x"), "headers must be at most");

        assertThat(dispatcher.registerEndpoint(keeping("/shop").header("X-Long", "x")))
                .isNotNull();
    }

    @Test
    void keepingHeadersWhenNameIsTakenMeanwhileThenRefused() {
        dispatcher.registerEndpoint(registration("shop").header("X-Sign", "hunter2"));

        assertRefused(fixture.node(options -> options.signatureHeader("X-sign")), keeping("/shop"), "X-Sign");
        assertRefused(
                fixture.node(options -> options.requestHeaders(new RequestHeaders("", "", "", "X-Sign", ""))),
                keeping("/shop"),
                "X-Sign");
        assertRefused(
                dispatcher, keeping("/shop").scheme(SignatureScheme.STRIPE).signatureHeader("x-sign"), "X-Sign");
    }

    @Test
    void keepingHeadersWhenTheyDoNotOpenThenRefused() {
        dispatcher.registerEndpoint(registration("shop").header("Authorization", "Bearer hunter2"));
        fixture.rows.sql("UPDATE {endpoints} SET headers = secret").update();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.registerEndpoint(keeping("/shop")))
                .withMessageContaining("The headers of endpoint shop")
                .returns("webhook-dispatcher/unreadable-secret", WebhookDispatcherException::code);
        assertThat(dispatcher.registerEndpoint(registration("shop"))).isNotNull();
    }

    @RepeatedTest(3)
    void keepingHeadersWhenCalledAtOnceThenAllAreKept() throws Exception {
        dispatcher.registerEndpoint(registration("shop").header("X-A", "a"));

        InParallel.run(List.of(
                () -> dispatcher.registerEndpoint(keeping("/shop").header("X-B", "b")),
                () -> dispatcher.registerEndpoint(keeping("/shop").header("X-C", "c"))));
        dispatcher.dispatch("e", "{}");

        assertThat(fixture.receiver.hooks().get(0).headers()).containsKeys("X-a", "X-b", "X-c");
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

    private EndpointRegistration keeping(String path) {
        return EndpointRegistration.withGeneratedSecret("shop", fixture.receiver.url(path), List.of("*"))
                .keepingHeaders();
    }

    private static void assertRefused(WebhookDispatcher node, EndpointRegistration registration, String what) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> node.registerEndpoint(registration))
                .withMessageContaining(what)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private String stored(String column) {
        return fixture.rows
                .sql("SELECT " + column + " FROM {endpoints}")
                .query((row, number) -> row.getString(1))
                .list()
                .get(0);
    }
}
