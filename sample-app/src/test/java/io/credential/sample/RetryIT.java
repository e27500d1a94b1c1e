package io.credential.sample;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.sample.Partner.Hold;
import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How failed deliveries are retried and dead ones replayed. */
@SampleTest
class RetryIT extends WebhookFixture {

    @AutoClose
    private final TestThreads threads = new TestThreads();

    RetryIT(RunningSample running) {
        super(running);
    }

    @Test
    void deliveryWhenItFailsThenWaitsUntilRetriedByHand() {
        register("retried");
        partner.answers(500);
        Answer dispatched = dispatch("{}");
        assertThat(dispatched.json().required("failed").asInt()).isEqualTo(1);
        JsonNode failed = only(dispatched);
        assertThat(failed.required("status").asString()).isEqualTo("pending");
        assertThat(failed.required("attempts").asInt()).isEqualTo(1);
        assertThat(failed.required("responseStatus").asInt()).isEqualTo(500);
        assertThat(failed.required("lastError").asString()).isNotBlank();
        String reason = failed.required("lastReason").asString();
        assertThat(reason).isEqualTo("http-status");
        assertThat(deliveries("eventType=" + eventType + "&reason=" + reason)).hasSize(1);
        assertThat(failed.required("nextAttemptAt").asLong())
                .isGreaterThan(Instant.now().toEpochMilli());
        assertThat(deliveries("endpointId=retried&status=pending")).containsExactly(failed);
        assertThat(deliveries("endpointId=retried&status=delivered")).isEmpty();

        partner.answers(200);
        Answer retried = admin.post("/deliveries/" + id(failed) + "/retry");

        assertThat(retried.status()).as(retried.body()).isEqualTo(200);
        assertThat(retried.text("status")).isEqualTo("delivered");
        assertThat(retried.json().required("attempts").asInt()).isEqualTo(1);
        assertThat(partner.webhooks(path))
                .hasSize(2)
                .allSatisfy(SignatureAssert::assertSigned)
                .extracting(webhook -> webhook.header("X-Webhook-Delivery-Id"))
                .containsOnly(id(failed));
    }

    @Test
    void processRetriesWhenNotDueThenLeftAlone() {
        register("not-due");
        partner.answers(503);
        JsonNode failed = only(dispatch("{}"));

        Answer processed = admin.post("/deliveries/process-retries");

        assertThat(processed.status()).isEqualTo(200);
        assertThat(processed.json().propertyNames()).containsExactlyInAnyOrder("attempted", "delivered", "dead");
        assertThat(processed.json().required("attempted").asInt()).isZero();
        assertThat(admin.get("/deliveries/" + id(failed)).json()).isEqualTo(failed);
        assertThat(partner.webhooks(path)).hasSize(1);
    }

    @Test
    void processRetriesWhenDueThenDeliveredOrDead() {
        register("due");
        partner.answers(503);
        JsonNode notDue = only(dispatch("0"));

        String delivered = processedWhenDue(200, "{\"attempted\":1,\"delivered\":1,\"dead\":0}");
        String dead = processedWhenDue(503, "{\"attempted\":1,\"delivered\":0,\"dead\":1}");

        assertThat(status(delivered)).isEqualTo("delivered");
        assertThat(status(dead)).isEqualTo("dead");
        assertThat(admin.get("/deliveries/" + id(notDue)).json()).isEqualTo(notDue);
        for (String id : List.of(delivered, dead)) {
            assertThat(partner.webhooks(path))
                    .filteredOn(webhook -> id.equals(webhook.header("X-Webhook-Delivery-Id")))
                    .extracting(webhook -> webhook.header("X-Webhook-Attempt"))
                    .containsExactly("1", "2");
        }
    }

    /** The dispatcher itself may find a delivery first: in that case, another one is created. */
    private String processedWhenDue(int answer, String expected) {
        AtomicReference<String> processed = new AtomicReference<>();
        Patience.until(() -> {
            partner.answers(503);
            String id = id(only(dispatch("1")));
            partner.answers(answer);
            makeDue(id);
            processed.set(id);
            return admin.post("/deliveries/process-retries").body().equals(expected);
        });
        return processed.get();
    }

    private void makeDue(String deliveryId) {
        sample.jdbc()
                .sql("update _credential_webhook_deliveries set next_attempt_at = 0 where delivery_id = :id")
                .param("id", deliveryId)
                .update();
    }

    @Test
    void deliveryWhenEndpointIsRemovedThenDeadAndReplayable() {
        register("dead");
        partner.answers(500);
        String id = id(only(dispatch("{\"n\":1}")));
        admin.delete("/endpoints/dead");

        Answer dead = admin.get("/deliveries/" + id);
        assertThat(dead.text("status")).isEqualTo("dead");
        assertThat(dead.text("lastError")).contains("endpoint removed");
        assertThat(admin.get("/dead-letters").json().valueStream()).contains(dead.json());
        assertThat(deliveries("endpointId=dead&status=dead")).containsExactly(dead.json());

        register("dead");
        partner.answers(200);
        Answer replayed = admin.post("/dead-letters/" + id + "/replay");

        assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
        assertThat(replayed.text("status")).isEqualTo("delivered");
        assertThat(admin.get("/dead-letters").body()).doesNotContain(id);
        assertProblem(admin.post("/dead-letters/" + id + "/replay"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void retryWhenDeliveryIsInFlightThenConflict() throws Exception {
        register("busy");
        CompletableFuture<Answer> dispatching;
        try (Hold hold = partner.hold()) {
            assertThat(hold).isNotNull();
            dispatching = CompletableFuture.supplyAsync(() -> dispatch("{}"), threads);
            Patience.until(() -> partner.webhooks(path).size() == 1);
            JsonNode inFlight = deliveries("endpointId=busy&status=in-flight").get(0);
            assertThat(inFlight.required("claimedAt").isIntegralNumber()).isTrue();

            assertProblem(admin.post("/deliveries/" + id(inFlight) + "/retry"), 409, "webhook-dispatcher/in-flight");
        }
        assertThat(only(Patience.get(dispatching)).required("status").asString())
                .isEqualTo("delivered");
    }
}
