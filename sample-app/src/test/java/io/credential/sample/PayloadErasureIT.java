package io.credential.sample;

import java.util.Map;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How payloads are erased. */
@SampleTest
class PayloadErasureIT extends WebhookFixture {

    PayloadErasureIT(RunningSample running) {
        super(running);
    }

    @Test
    void erasePayloadsThenDeliveryStaysAndCannotBeRetried() {
        register("erased");
        JsonNode delivery = only(dispatch("1"));
        String eventId = delivery.required("eventId").asString();

        Answer erased = admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId));

        assertThat(erased.status()).as(erased.body()).isEqualTo(200);
        assertThat(erased.body()).isEqualTo("{\"erased\":1,\"skipped\":0}");
        assertThat(admin.get("/deliveries/" + id(delivery)).json().has("payloadErasedAt"))
                .isTrue();
        assertProblem(
                admin.post("/deliveries/" + id(delivery) + "/retry", Map.of()),
                409,
                "webhook-dispatcher/payload-erased");
        assertThat(partner.webhooks(path)).hasSize(1);
    }

    @Test
    void erasePayloadsWhenPendingIsIncludedThenDead() {
        partner.answers(500);
        register("cancelled");
        JsonNode delivery = only(dispatch("1"));
        String eventId = delivery.required("eventId").asString();
        assertThat(admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId))
                        .body())
                .isEqualTo("{\"erased\":0,\"skipped\":1}");

        Answer erased = admin.post("/deliveries/erase-payloads", Map.of("eventId", eventId, "includePending", true));

        assertThat(erased.body()).isEqualTo("{\"erased\":1,\"skipped\":0}");
        assertThat(admin.get("/deliveries/" + id(delivery)).text("status")).isEqualTo("dead");
        assertProblem(
                admin.post("/dead-letters/" + id(delivery) + "/replay", Map.of()),
                409,
                "webhook-dispatcher/payload-erased");
    }
}
