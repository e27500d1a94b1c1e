package io.credential.webhook.event;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import io.credential.webhook.event.WebhookEventCatalog.Entry;

/**
 * Describes the requests that receivers get in an OpenAPI 3.1 document: one webhook for each event type, with the headers of
 * all signature schemes and the schema of the body. Methods throw {@link WebhookEventException} for null. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookOpenApi {

    private static final String SCHEMAS = "#/components/schemas/";
    private static final String PARAMETERS = "#/components/parameters/";

    private static final String CREDENTIAL = "In the scheme credential: t=<time>,id=<signed id>,<kid>=<signature>";
    private static final String STANDARD_HEADER = "webhook-signature";
    private static final String STANDARD =
            "In the scheme standard-webhooks: v1,<signature> or v1a,<signature>; several are separated by spaces";

    private static final String ANOTHER_NAME = "; an endpoint can have another name for it";

    private final WebhookEventCatalog catalog;
    private String title = "Webhooks";
    private String version = "1";
    private String signatureHeader = "Webhook-Signature";
    private String deliveryIdHeader = "X-Webhook-Delivery-Id";
    private String eventIdHeader = "X-Webhook-Event-Id";
    private String eventTypeHeader = "X-Webhook-Event-Type";
    private String attemptHeader = "X-Webhook-Attempt";
    private boolean envelope;

    private WebhookOpenApi(WebhookEventCatalog catalog) {
        this.catalog = catalog;
    }

    /** Returns the description of all event types of a catalogue. */
    public static WebhookOpenApi of(WebhookEventCatalog catalog) {
        return new WebhookOpenApi(WebhookEventException.require("catalog", catalog));
    }

    /** Sets the title of the document. Default: {@code Webhooks}. */
    public WebhookOpenApi title(String title) {
        this.title = WebhookEventException.require("title", title);
        return this;
    }

    /** Sets the version of the document, which is that of your interface. Default: {@code 1}. */
    public WebhookOpenApi version(String version) {
        this.version = WebhookEventException.require("version", version);
        return this;
    }

    /** Sets the header that carries the signature in the scheme {@code credential}, if the dispatcher uses another. Default: {@code Webhook-Signature}. */
    public WebhookOpenApi signatureHeader(String name) {
        this.signatureHeader = WebhookEventException.require("signatureHeader", name);
        return this;
    }

    /**
     * Sets the names of the headers that describe a delivery, if the dispatcher uses others. An empty name leaves the header
     * out. Default: {@code X-Webhook-Delivery-Id}, {@code X-Webhook-Event-Id}, {@code X-Webhook-Event-Type} and {@code
     * X-Webhook-Attempt}.
     */
    public WebhookOpenApi headers(String deliveryId, String eventId, String eventType, String attempt) {
        this.deliveryIdHeader = WebhookEventException.require("deliveryId", deliveryId);
        this.eventIdHeader = WebhookEventException.require("eventId", eventId);
        this.eventTypeHeader = WebhookEventException.require("eventType", eventType);
        this.attemptHeader = WebhookEventException.require("attempt", attempt);
        return this;
    }

    /** Describes the payload format {@code envelope}. Default: {@code raw}, in which the body is the event itself. */
    public WebhookOpenApi envelope() {
        this.envelope = true;
        return this;
    }

    /** Returns the document as JSON. */
    public String toJson() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.1.0");
        document.putObject("info").put("title", title).put("version", version);
        document.put("jsonSchemaDialect", WebhookEventCatalog.DIALECT);
        ObjectNode webhooks = document.putObject("webhooks");
        ObjectNode components = document.putObject("components");
        ObjectNode schemas = components.putObject("schemas");
        ObjectNode parameters = parameters(components);
        for (Entry entry : catalog.entries()) {
            schemas.set(entry.type().name(), entry.schema());
            describe(entry.type(), webhooks.putObject(entry.type().name()).putObject("post"), parameters);
        }
        return WebhookEventCatalog.text(document);
    }

    private void describe(WebhookEventType type, ObjectNode post, ObjectNode parameters) {
        if (!type.description().isEmpty()) {
            post.put("summary", type.description());
        }
        post.put("operationId", type.name());
        ArrayNode headers = post.putArray("parameters");
        parameters.propertyNames().forEach(name -> headers.addObject().put("$ref", PARAMETERS + name));
        ObjectNode body = post.putObject("requestBody").put("required", true);
        body.putObject("content").putObject("application/json").set("schema", body(type));
        ObjectNode responses = post.putObject("responses");
        responses.putObject("2XX").put("description", "The event was received.");
        responses.putObject("default").put("description", "The event was not received, and is sent again.");
    }

    private ObjectNode body(WebhookEventType type) {
        ObjectNode event = JsonNodeFactory.instance.objectNode().put("$ref", SCHEMAS + type.name());
        if (!envelope) {
            return event;
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("type", "object");
        ObjectNode properties = body.putObject("properties");
        properties.putObject("type").put("const", type.name());
        properties.putObject("timestamp").put("type", "string").put("format", "date-time");
        properties.set("data", event);
        body.putArray("required").add("type").add("timestamp").add("data");
        return body;
    }

    private ObjectNode parameters(ObjectNode components) {
        ObjectNode parameters = components.putObject("parameters");
        // The names of headers are not case-sensitive, and a document must not describe one twice.
        if (signatureHeader.equalsIgnoreCase(STANDARD_HEADER)) {
            header(parameters, signatureHeader, false, "The signature. " + CREDENTIAL + ". " + STANDARD);
        } else {
            header(parameters, signatureHeader, false, CREDENTIAL);
            header(parameters, STANDARD_HEADER, false, STANDARD);
        }
        header(parameters, "webhook-id", false, "In the scheme standard-webhooks: the id of the delivery");
        header(
                parameters,
                "webhook-timestamp",
                false,
                "In the scheme standard-webhooks: the time of the attempt, in Unix seconds");
        header(parameters, "Stripe-Signature", false, "In the scheme stripe: t=<time>,v1=<signature>" + ANOTHER_NAME);
        header(parameters, "X-Hub-Signature-256", false, "In the scheme github: sha256=<signature>" + ANOTHER_NAME);
        header(parameters, deliveryIdHeader, true, "The id of the delivery, the same in all attempts");
        header(parameters, eventIdHeader, true, "The id of the event");
        header(parameters, eventTypeHeader, true, "The type of the event");
        header(parameters, attemptHeader, true, "The number of the attempt, beginning with 1");
        parameters.remove(""); // the name of those that are left out
        return parameters;
    }

    private static void header(ObjectNode parameters, String name, boolean required, String description) {
        parameters
                .putObject(name)
                .put("name", name)
                .put("in", "header")
                .put("required", required)
                .put("description", description)
                .putObject("schema")
                .put("type", "string");
    }
}
