package io.credential.webhook.event;

import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class WebhookOpenApiTests {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @WebhookEvent(value = "order.created", description = "An order was placed.")
    record OrderCreated(String id) {}

    private final WebhookEventCatalog catalog =
            WebhookEventCatalog.builder(JSON).add(OrderCreated.class).build();

    @Test
    void toJsonThenDescribesEachTypeAsWebhook() {
        JsonNode document = JSON.readTree(
                WebhookOpenApi.of(catalog).title("Shop").version("2.1").toJson());

        assertThat(document.required("openapi").asString()).isEqualTo("3.1.0");
        assertThat(document.required("info")).isEqualTo(JSON.readTree("{\"title\":\"Shop\",\"version\":\"2.1\"}"));
        assertThat(document.required("webhooks").propertyNames()).containsExactly("order.created");
        JsonNode post = document.at("/webhooks/order.created/post");
        assertThat(post.required("summary").asString()).isEqualTo("An order was placed.");
        assertThat(post.at("/requestBody/content/application~1json/schema/$ref").asString())
                .isEqualTo("#/components/schemas/order.created");
        assertThat(post.required("parameters")
                        .valueStream()
                        .map(parameter ->
                                parameter.required("$ref").asString().replace("#/components/parameters/", "")))
                .containsExactlyElementsOf(document.at("/components/parameters").propertyNames());
        assertThat(document.at("/components/schemas/order.created/required")).isEqualTo(JSON.readTree("[\"id\"]"));
    }

    @Test
    void toJsonWhenEnvelopeThenWrapsTheEvent() {
        JsonNode document = JSON.readTree(WebhookOpenApi.of(catalog).envelope().toJson());

        assertThat(document.at("/webhooks/order.created/post/requestBody/content/application~1json/schema"))
                .isEqualTo(JSON.readTree("""
                        {
                          "type": "object",
                          "properties": {
                            "type": {"const": "order.created"},
                            "timestamp": {"type": "string", "format": "date-time"},
                            "data": {"$ref": "#/components/schemas/order.created"}
                          },
                          "required": ["type", "timestamp", "data"]
                        }
                        """));
    }

    @Test
    void toJsonWhenHeaderIsConfiguredThenNamesIt() {
        assertThat(required(WebhookOpenApi.of(catalog).signatureHeader("Shop-Signature")))
                .containsEntry("Shop-Signature", false)
                .containsEntry("webhook-signature", false)
                .doesNotContainKey("Webhook-Signature");
    }

    @Test
    void toJsonWhenHeadersAreNamedThenNamesThem() {
        assertThat(required(WebhookOpenApi.of(catalog).headers("X-Id", "X-Event", "X-Topic", "")))
                .containsEntry("X-Id", true)
                .containsEntry("X-Event", true)
                .containsEntry("X-Topic", true)
                .doesNotContainKey("")
                .allSatisfy((name, required) -> assertThat(name).doesNotStartWith("X-Webhook-"));
    }

    /** Two schemes have signature headers of the same name, unless another is configured. */
    @Test
    void toJsonThenDescribesTheHeadersOfAllSchemes() {
        assertThat(required(WebhookOpenApi.of(catalog)))
                .isEqualTo(Map.of(
                        "Webhook-Signature", false,
                        "Stripe-Signature", false,
                        "X-Hub-Signature-256", false,
                        "webhook-id", false,
                        "webhook-timestamp", false,
                        "X-Webhook-Delivery-Id", true,
                        "X-Webhook-Event-Id", true,
                        "X-Webhook-Event-Type", true,
                        "X-Webhook-Attempt", true));
    }

    private static Map<String, Boolean> required(WebhookOpenApi openApi) {
        return JSON.readTree(openApi.toJson())
                .at("/components/parameters")
                .valueStream()
                .collect(Collectors.toMap(
                        parameter -> parameter.required("name").asString(),
                        parameter -> parameter.required("required").asBoolean()));
    }
}
