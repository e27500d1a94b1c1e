package io.credential.sample;

import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How deliveries and their attempts are found. */
@SampleTest
class DeliverySearchIT extends WebhookFixture {

    private static final String UNKNOWN_ID = "0123456789abcdef0123456789abcdef";

    DeliverySearchIT(RunningSample running) {
        super(running);
    }

    @Test
    void deliveriesThenAreBareArrayOfTheNewestUpToTheLimit() {
        register("listed");
        String first = id(only(dispatch("1")));
        String second = id(only(dispatch("2")));
        String third = id(only(dispatch("3")));

        assertThat(deliveries("endpointId=listed").stream().map(WebhookFixture::id))
                .containsExactly(third, second, first);
        assertThat(deliveries("endpointId=listed&status=&limit=2").stream().map(WebhookFixture::id))
                .containsExactly(third, second);
        assertThat(deliveries("endpointId=nobody")).isEmpty();
    }

    @Test
    void deliveriesWhenMoreFollowThenLinkLeadsToThem() {
        register("paged");
        String first = id(only(dispatch("1")));
        String second = id(only(dispatch("2")));

        Answer page = admin.get("/deliveries?endpointId=paged&eventType=" + eventType.replace(".", "%2E") + "&limit=1");
        String link = Objects.requireNonNull(page.header("Link"), "no Link");

        assertThat(page.json().required(0).required("deliveryId").asString()).isEqualTo(second);
        assertThat(link).matches("<.*[?&]endpointId=paged.*&cursor=.*>; rel=\"next\"");
        Answer last = admin.get(link.substring(1, link.indexOf('>')));
        assertThat(last.json().required(0).required("deliveryId").asString()).isEqualTo(first);
        assertThat(last.header("Link")).isNull();
    }

    @Test
    void deliveriesWhenConditionsAreGivenThenMatchAll() {
        register("searched");
        JsonNode delivery = only(dispatch("1"));
        long createdAt = delivery.required("createdAt").asLong();
        String matching = "endpointId=searched&eventType=" + eventType + "&status=delivered&responseStatus="
                + delivery.required("responseStatus").asInt() + "&from=" + createdAt + "&to=" + (createdAt + 1)
                + "&eventId=" + delivery.required("eventId").asString() + "&minAttempts=1";

        assertThat(deliveries(matching)).containsExactly(delivery);
        assertThat(deliveries(matching.replace("minAttempts=1", "minAttempts=2")))
                .isEmpty();
        assertThat(deliveries(matching.replace("from=" + createdAt, "from=" + (createdAt + 1))))
                .isEmpty();
        assertThat(deliveries(matching.replace("eventType=", "eventType=other-")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pending", "in-flight", "delivered", "dead"})
    void deliveriesWhenAskedForStatusThenOk(String status) {
        assertThat(admin.get("/deliveries?status=" + status).status()).isEqualTo(200);
    }

    @Test
    void attemptsThenShowRequestAndResponse() {
        register("attempted");
        JsonNode delivery = only(dispatch("1"));

        JsonNode attempt =
                admin.get("/deliveries/" + id(delivery) + "/attempts").json().required(0);

        assertThat(attempt.required("attempt").asInt()).isEqualTo(1);
        assertThat(attempt.required("responseStatus").asInt())
                .isEqualTo(delivery.required("responseStatus").asInt());
        assertThat(attempt.required("duration").isIntegralNumber()).isTrue();
        JsonNode headers = attempt.required("requestHeaders");
        assertThat(partner.webhooks(path))
                .singleElement()
                .satisfies(webhook -> assertThat(headers.propertyNames())
                        .allSatisfy(name -> assertThat(webhook.header(name))
                                .isEqualTo(headers.required(name).asString())));
        assertThat(headers.propertyNames()).contains("Webhook-Signature", "X-Webhook-Attempt");
        assertProblem(admin.get("/deliveries/" + "00".repeat(16) + "/attempts"), 404);
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN_ID, "x", "a.b", "%20", "%C3%A9", "0123456789ABCDEF0123456789ABCDEF"})
    void idWhenUnknownThenNotFound(String id) {
        assertProblem(admin.get("/deliveries/" + id), 404);
        assertProblem(admin.post("/deliveries/" + id + "/retry"), 404);
        assertProblem(admin.post("/endpoints/" + id + "/rotate-secret"), 404);
        assertProblem(admin.post("/dead-letters/" + id + "/replay"), 404);
        assertProblem(admin.delete("/endpoints/" + id), 404);
    }
}
