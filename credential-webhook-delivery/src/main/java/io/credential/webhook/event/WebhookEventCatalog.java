package io.credential.webhook.event;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The typed events of an application. The schemas describe exactly what the mapper writes: names, formats and omitted
 * properties follow its configuration and annotations. Properties whose component is {@code Optional} or has a {@code @Nullable}
 * annotation may be missing or null; all others are required. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookEventCatalog {

    static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private static final JsonMapper DOCUMENTS = JsonMapper.builder().build();

    private final JsonMapper mapper;
    private final Map<String, Entry> byName;
    private final Map<Class<?>, Entry> byType;

    /** An event type with its schema, which must not be changed. */
    record Entry(WebhookEventType type, ObjectNode schema) {}

    WebhookEventCatalog(JsonMapper mapper, Map<String, Entry> byName) {
        this.mapper = mapper;
        this.byName = new LinkedHashMap<>(byName);
        this.byType = byName.values().stream()
                .collect(Collectors.toUnmodifiableMap(entry -> entry.type().recordType(), entry -> entry));
    }

    /**
     * Returns a builder.
     *
     * @param mapper writes the events
     */
    public static WebhookEventCatalogBuilder builder(JsonMapper mapper) {
        return new WebhookEventCatalogBuilder(mapper);
    }

    /** Returns a catalogue without event types. */
    public static WebhookEventCatalog empty() {
        return builder(DOCUMENTS).build();
    }

    /** Returns the event types in the order of their names. */
    public List<WebhookEventType> types() {
        return byName.values().stream().map(Entry::type).toList();
    }

    /**
     * Returns the type of an event.
     *
     * @throws WebhookEventException if the catalogue does not contain the class of the event, or it is null
     */
    public WebhookEventType typeOf(Record event) {
        return entry(event).type();
    }

    /**
     * Returns the JSON of an event, which matches its schema.
     *
     * @throws WebhookEventException if the catalogue does not contain the class of the event, it is null, or its JSON does not
     *     match, for example because a component is null without being {@code @Nullable}
     */
    public byte[] write(Record event) {
        Entry entry = entry(event);
        String type = event.getClass().getName();
        byte[] json;
        JsonNode written;
        try {
            json = mapper.writeValueAsBytes(event);
            written = mapper.readTree(json);
        } catch (JacksonException e) {
            throw new WebhookEventException(type + " cannot be written as JSON", e);
        }
        SchemaCheck.problem(entry.schema(), written).ifPresent(problem -> {
            throw new WebhookEventException("The JSON of " + type + " does not match its schema: " + problem);
        });
        return json;
    }

    /**
     * Returns one JSON Schema document (2020-12) with the schemas of all event types, by name under {@code $defs}. It changes
     * only if an event type changes.
     */
    public String jsonSchema() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("$schema", DIALECT);
        ObjectNode definitions = document.putObject("$defs");
        entries().forEach(entry -> definitions.set(entry.type().name(), entry.schema()));
        return text(document);
    }

    /**
     * Returns the JSON Schema (2020-12) of one event type.
     *
     * @throws WebhookEventException if the catalogue does not contain this name, or it is null
     */
    public String jsonSchema(String name) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("$schema", DIALECT);
        document.setAll(entry(name).schema());
        return text(document);
    }

    /**
     * Returns an example of the JSON of one event type, which matches its schema: always the same one, with every property, and
     * one element in each list and map. Its values are invented.
     *
     * @throws WebhookEventException if the catalogue does not contain this name, or it is null
     */
    public String exampleJson(String name) {
        return text(SchemaExample.of(entry(name).schema()));
    }

    Collection<Entry> entries() {
        return byName.values();
    }

    static String text(JsonNode document) {
        return DOCUMENTS.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    private Entry entry(String name) {
        Entry entry = byName.get(WebhookEventException.require("name", name));
        if (entry == null) {
            throw new WebhookEventException("The catalogue does not contain the event type '" + name + "'");
        }
        return entry;
    }

    private Entry entry(Record event) {
        Class<?> type = WebhookEventException.require("event", event).getClass();
        Entry entry = byType.get(type);
        if (entry == null) {
            throw new WebhookEventException("The catalogue does not contain " + type.getName()
                    + "; annotate it with @WebhookEvent, and add it if it is not in a package that is scanned");
        }
        return entry;
    }
}
