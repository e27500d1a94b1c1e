package io.credential.sample;

import java.net.http.HttpRequest.BodyPublishers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.sample.Partner.Webhook;
import io.credential.testing.Patience;

import static io.credential.sample.ProblemAssert.assertProblem;
import static io.credential.sample.SignatureAssert.assertSigned;
import static org.assertj.core.api.Assertions.assertThat;

/** How events reach their subscribers. */
@SampleTest
class EventIT extends WebhookFixture {

    EventIT(RunningSample running) {
        super(running);
    }

    @Test
    void eventThenReachesSubscriberByteForByteAndSigned() {
        register("bytes");
        String body = "{ \"item\" : \"Käse\",\n\"n\":1.50 }";

        Answer dispatched = dispatch(body);

        assertThat(dispatched.status()).as(dispatched.body()).isEqualTo(200);
        assertThat(dispatched.json().propertyNames()).containsExactlyInAnyOrder("delivered", "failed", "deliveries");
        assertThat(dispatched.json().required("delivered").asInt()).isEqualTo(1);
        assertThat(dispatched.json().required("failed").asInt()).isZero();
        JsonNode delivery = only(dispatched);
        assertThat(delivery.propertyNames())
                .containsExactlyInAnyOrder(
                        "deliveryId",
                        "eventId",
                        "endpointId",
                        "eventType",
                        "status",
                        "attempts",
                        "nextAttemptAt",
                        "deliveredAt",
                        "responseStatus",
                        "createdAt");
        assertThat(delivery.required("status").asString()).isEqualTo("delivered");
        assertThat(delivery.required("deliveredAt").isIntegralNumber()).isTrue();
        assertThat(partner.webhooks(path)).singleElement().satisfies(webhook -> {
            assertThat(webhook.body()).isEqualTo(body);
            assertThat(webhook.header("X-Webhook-Delivery-Id"))
                    .isEqualTo(delivery.required("deliveryId").asString());
            assertThat(webhook.header("X-Webhook-Event-Id"))
                    .isEqualTo(delivery.required("eventId").asString());
            assertThat(webhook.header("X-Webhook-Event-Type")).isEqualTo(eventType);
            assertThat(webhook.header("X-Webhook-Attempt")).isEqualTo("1");
            assertThat(webhook.header("Content-Type")).isEqualTo("application/json");
            assertThat(webhook.header("User-Agent")).matches("credential/[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
            assertSigned(webhook);
        });
        assertThat(admin.get("/deliveries/" + id(delivery)).json()).isEqualTo(delivery);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"})
    void eventWhenBodyIsOfAnyTypeThenSentVerbatim(String contentType) {
        register("any-type");

        Answer dispatched = admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", contentType)
                .POST(BodyPublishers.ofString("item=kettle&audience=nobody")));

        assertThat(only(dispatched).required("status").asString()).isEqualTo("delivered");
        assertThat(partner.webhooks(path))
                .singleElement()
                .extracting(Webhook::body)
                .isEqualTo("item=kettle&audience=nobody");
    }

    @Test
    void eventWhenNobodySubscribesThenDeliveredToNobody() {
        assertThat(dispatch("{}").body()).isEqualTo("{\"delivered\":0,\"failed\":0,\"deliveries\":[]}");
    }

    @Test
    void payloadWhenOverOneMegabyteThenTooLarge() {
        int megabyte = 1024 * 1024;

        assertProblem(dispatch("x".repeat(megabyte + 1)), 413, "webhook-dispatcher/payload-too-large");
        assertThat(dispatch("x".repeat(megabyte)).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "respond-async",
                "Respond-Async",
                "return=minimal, respond-async",
                "respond-async, wait=10",
                "respond-async; a=b",
                "foo=\"x, y\", RESPOND-ASYNC"
            })
    void eventWhenTheClientPrefersNotToWaitThen202(String preference) {
        register("async");

        Answer answer = dispatchPreferring(preference, "{}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.header("Preference-Applied")).isEqualTo("respond-async");
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("delivered", "failed", "deliveries");
        assertThat(answer.json().required("delivered").asInt()).isZero();
        JsonNode delivery = answer.json().required("deliveries").required(0);
        assertThat(delivery.required("status").asString()).isEqualTo("pending");
        Patience.until(() -> partner.webhooks(path).size() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wait=10", "foo=\"a, respond-async\"", "respond-asynchronously", "respond-async=no", ""})
    void eventWhenTheClientPrefersSomethingElseThen200(String preference) {
        register("sync");

        Answer answer = dispatchPreferring(preference, "{}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("Preference-Applied")).isNull();
        assertThat(answer.json().required("delivered").asInt()).isEqualTo(1);
    }

    private Answer dispatchPreferring(String preference, String body) {
        return admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", "application/json")
                .header("Prefer", preference)
                .POST(BodyPublishers.ofString(body)));
    }
}
