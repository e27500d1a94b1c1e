package io.credential.sample;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ListOptions;
import io.credential.sample.Api.Answer;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** Starts the sample with its defaults, because these must send the demonstration, and no other test can know its rows. */
class DemonstrationIT {

    @ParameterizedTest
    @EnumSource
    void sendThenFillsTheConsoleAndRepeatingAddsNothing(DatabaseKind kind) throws IOException {
        try (SampleDatabase database = SampleDatabase.create(kind);
                Sample sample = database.start(Map.of())) {
            Api admin = sample.api().with(database.adminKey());
            Browser browser = new Browser(sample.port());
            browser.logIn(database.operatorPassword());
            assertThat(browser.get("/").path()).as("nothing to see").isEqualTo("/demonstration");

            assertThat(browser.submit("/demonstration", Map.of()).path()).isEqualTo("/credential/");

            Patience.untilAsserted(() -> {
                assertThat(deliveries(admin, "demo-healthy&status=delivered")).hasSize(100);
                assertThat(deliveries(admin, "demo-slow&status=delivered")).hasSize(10);
                assertThat(deliveries(admin, "demo-failing&responseStatus=503")).hasSize(30);
                assertThat(deliveries(admin, "demo-wrong-secret&responseStatus=401"))
                        .hasSize(10);
                assertThat(deliveries(admin, "demo-paused&status=pending")).hasSize(10);
                assertThat(deliveries(admin, "demo-removed&status=dead")).hasSize(10);
                assertThat(deliveries(admin, "demo-envelope&status=dead")).hasSize(1);
            });
            assertThat(browser.get("/credential/event-types").html())
                    .contains("demo.order.created", "All items of an order were handed to a carrier.");
            List<ApiKey> keys = keys(sample);
            assertThat(keys)
                    .extracting(ApiKey::name)
                    .containsExactlyInAnyOrder("nightly export", "expires soon", "never used", "disabled", "revoked");
            assertThat(browser.get("/").path()).isEqualTo("/credential/");

            browser.submit("/demonstration", Map.of());

            assertThat(deliveries(admin, "")).hasSize(171);
            assertThat(keys(sample)).hasSameSizeAs(keys);
            assertProblem(
                    admin.post(
                            "/endpoints",
                            Map.of(
                                    "endpointId",
                                    "localhost",
                                    "url",
                                    "http://localhost:" + sample.port() + "/demonstration/healthy",
                                    "eventTypes",
                                    List.of("demo.order.created"))),
                    400,
                    "webhook-dispatcher/unsafe-destination");
        }
    }

    private static List<ApiKey> keys(Sample sample) {
        return sample.bean(ApiKeyRegistry.class)
                .listForOwner("demonstration", ListOptions.defaults().withRevoked())
                .keys();
    }

    private static List<JsonNode> deliveries(Api admin, String query) {
        Answer answer = admin.get("/deliveries?limit=1000" + (query.isEmpty() ? "" : "&endpointId=" + query));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().valueStream().toList();
    }
}
