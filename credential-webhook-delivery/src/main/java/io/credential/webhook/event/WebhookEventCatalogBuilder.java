package io.credential.webhook.event;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import io.credential.webhook.event.WebhookEventCatalog.Entry;

/**
 * Builds a {@link WebhookEventCatalog}. Methods throw {@link WebhookEventException} for null. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookEventCatalogBuilder {

    /** Without the colon that other event types may have: the names are also names of OpenAPI components. */
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,255}");

    /** Of the events that the dispatcher itself sends. */
    private static final String RESERVED = "credential.";

    private final JsonMapper mapper;
    private final Map<String, Entry> entries = new TreeMap<>();

    WebhookEventCatalogBuilder(JsonMapper mapper) {
        this.mapper = WebhookEventException.require("mapper", mapper);
    }

    /**
     * Adds an event type. Does nothing if the same class was added before.
     *
     * @param recordType a record with the annotation {@link WebhookEvent}
     * @throws WebhookEventException if it is not such a record, its name is invalid or taken by another class, or it has a
     *     component whose JSON cannot be described
     */
    public WebhookEventCatalogBuilder add(Class<?> recordType) {
        WebhookEventException.require("recordType", recordType);
        WebhookEvent event = recordType.getAnnotation(WebhookEvent.class);
        if (event == null) {
            throw new WebhookEventException(recordType.getName() + " must be annotated with @WebhookEvent");
        }
        if (!recordType.isRecord()) {
            throw new WebhookEventException(
                    recordType.getName() + " is annotated with @WebhookEvent, but is not a record");
        }
        String name = event.value();
        if (!NAME.matcher(name).matches()) {
            throw new WebhookEventException("The event type '" + name + "' of " + recordType.getName()
                    + " must be 1 to 255 of A-Z, a-z, 0-9 and . _ -, but not . or ..");
        }
        if (name.startsWith(RESERVED)) {
            throw new WebhookEventException("The event type '" + name + "' of " + recordType.getName()
                    + " must not begin with " + RESERVED + ", which is reserved for operational events");
        }
        Entry other = entries.get(name);
        if (other == null) {
            Class<? extends Record> checked = recordType.asSubclass(Record.class);
            entries.put(name, new Entry(new WebhookEventType(name, event.description(), checked), schema(checked)));
        } else if (!other.type().recordType().equals(recordType)) {
            throw new WebhookEventException("The event type '" + name + "' is claimed by "
                    + other.type().recordType().getName() + " and by " + recordType.getName()
                    + "; each event type needs its own name");
        }
        return this;
    }

    private ObjectNode schema(Class<? extends Record> recordType) {
        try {
            return SchemaVisitor.schema(mapper, recordType);
        } catch (JacksonException e) {
            throw new WebhookEventException("The JSON of " + recordType.getName() + " cannot be described", e);
        }
    }

    /** Returns the catalogue of what was added so far. */
    public WebhookEventCatalog build() {
        return new WebhookEventCatalog(mapper, entries);
    }
}
