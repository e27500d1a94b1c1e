package io.credential.webhook.event;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Nullness;

import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonAnyFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatTypes;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonMapFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNullFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonValueFormat;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * Describes in JSON Schema (2020-12) what the serializers of a mapper write. Asks the serializers rather than the types, so that
 * names, formats and shapes follow the mapper. Nested records are described in place.
 */
final class SchemaVisitor extends JsonFormatVisitorWrapper.Base {

    private static final Set<Class<?>> OPTIONAL_NUMBERS =
            Set.of(OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    /** Jackson says the same of times without an offset, whose text is not a date-time of JSON Schema. */
    private static final Set<Class<?>> WITH_OFFSET = Set.of(Instant.class, OffsetDateTime.class);

    private final ObjectNode schema = JsonNodeFactory.instance.objectNode();
    private final String path;
    private final List<JavaType> enclosing;

    /** The property that is described, whose annotations can change the format; null for the event itself. */
    private final @Nullable BeanProperty property;

    private SchemaVisitor(
            @Nullable SerializationContext context,
            String path,
            List<JavaType> enclosing,
            @Nullable BeanProperty property) {
        super(context);
        this.path = path;
        this.enclosing = enclosing;
        this.property = property;
    }

    /** @throws WebhookEventException if a component cannot be described */
    static ObjectNode schema(JsonMapper mapper, Class<? extends Record> recordType) {
        SchemaVisitor visitor = new SchemaVisitor(null, recordType.getName(), List.of(), null);
        mapper.acceptJsonFormatVisitor(recordType, visitor);
        WebhookEvent event = recordType.getAnnotation(WebhookEvent.class);
        if (event != null && !event.description().isEmpty()) {
            visitor.schema.put("description", event.description());
        }
        return visitor.schema;
    }

    @Override
    public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
        if (!type.isRecordType()) {
            throw refused("has the type " + type.toCanonical() + ", which is not a record");
        }
        if (enclosing.contains(type)) {
            throw refused("contains the record " + type.toCanonical() + ", of which it is a part");
        }
        schema.put("title", type.getRawClass().getSimpleName());
        schema.put("type", "object");
        return new Properties(getContext(), type);
    }

    @Override
    public JsonMapFormatVisitor expectMapFormat(JavaType type) {
        schema.put("type", "object");
        return new JsonMapFormatVisitor.Base(getContext()) {
            @Override
            public void valueFormat(JsonFormatVisitable values, JavaType valueType) {
                schema.set("additionalProperties", nested(path + "{}", values, valueType));
            }
        };
    }

