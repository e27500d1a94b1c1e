package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the body of a webhook is made of. */
@BothDatabases
class PayloadFormatTests extends DispatcherTestBase {

    PayloadFormatTests(TestDatabase test) {
        super(test);
    }

    @Test
    void envelopeThenHoldsTypeTimeAndUnchangedPayload() {
        endpoint("shop", PayloadFormat.ENVELOPE);

        dispatcher.dispatch("order.paid", "{ \"ü\" : 1.50 }");

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.body())
                .isEqualTo(
                        "{\"type\":\"order.paid\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{ \"ü\" : 1.50 }}");
        assertThat(fixture.verify(hook).kid()).isEqualTo("v1");
    }

    @Test
    void envelopeWhenItIsRetriedThenTheSame() {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        endpoint("shop", PayloadFormat.ENVELOPE);
        dispatcher.dispatch("order.paid", Map.of("n", 1));
        fixture.clock.advance(Duration.ofMinutes(1));

        dispatcher.processRetries();

        assertThat(fixture.receiver.hooks())
                .hasSize(2)
                .extracting(HookReceiver.Hook::body)
                .containsOnly(
                        "{\"type\":\"order.paid\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"n\":1}}");
    }

    @Test
    void payloadFormatThenIsPerEndpointAndReplaceable() {
        endpoint("shop", PayloadFormat.ENVELOPE);
        endpoint("other", PayloadFormat.RAW);
        assertThat(dispatcher.listEndpoints())
                .extracting(Endpoint::payloadFormat)
                .containsExactly(PayloadFormat.RAW, PayloadFormat.ENVELOPE);
        endpoint("shop", PayloadFormat.RAW);

        dispatcher.dispatch("e", "{}");

        assertThat(fixture.receiver.hooks()).extracting(HookReceiver.Hook::body).containsExactly("{}", "{}");
    }

    @Test
    void envelopeWhenPayloadIsNotJsonThenOnlyItIsDead() {
        endpoint("a", PayloadFormat.ENVELOPE);
        endpoint("b", PayloadFormat.RAW);

        DispatchResult result = dispatcher.dispatch("e", "not json");

        assertThat(result.deliveries())
                .extracting(Delivery::status)
                .containsExactly(DeliveryStatus.DEAD, DeliveryStatus.DELIVERED);
        assertThat(result.deliveries().get(0).lastError())
                .startsWith("payload-not-json: ")
                .contains("envelope");
        assertThat(result.deliveries().get(0).attempts()).isZero();
        assertThat(fixture.receiver.hooks()).extracting(HookReceiver.Hook::path).containsExactly("/b");
    }

    @Test
    void envelopeWhenPayloadIsMalformedThenShowsThePlace() {
        endpoint("shop", PayloadFormat.ENVELOPE);

        Delivery dead =
                dispatcher.dispatch("e", "{\"a\\u0000b\":\nx}").deliveries().get(0);

        assertThat(dead.status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(dead.lastError()).contains("line 2, column").doesNotContain("a\ufffdb", "x}");
    }

    static List<Object> notWritable() {
        return List.of(
                Map.of("total", Double.NaN),
                Map.of("total", Double.POSITIVE_INFINITY),
                Map.of("total", Float.NEGATIVE_INFINITY),
                Map.of("total", new double[] {1, Double.NaN}),
                Map.of("total", List.of(Map.of("x", Float.NaN))));
    }

    @ParameterizedTest
    @MethodSource("notWritable")
    void dispatchWhenNumberIsNotFiniteThenRefusedByItsPlace(Object payload) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("e", payload))
                .withMessageContainingAll("line 1, column", "NaN")
                .withMessageNotContaining("total")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void dispatchWhenTextSaysNaNThenItIsSentAsItIs() {
        endpoint("shop", PayloadFormat.RAW);

        dispatcher.dispatch("e", "{\"total\":NaN}");
        dispatcher.dispatch("e", "NaN".getBytes(StandardCharsets.UTF_8));

        assertThat(fixture.receiver.hooks())
                .extracting(HookReceiver.Hook::body)
                .containsExactly("{\"total\":NaN}", "NaN");
    }

    private void endpoint(String endpointId, PayloadFormat format) {
        dispatcher.registerEndpoint(EndpointRegistration.of(
                        endpointId, fixture.receiver.url("/" + endpointId), DispatcherFixture.SECRET, "*")
                .payloadFormat(format));
    }
}
