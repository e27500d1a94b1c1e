package io.credential.sample;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.sample.Api.Answer;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** The event of an order is stored in the same transaction. */
@SampleTest
class OrderDeliveryIT extends WebhookFixture {

    OrderDeliveryIT(RunningSample running) {
        super(running);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void orderWhenStoredThenItsEventIsDelivered(boolean hasAudience) {
        String id = "orders-" + hasAudience;
        Map<String, Object> endpoint = new HashMap<>(Map.of(
                "endpointId", id, "url", partner.url(path), "eventTypes", List.of("order.created"), "secret", SECRET));
        if (hasAudience) {
            endpoint.put("audience", "partner-1");
        }
        admin.post("/endpoints", endpoint);

        Answer order = admin.post("/orders", Map.of("item", "a red kettle"));

        assertThat(order.status()).isEqualTo(201);
        Patience.until(() -> partner.webhooks(path).size() == 1);
        assertThat(partner.webhooks(path).get(0).body()).isEqualTo(order.body());
        Patience.until(
                () -> deliveries("endpointId=" + id + "&status=delivered").size() == 1);
        admin.delete("/endpoints/" + id);
    }

    @Test
    void orderWhenRolledBackThenNeitherOrderNorDelivery() {
        admin.post(
                "/endpoints",
                Map.of(
                        "endpointId",
                        "rolled-back",
                        "url",
                        partner.url(path),
                        "eventTypes",
                        List.of("order.created"),
                        "secret",
                        SECRET));

        assertThat(admin.post("/test/failing-orders").status()).isEqualTo(500);

        assertThat(admin.get("/orders").body()).doesNotContain("that nobody gets");
        assertThat(deliveries("endpointId=rolled-back")).isEmpty();
        admin.delete("/endpoints/rolled-back");
    }
}
