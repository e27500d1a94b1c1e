package io.credential.sample;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How endpoints are registered, tested, paused, limited and removed. */
@SampleTest
class EndpointIT extends WebhookFixture {

    EndpointIT(RunningSample running) {
        super(running);
    }

    @Test
    void endpointThenIsManagedAndItsSecretNeverShown() {
        long before = Instant.now().toEpochMilli();
        Answer registered = register("walk-1");

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.json().propertyNames())
                .containsExactlyInAnyOrder(
                        "endpointId", "url", "eventTypes", "payloadFormat", "metadata", "createdAt", "scheme", "kid");
        assertThat(registered.text("endpointId")).isEqualTo("walk-1");
        assertThat(registered.text("url")).isEqualTo(partner.url(path));
        assertThat(registered.json().required("eventTypes").valueStream().map(JsonNode::asString))
                .containsExactly(eventType);
        assertThat(registered.json().required("createdAt").asLong())
                .isBetween(before, Instant.now().toEpochMilli());
        Answer listed = admin.get("/endpoints");
        assertThat(listed.status()).isEqualTo(200);
        assertThat(listed.json().valueStream()).contains(registered.json());
        assertThat(listed.body()).doesNotContain(SECRET);

        Answer replaced = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "walk-1",
                        "url",
                        partner.url(path + "-new"),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET));
        assertThat(replaced.status()).isEqualTo(201);
        assertThat(endpoints("walk-1")).singleElement().isEqualTo(replaced.json());

        Answer removed = admin.delete("/endpoints/walk-1");
        assertThat(removed.status()).isEqualTo(204);
        assertThat(removed.body()).isEmpty();
        assertThat(endpoints("walk-1")).isEmpty();
        assertProblem(admin.delete("/endpoints/walk-1"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenItHasHeadersThenTheyAreSentAndNotShown() {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "named",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET,
                        "name",
                        "A shop",
                        "headers",
                        Map.of("X-Token", "hunter2")));

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("name")).isEqualTo("A shop");
        assertThat(registered.body()).doesNotContain("hunter2");
        String id = id(only(dispatch("{}")));
        assertThat(admin.get("/deliveries/" + id + "/attempts").body())
                .contains("X-Token")
                .doesNotContain("hunter2");
    }

    @Test
    void testThenSendsOneEventToTheEndpoint() {
        register("tested");

        Answer tested = admin.post("/endpoints/tested/test");

        assertThat(tested.status()).as(tested.body()).isEqualTo(200);
        assertThat(tested.text("eventType")).isEqualTo("webhook.test");
        assertThat(tested.text("status")).isEqualTo("delivered");
        assertProblem(admin.post("/endpoints/unknown/test"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenPausedThenItsDeliveriesAreHeld() {
        register("paused");
        Answer paused = admin.post("/endpoints/paused/pause");
        assertThat(paused.status()).isEqualTo(204);
        assertThat(endpoints("paused"))
                .singleElement()
                .satisfies(endpoint ->
                        assertThat(endpoint.required("pauseReason").asString()).isEqualTo("manual"));
        String id = id(only(dispatch("{}")));
        assertThat(status(id)).isEqualTo("pending");

        Answer resumed = admin.post("/endpoints/paused/resume");

        assertThat(resumed.status()).isEqualTo(204);
        Patience.until(() -> status(id).equals("delivered"));
        assertProblem(admin.post("/endpoints/unknown/pause"), 404, "webhook-dispatcher/not-found");
        assertProblem(admin.post("/endpoints/unknown/resume"), 404, "webhook-dispatcher/not-found");
    }

    @Test
    void endpointWhenRateIsLimitedThenShownAndHeld() {
        String id = "limited-" + eventType;
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId",
                id,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "rateLimit",
                Map.of("limit", 1, "windowSeconds", 3600)));

        Answer registered = admin.post("/endpoints", endpoint);

        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.json().at("/rateLimit/limit").asInt()).isEqualTo(1);
        assertThat(registered.json().at("/rateLimit/windowSeconds").asInt()).isEqualTo(3600);
        for (int i = 0; i < 3; i++) {
            assertThat(only(admin.postText("/events/" + eventType, "{}"))
                            .required("status")
                            .asString())
                    .isEqualTo("pending");
        }
        Patience.until(() -> partner.webhooks(path).size() == 1);
        assertThat(only(admin.postText("/events/" + eventType, "{}"))
                        .required("status")
                        .asString())
                .isEqualTo("pending");
        assertThat(partner.webhooks(path)).hasSize(1);

        endpoint.put("rateLimit", Map.of("limit", 10));
        assertProblem(admin.post("/endpoints", endpoint), 400, "webhook-dispatcher/bad-opts");
        endpoint.remove("rateLimit");
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);
        Patience.until(() -> partner.webhooks(path).size() == 4);
    }
}
