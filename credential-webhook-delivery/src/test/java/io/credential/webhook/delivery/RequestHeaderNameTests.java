package io.credential.webhook.delivery;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.RequestHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Names of headers that can be chosen: those of a dispatcher, and that of the signature of an endpoint. */
@BothDatabases
class RequestHeaderNameTests extends DispatcherTestBase {

    private static final RequestHeaders NAMES =
            new RequestHeaders("X-Shop-Delivery", "X-Shop-Event", "X-Shop-Topic", "X-Shop-Try", "shop/7 (hooks)");

    RequestHeaderNameTests(TestDatabase test) {
        super(test);
    }

    @Test
    void attemptWhenHeadersAreNamedThenHasThoseOnly() {
        dispatcher.registerEndpoint(registration());

        Delivery delivery = named().dispatch("e", "{}").deliveries().get(0);

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.header("X-shop-delivery")).isEqualTo(delivery.deliveryId());
        assertThat(hook.header("X-shop-event")).isEqualTo(delivery.eventId());
        assertThat(hook.header("X-shop-topic")).isEqualTo("e");
        assertThat(hook.header("X-shop-try")).isEqualTo("1");
        assertThat(hook.headers().get("User-agent")).containsExactly("shop/7 (hooks)");
        assertThat(hook.headers().keySet()).noneMatch(name -> name.startsWith("X-webhook-"));
        fixture.verify(hook);
    }

    @Test
    void attemptWhenNamesAreEmptyThenHasNoSuchHeaders() {
        dispatcher.registerEndpoint(registration());

        String id = fixture.node(options -> options.requestHeaders(new RequestHeaders("", "", "", "", "")))
                .dispatch("e", "{}")
                .deliveries()
                .get(0)
                .deliveryId();

        assertThat(dispatcher.deliveries().attempts(id).get(0).requestHeaders())
                .containsOnlyKeys("Content-Type", "User-Agent", "Webhook-Signature");
        fixture.verify(fixture.receiver.hooks().get(0));
    }

    @Test
    void registerWhenHeaderDescribesTheDeliveryThenRefused() {
        assertRefused(named(), registration().header("x-shop-TOPIC", "hunter2"), "x-shop-TOPIC");
    }

    /** It was registered with a node that has other names. */
    @Test
    void attemptWhenHeaderDescribesTheDeliveryThenIsNotSent() {
        dispatcher.registerEndpoint(registration().header("x-shop-topic", "hunter2"));

        named().dispatch("e", "{}");

        assertThat(fixture.receiver.hooks().get(0).headers().get("X-shop-topic"))
                .containsExactly("e");
    }

    @Test
    void registerWhenHeaderCarriesTheSignatureThenRefused() {
        EndpointRegistration registration = registration().scheme(SignatureScheme.GITHUB);

        assertRefused(dispatcher, registration.header("x-hub-signature-256", "hunter2"), "x-hub-signature-256");
        assertRefused(
                dispatcher, registration.signatureHeader("X-Mac").header("x-mac", "hunter2"), "carries the signature");
    }

    @Test
    void registerWhenSignatureHeaderIsTakenThenRefused() {
        EndpointRegistration registration = registration().scheme(SignatureScheme.GITHUB);

        assertRefused(named(), registration.signatureHeader("x-shop-try"), "x-shop-try");
        assertRefused(dispatcher, registration.signatureHeader("X-Webhook-Attempt"), "X-Webhook-Attempt");
    }

    /** It was registered with a node that has other names. */
    @Test
    void attemptWhenSignatureHeaderIsTakenThenSigned() {
        dispatcher.registerEndpoint(
                registration().scheme(SignatureScheme.GITHUB).signatureHeader("x-shop-topic"));

        named().dispatch("e", "{}");

        assertThat(fixture.receiver.hooks().get(0).headers().get("X-shop-topic"))
                .singleElement()
                .asString()
                .startsWith("sha256=");
    }

    @ParameterizedTest
    @EnumSource(
            value = SignatureScheme.class,
            names = {"CREDENTIAL", "STANDARD_WEBHOOKS"})
    void registerWhenTheSchemeHasItsHeadersThenRefused(SignatureScheme scheme) {
        EndpointRegistration registration = EndpointRegistration.withGeneratedSecret(
                        "shop", fixture.receiver.url("/shop"), List.of("*"))
                .signatureHeader("X-Mac")
                .scheme(scheme);

        assertRefused(dispatcher, registration, "not for " + scheme.text());
    }

    /** What a receiver verifies does not change with the name of the header. */
    @Test
    void registerWhenOnlyTheHeaderChangesThenKeepsTheSecret() {
        EndpointRegistration registration = EndpointRegistration.withGeneratedSecret(
                        "shop", fixture.receiver.url("/shop"), List.of("*"))
                .scheme(SignatureScheme.GITHUB);
        dispatcher.registerEndpoint(registration);
        dispatcher.dispatch("e", "{}");

        Endpoint again = dispatcher.registerEndpoint(registration.signatureHeader("X-Mac"));
        dispatcher.dispatch("e", "{}");

        assertThat(again.secret()).isNull();
        List<HookReceiver.Hook> hooks = fixture.receiver.hooks();
        assertThat(hooks.get(1).header("X-mac")).isEqualTo(hooks.get(0).header("X-hub-signature-256"));
    }

    /** Otherwise, whoever writes to the database decides where receivers look for a signature, and how it is made. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "signature_header = 'X-Mad'",
                "scheme = 'stripe'",
                "scheme = 'credential', signature_header = NULL",
                "scheme = 'standard-webhooks', signature_header = NULL"
            })
    void attemptWhenTheStoredHeaderWasChangedThenDead(String change) {
        dispatcher.registerEndpoint(
                registration().scheme(SignatureScheme.GITHUB).signatureHeader("X-Mac"));
        fixture.rows.sql("UPDATE {endpoints} SET " + change).update();

        assertThat(dispatcher.dispatch("e", "{}").deliveries()).singleElement().satisfies(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.DEAD);
            assertThat(delivery.lastError()).startsWith("integrity");
        });
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"credential, X-Mac", "stripe, ", "github, "})
    void rowWhenHeaderAndSchemeDoNotFitThenIsNotStored(String scheme, String header) {
        dispatcher.registerEndpoint(registration());

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> fixture.rows
                        .sql("UPDATE {endpoints} SET scheme = :scheme, signature_header = CAST(:header AS text)")
                        .param("scheme", scheme)
                        .param("header", header)
                        .update());
    }

    private JdbcWebhookDispatcher named() {
        return fixture.node(options -> options.requestHeaders(NAMES));
    }

    private EndpointRegistration registration() {
        return EndpointRegistration.of("shop", fixture.receiver.url("/shop"), DispatcherFixture.SECRET, "*");
    }

    private static void assertRefused(WebhookDispatcher node, EndpointRegistration registration, String why) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> node.registerEndpoint(registration))
                .withMessageContaining(why)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(node.listEndpoints()).isEmpty();
    }
}