    @Override
    public @Nullable JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
        if (type.hasRawClass(byte[].class)) {
            schema.put("type", "string").put("contentEncoding", "base64");
            return null;
        }
        schema.put("type", "array");
        if (type.isTypeOrSubTypeOf(Set.class)) {
            schema.put("uniqueItems", true);
        }
        return new JsonArrayFormatVisitor.Base(getContext()) {
            @Override
            public void itemsFormat(JsonFormatVisitable items, JavaType itemType) {
                schema.set("items", nested(path + "[]", items, itemType));
            }

            @Override
            public void itemsFormat(JsonFormatTypes items) {
                if (items == JsonFormatTypes.ANY) {
                    throw refused("has elements of any type");
                }
                schema.putObject("items").put("type", items.value());
            }
        };
    }

    @Override
    public JsonStringFormatVisitor expectStringFormat(JavaType type) {
        schema.put("type", "string");
        if (type.hasRawClass(URI.class)) {
            schema.put("format", "uri");
        }
        return new JsonStringFormatVisitor.Base() {
            @Override
            public void format(JsonValueFormat format) {
                boolean known = format == JsonValueFormat.DATE
                        || format == JsonValueFormat.UUID
                        || (format == JsonValueFormat.DATE_TIME && WITH_OFFSET.contains(type.getRawClass()));
                if (known && !hasPattern(type)) {
                    schema.put("format", format.toString());
                }
            }

            @Override
            public void enumTypes(Set<String> values) {
                ArrayNode listed = schema.putArray(
                        type.getRawClass().isAnnotationPresent(ExtensibleEnum.class) ? "x-extensible-enum" : "enum");
                values.forEach(listed::add);
            }
        };
    }

    @Override
    public JsonNumberFormatVisitor expectNumberFormat(JavaType type) {
        schema.put("type", "number");
        return new JsonNumberFormatVisitor.Base() {
            @Override
            public void numberType(NumberType number) {
                if (number == NumberType.FLOAT || number == NumberType.DOUBLE) {
                    schema.put("format", number == NumberType.FLOAT ? "float" : "double");
                }
            }
        };
    }

    @Override
    public JsonIntegerFormatVisitor expectIntegerFormat(JavaType type) {
        schema.put("type", "integer");
        return new JsonIntegerFormatVisitor.Base() {
            @Override
            public void numberType(NumberType number) {
                if (number == NumberType.INT || number == NumberType.LONG) {
                    schema.put("format", number == NumberType.INT ? "int32" : "int64");
                }
            }
        };
    }

    @Override
    public JsonBooleanFormatVisitor expectBooleanFormat(JavaType type) {
        schema.put("type", "boolean");
        return new JsonBooleanFormatVisitor.Base();
    }

    @Override
    public JsonNullFormatVisitor expectNullFormat(JavaType type) {
        throw refused("is always null");
    }

    @Override
    public JsonAnyFormatVisitor expectAnyFormat(JavaType type) {
        throw refused("has the type " + type.toCanonical() + ", whose serializer does not say what it writes");
    }

    private ObjectNode nested(String at, JsonFormatVisitable written, JavaType type) {
        SchemaVisitor visitor = new SchemaVisitor(getContext(), at, enclosing, property);
        written.acceptJsonFormatVisitor(visitor, type);
        return visitor.schema;
    }

    private boolean hasPattern(JavaType type) {
        return property != null
                && property.findPropertyFormat(getContext().getConfig(), type.getRawClass())
                        .hasPattern();
    }

    private WebhookEventException refused(String problem) {
        return new WebhookEventException(
                path + " " + problem
                        + "; typed events consist of records, enums, strings, numbers, booleans, times, and lists, sets and maps of them");
    }

    /** Describes the properties of a record. */
    private final class Properties extends JsonObjectFormatVisitor.Base {

        private final ObjectNode properties = schema.putObject("properties");
        private final ArrayNode required = schema.putArray("required");
        private final List<JavaType> within = new ArrayList<>(enclosing);

        Properties(SerializationContext context, JavaType type) {
            super(context);
            within.add(type);
        }

        @Override
        public void property(BeanProperty component) {
            JavaType type = serializedType(component);
            ObjectNode described = describe(component.getName(), serializer(component, type), type, component);
            String description = component.getMetadata().getDescription();
            if (description != null) {
                described.put("description", description);
            }
            boolean nullable = isNullable(component);
            if (nullable) {
                allowNull(described);
            }
            if (!nullable && !mayBeOmitted(component, type)) {
                required.add(component.getName());
            }
        }

        /** Whether Jackson requires a property concerns reading. */
        @Override
        public void optionalProperty(BeanProperty component) {
            property(component);
        }

        @Override
        public void property(String name, JsonFormatVisitable written, JavaType type) {
            describe(name, written, type, null);
            required.add(name);
        }

        @Override
        public void optionalProperty(String name, JsonFormatVisitable written, JavaType type) {
            describe(name, written, type, null);
        }

        private ObjectNode describe(
                String name, JsonFormatVisitable written, JavaType type, @Nullable BeanProperty component) {
            SchemaVisitor visitor = new SchemaVisitor(getContext(), path + "." + name, within, component);
            written.acceptJsonFormatVisitor(visitor, type);
            properties.set(name, visitor.schema);
            return visitor.schema;
        }

        private JavaType serializedType(BeanProperty component) {
            JavaType configured = component instanceof BeanPropertyWriter writer ? writer.getSerializationType() : null;
            return configured == null ? component.getType() : configured;
        }

        private ValueSerializer<?> serializer(BeanProperty component, JavaType type) {
            ValueSerializer<?> fixed = component instanceof BeanPropertyWriter writer ? writer.getSerializer() : null;
            return fixed == null ? getContext().findPrimaryPropertySerializer(type, component) : fixed;
        }

        private static boolean isNullable(BeanProperty component) {
            JavaType type = component.getType();
            if (type.isReferenceType() || OPTIONAL_NUMBERS.contains(type.getRawClass())) {
                return true;
            }
            Member member =
                    component.getMember() == null ? null : component.getMember().getMember();
            if (member instanceof Method accessor) {
                return Nullness.forMethodReturnType(accessor) == Nullness.NULLABLE;
            }
            return member instanceof Field field && Nullness.forField(field) == Nullness.NULLABLE;
        }

        /** Returns whether the mapper leaves out more than null and empty optionals. */
        private boolean mayBeOmitted(BeanProperty component, JavaType type) {
            return switch (component
                    .findPropertyInclusion(getContext().getConfig(), type.getRawClass())
                    .getValueInclusion()) {
                case ALWAYS, USE_DEFAULTS, NON_NULL, NON_ABSENT -> false;
                case NON_EMPTY -> type.isContainerType() || type.isTypeOrSubTypeOf(CharSequence.class);
                case NON_DEFAULT, CUSTOM -> true;
            };
        }

        private static void allowNull(ObjectNode described) {
            String type = described.required("type").asString();
            described.putArray("type").add(type).add("null");
            if (described.get("enum") instanceof ArrayNode values) {
                values.addNull();
            }
        }
    }
}
