package io.credential.sample;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.credential.sample.Api.Answer;
import io.credential.sample.Partner.Webhook;

import static io.credential.sample.ProblemAssert.assertProblem;
import static io.credential.sample.SignatureAssert.assertSigned;
import static org.assertj.core.api.Assertions.assertThat;

/** Which audiences an event reaches. */
@SampleTest
class AudienceIT extends WebhookFixture {

    AudienceIT(RunningSample running) {
        super(running);
    }

    @Test
    void eventWhenItHasAudienceThenReachesItInEnvelope() {
        String one = "a-" + eventType.substring(6);
        String other = "b-" + eventType.substring(6);
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId",
                one,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "secret",
                SECRET,
                "audience",
                "tenant-1",
                "payloadFormat",
                "envelope"));
        Answer registered = admin.post("/endpoints", endpoint);
        assertThat(registered.status()).as(registered.body()).isEqualTo(201);
        assertThat(registered.text("audience")).isEqualTo("tenant-1");
        assertThat(registered.text("payloadFormat")).isEqualTo("envelope");
        endpoint.put("audience", "tenant-2");
        assertProblem(admin.post("/endpoints", endpoint), 409, "webhook-dispatcher/endpoint-conflict");
        endpoint.put("endpointId", other);
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);

        Answer dispatched = admin.postText("/events/" + eventType + "?audience=tenant-1", "{ \"n\" : 1 }");

        assertThat(only(dispatched).required("endpointId").asString()).isEqualTo(one);
        Webhook webhook = partner.webhooks(path).get(0);
        assertSigned(webhook);
        assertThat(webhook.header("Webhook-Signature")).contains("id=" + webhook.header("X-Webhook-Delivery-Id") + "-");
        assertThat(webhook.body())
                .matches("\\{\"type\":\"" + Pattern.quote(eventType)
                        + "\",\"timestamp\":\"[0-9-]{10}T[0-9:.]{12}Z\",\"data\":\\{ \"n\" : 1 }}");
        assertProblem(admin.postText("/events/" + eventType + "?audience=", "{}"), 400, "webhook-dispatcher/bad-opts");
        endpoint.put("payloadFormat", "xml");
        assertProblem(admin.post("/endpoints", endpoint), 400, "webhook-dispatcher/bad-opts");
    }

    @Test
    void eventWhenAudienceIsMissingThenRefusedUnlessEvery() {
        Map<String, Object> endpoint = Map.of(
                "endpointId",
                "tenant-" + eventType,
                "url",
                partner.url(path),
                "eventTypes",
                List.of(eventType),
                "secret",
                SECRET,
                "audience",
                "tenant-1");
        assertThat(admin.post("/endpoints", endpoint).status()).isEqualTo(201);

        assertProblem(admin.postText("/events/" + eventType, "{}"), 400, "webhook-dispatcher/audience-required");
        assertProblem(
                admin.postText("/events/" + eventType + "?audience=*&audience=tenant-1", "{}"),
                400,
                "webhook-dispatcher/bad-opts");
        assertThat(partner.webhooks(path)).isEmpty();
        Answer dispatched = admin.postText("/events/" + eventType + "?audience=*", "{}");

        assertThat(only(dispatched).required("endpointId").asString()).isEqualTo("tenant-" + eventType);
        assertThat(partner.webhooks(path)).hasSize(1);
    }
}
