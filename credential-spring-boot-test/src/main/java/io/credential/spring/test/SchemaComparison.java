package io.credential.spring.test;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** Finds what a receiver that relies on one schema cannot read any more if it gets what another describes. */
final class SchemaComparison {

    private static final String ENUM = "enum";
    private static final String EXTENSIBLE = "x-extensible-enum";

    private final String event;
    private final List<String> problems = new ArrayList<>();

    private SchemaComparison(String event) {
        this.event = event;
    }

    /** Compares two documents of {@link io.credential.webhook.event.WebhookEventCatalog#jsonSchema()}. */
    static List<String> incompatibilities(JsonNode before, JsonNode after) {
        List<String> problems = new ArrayList<>();
        before.path("$defs").propertyStream().forEach(event -> {
            SchemaComparison comparison = new SchemaComparison(event.getKey());
            JsonNode now = after.path("$defs").get(event.getKey());
            if (now == null) {
                comparison.report("", "was removed");
            } else {
                comparison.value("", event.getValue(), now);
            }
            problems.addAll(comparison.problems);
        });
        return problems;
    }

    private void value(String path, JsonNode before, JsonNode after) {
        String type = type(before);
        String now = type(after);
        boolean narrowed = type.equals("number") && now.equals("integer");
        if (!type.equals(now) && !narrowed) {
            report(path, "was " + type + ", and is " + now);
            return;
        }
        if (types(after).contains("null") && !types(before).contains("null")) {
            report(path, "may be null");
        }
        if (before.has("format") && !narrowed && !before.get("format").equals(after.get("format"))) {
            report(path, "had the format " + text(before.get("format")) + ", and has " + text(after.get("format")));
        }
        if (!before.path("contentEncoding").equals(after.path("contentEncoding"))) {
            report(path, "changed its encoding");
        }
        values(path, before, after);
        if (type.equals("array")) {
            items(path, before, after);
        }
        if (type.equals("object")) {
            members(path, before, after);
        }
    }

    private void values(String path, JsonNode before, JsonNode after) {
        Set<String> known = texts(before, before.has(ENUM) ? ENUM : EXTENSIBLE);
        Set<String> now = texts(after, after.has(ENUM) ? ENUM : EXTENSIBLE);
        if (before.has(ENUM) && !after.has(ENUM)) {
            report(path, "may be other strings than " + String.join(", ", known));
        } else if (before.has(ENUM)) {
            without(now, known).forEach(value -> report(path, "may be '" + value + "', which is new"));
        }
        if (!now.isEmpty()) {
            without(known, now).forEach(value -> report(path, "is never '" + value + "' any more"));
        }
    }

    private void items(String path, JsonNode before, JsonNode after) {
        if (before.has("uniqueItems") && !after.has("uniqueItems")) {
            report(path, "may contain equal elements");
        }
        value(path + "[]", before.required("items"), after.required("items"));
    }

    private void members(String path, JsonNode before, JsonNode after) {
        if (before.has("properties") != after.has("properties")) {
            report(path, "was a " + (before.has("properties") ? "record, and is a map" : "map, and is a record"));
            return;
        }
        if (before.has("additionalProperties") && after.has("additionalProperties")) {
            value(path + "{}", before.required("additionalProperties"), after.required("additionalProperties"));
        }
        Set<String> required = texts(before, "required");
        Set<String> stillRequired = texts(after, "required");
        before.path("properties").propertyStream().forEach(property -> {
            String name = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            JsonNode now = after.path("properties").get(property.getKey());
            if (now == null) {
                report(name, "was removed or renamed");
                return;
            }
            if (required.contains(property.getKey()) && !stillRequired.contains(property.getKey())) {
                report(name, "may be missing");
            }
            value(name, property.getValue(), now);
        });
    }

    private void report(String path, String problem) {
        problems.add(event + ": " + (path.isEmpty() ? "the event" : path) + " " + problem);
    }

    /** Returns the type apart from null. */
    private static String type(JsonNode schema) {
        return types(schema).stream()
                .filter(type -> !type.equals("null"))
                .findFirst()
                .orElse("null");
    }

    private static Set<String> types(JsonNode schema) {
        JsonNode type = schema.required("type");
        return type.isArray() ? texts(schema, "type") : Set.of(type.asString());
    }

    private static Set<String> texts(JsonNode schema, String keyword) {
        return schema.path(keyword)
                .valueStream()
                .filter(JsonNode::isString)
                .map(JsonNode::asString)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Set<String> without(Set<String> values, Set<String> others) {
        Set<String> rest = new LinkedHashSet<>(values);
        rest.removeAll(others);
        return rest;
    }

    private static String text(@Nullable JsonNode value) {
        return value == null ? "none" : value.asString();
    }
}
