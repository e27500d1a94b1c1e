package io.credential.sample;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** How all deliveries that match a query are retried. */
@SampleTest
class BulkRetryIT extends WebhookFixture {

    private static final String UNKNOWN_ID = "0123456789abcdef0123456789abcdef";

    BulkRetryIT(RunningSample running) {
        super(running);
    }

    @Test
    void bulkRetryWhenDryRunThenCountsAndRetriesNothing() {
        register("counted");
        dispatch("1");
        dispatch("2");

        Answer counted = admin.post(
                "/deliveries/bulk-retry",
                Map.of("query", Map.of("endpointId", "counted", "status", "delivered"), "dryRun", true));

        assertThat(counted.status()).as(counted.body()).isEqualTo(200);
        assertThat(counted.body()).isEqualTo("{\"selected\":2}");
        assertThat(partner.webhooks(path)).hasSize(2);
    }

    @Test
    void bulkRetryThenJobRetriesAndShowsProgress() {
        register("bulk");
        JsonNode first = only(dispatch("1"));
        JsonNode second = only(dispatch("2"));
        long from = first.required("createdAt").asLong();

        Answer started = admin.post(
                "/deliveries/bulk-retry",
                Map.of(
                        "query",
                        Map.of(
                                "endpointId",
                                "bulk",
                                "eventType",
                                eventType,
                                "status",
                                "delivered",
                                "responseStatus",
                                first.required("responseStatus").asInt(),
                                "from",
                                from,
                                "to",
                                Long.MAX_VALUE,
                                "minAttempts",
                                1)));

        assertThat(started.status()).as(started.body()).isEqualTo(202);
        assertThat(started.header("Location")).endsWith("/jobs/" + started.text("id"));
        String job = "/jobs/" + started.text("id");
        Patience.until(() -> admin.get(job).text("state").equals("finished"));
        assertThat(admin.get(job).json().required("selected").asInt()).isEqualTo(2);
        assertThat(admin.get(job).json().required("done").asInt()).isEqualTo(2);
        Patience.until(() -> partner.webhooks(path).size() == 4);
        assertThat(partner.webhooks(path).subList(2, 4))
                .extracting(webhook -> webhook.header("X-Webhook-Delivery-Id"))
                .containsExactlyInAnyOrder(id(first), id(second));
    }

    @ParameterizedTest
    @ValueSource(strings = {UNKNOWN_ID, "unknown", "0"})
    void jobWhenUnknownThenNotFound(String id) {
        assertProblem(admin.get("/jobs/" + id), 404, "webhook-dispatcher/not-found");
    }
}
