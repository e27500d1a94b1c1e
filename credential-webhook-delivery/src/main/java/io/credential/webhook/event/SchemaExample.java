package io.credential.webhook.event;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes an example that matches a schema of {@link SchemaVisitor}: always the same one, with every property, and one element in
 * each list and map. Schemas describe nested records in place and are not recursive, which limits the size of the example.
 */
final class SchemaExample {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SchemaExample() {}

    static JsonNode of(JsonNode schema) {
        return switch (type(schema)) {
            case "object" -> object(schema);
            case "array" -> array(schema);
            case "integer" -> JSON.numberNode(1);
            case "number" -> JSON.numberNode(1.5);
            case "boolean" -> JSON.booleanNode(true);
            case "string" -> string(schema);
            default -> throw new IllegalStateException("No example of the type " + schema.get("type"));
        };
    }

    /** Returns the type; of a value that may be null, the other one. */
    private static String type(JsonNode schema) {
        JsonNode type = schema.required("type");
        return (type.isArray() ? type.required(0) : type).asString();
    }

    private static ObjectNode object(JsonNode schema) {
        ObjectNode example = JSON.objectNode();
        schema.path("properties")
                .propertyStream()
                .forEach(property -> example.set(property.getKey(), of(property.getValue())));
        JsonNode values = schema.path("additionalProperties");
        if (values.isObject()) {
            example.set("key", of(values));
        }
        return example;
    }

    private static ArrayNode array(JsonNode schema) {
        return JSON.arrayNode().add(of(schema.required("items")));
    }

    private static JsonNode string(JsonNode schema) {
        for (String keyword : new String[] {"enum", "x-extensible-enum"}) {
            JsonNode first = schema.path(keyword).path(0);
            if (first.isString()) {
                return first;
            }
        }
        if (schema.has("contentEncoding")) {
            return JSON.stringNode("AAEC");
        }
        return JSON.stringNode(
                switch (schema.path("format").asString("")) {
                    case "date-time" -> "2026-01-01T00:00:00Z";
                    case "date" -> "2026-01-01";
                    case "uuid" -> "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
                    case "uri" -> "https://example.com/";
                    default -> "text";
                });
    }
}
