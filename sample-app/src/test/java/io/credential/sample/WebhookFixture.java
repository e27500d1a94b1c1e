package io.credential.sample;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** A subscriber with a path and an event type that no other test uses. */
abstract class WebhookFixture {

    static final String SECRET = "a secret of endpoint and sender";

    final Sample sample;
    final Api api;
    final Api admin;
    final Partner partner;
    final String path;
    final String eventType;

    WebhookFixture(RunningSample running) {
        sample = running.sample;
        api = running.api;
        admin = running.admin;
        partner = running.partner;
        partner.answers(204);
        String unique = UUID.randomUUID().toString();
        path = "/" + unique;
        eventType = "event." + unique;
    }

    Answer register(String endpointId) {
        Answer registered = admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        endpointId,
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of(eventType),
                        "secret",
                        SECRET));
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        return registered;
    }

    Answer dispatch(String body) {
        return admin.send(admin.request("/events/" + eventType)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    List<JsonNode> endpoints(String endpointId) {
        return admin.get("/endpoints")
                .json()
                .valueStream()
                .filter(endpoint -> endpoint.required("endpointId").asString().equals(endpointId))
                .toList();
    }

    List<JsonNode> deliveries(String query) {
        Answer answer = admin.get("/deliveries?" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().isArray()).isTrue();
        return answer.json().valueStream().toList();
    }

    String status(String deliveryId) {
        return admin.get("/deliveries/" + deliveryId).text("status");
    }

    static JsonNode only(Answer dispatched) {
        assertThat(dispatched.status()).as(dispatched.body()).isEqualTo(200);
        assertThat(dispatched.json().required("deliveries").size()).isEqualTo(1);
        return dispatched.json().required("deliveries").required(0);
    }

    static String id(JsonNode delivery) {
        return delivery.required("deliveryId").asString();
    }
}
