package io.credential.webhook.event;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/** Checks JSON against a schema of {@link SchemaVisitor}. Supports the keywords that are used there, and ignores formats. */
final class SchemaCheck {

    private SchemaCheck() {}

    /** Returns the first difference, without values of the JSON, or empty if it matches. */
    static Optional<String> problem(JsonNode schema, JsonNode value) {
        return problem(schema, value, "");
    }

    private static Optional<String> problem(JsonNode schema, JsonNode value, String pointer) {
        JsonNode type = schema.required("type");
        if (!allows(type, value)) {
            return Optional.of(where(pointer) + " is " + typeOf(value) + ", not " + type);
        }
        JsonNode values = schema.path("enum");
        if (values.isArray() && values.valueStream().noneMatch(value::equals)) {
            return Optional.of(where(pointer) + " is none of " + values);
        }
        return Stream.of(
                        missing(schema, value, pointer), members(schema, value, pointer), items(schema, value, pointer))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> missing(JsonNode schema, JsonNode value, String pointer) {
        if (!value.isObject()) {
            return Optional.empty();
        }
        return schema.path("required")
                .valueStream()
                .map(JsonNode::asString)
                .filter(name -> !value.has(name))
                .map(name -> where(pointer + "/" + name) + " is missing")
                .findFirst();
    }

    private static Optional<String> members(JsonNode schema, JsonNode value, String pointer) {
        return value.propertyStream()
                .map(member -> member(schema, member, pointer))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> member(JsonNode schema, Map.Entry<String, JsonNode> member, String pointer) {
        JsonNode property = schema.path("properties").get(member.getKey());
        JsonNode described = Objects.requireNonNullElse(property, schema.path("additionalProperties"));
        // The keys of a map are data of the event, which messages must not contain.
        String name = property == null ? "{}" : member.getKey();
        return described.isObject() ? problem(described, member.getValue(), pointer + "/" + name) : Optional.empty();
    }

    private static Optional<String> items(JsonNode schema, JsonNode value, String pointer) {
        if (!value.isArray()) {
            return Optional.empty();
        }
        return IntStream.range(0, value.size())
                .mapToObj(i -> problem(schema.required("items"), value.required(i), pointer + "/" + i))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static boolean allows(JsonNode type, JsonNode value) {
        return type.isArray()
                ? type.valueStream().anyMatch(one -> allows(one, value))
                : type.asString().equals(typeOf(value)) || (type.asString().equals("number") && value.isNumber());
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> throw new IllegalStateException("Not parsed from JSON");
        };
    }

    private static String where(String pointer) {
        return pointer.isEmpty() ? "it" : pointer;
    }
}
