package io.credential.webhook.event;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebhookEventCatalogTests {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static WebhookEventCatalog catalog(Class<?>... types) {
        return catalog(JSON, types);
    }

    private static WebhookEventCatalog catalog(JsonMapper mapper, Class<?>... types) {
        WebhookEventCatalogBuilder builder = WebhookEventCatalog.builder(mapper);
        for (Class<?> type : types) {
            builder.add(type);
        }
        return builder.build();
    }

    private static JsonNode schema(JsonMapper mapper, Class<?> type) {
        WebhookEventCatalog catalog = catalog(mapper, type);
        return JSON.readTree(catalog.jsonSchema(catalog.types().get(0).name()));
    }

    @Test
    void jsonSchemaThenDescribesEveryKindOfComponent() {
        assertThat(schema(JSON, InvoicePaid.class)).isEqualTo(JSON.readTree("""
                        {
                          "$schema": "https://json-schema.org/draft/2020-12/schema",
                          "title": "InvoicePaid",
                          "description": "An invoice was paid in full.",
                          "type": "object",
                          "properties": {
                            "id": {"type": "string", "format": "uuid"},
                            "no": {"type": "integer", "format": "int32"},
                            "cents": {"type": "integer", "format": "int64"},
                            "rate": {"type": "number", "format": "double"},
                            "total": {"type": "number"},
                            "partial": {"type": "boolean"},
                            "paidAt": {"type": "string", "format": "date-time"},
                            "dueDate": {"type": "string", "format": "date"},
                            "receipt": {"type": "string", "format": "uri"},
                            "method": {"type": "string", "enum": ["CARD", "bank"]},
                            "channel": {"type": "string", "x-extensible-enum": ["WEB", "APP"]},
                            "customer": {
                              "title": "Customer",
                              "description": "Who paid",
                              "type": "object",
                              "properties": {"name": {"type": "string"}, "email": {"type": ["string", "null"]}},
                              "required": ["name"]
                            },
                            "lines": {
                              "type": "array",
                              "items": {
                                "title": "Line",
                                "type": "object",
                                "properties": {
                                  "item": {"type": "string"},
                                  "quantity": {"type": "integer", "format": "int32"}
                                },
                                "required": ["item", "quantity"]
                              }
                            },
                            "tags": {"type": "array", "uniqueItems": true, "items": {"type": "string"}},
                            "discounts": {
                              "type": "object",
                              "additionalProperties": {"type": "integer", "format": "int32"}
                            },
                            "coupon": {"type": ["string", "null"]},
                            "note": {"type": ["string", "null"]},
                            "refund": {"type": ["string", "null"], "enum": ["CARD", "bank", null]}
                          },
                          "required": ["id", "no", "cents", "rate", "total", "partial", "paidAt", "dueDate", "receipt",
                              "method", "channel", "customer", "lines", "tags", "discounts"]
                        }
                        """));
    }

    @Test
    void jsonSchemaWhenMapperRenamesThenFollows() {
        JsonMapper snakeCase = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS)
                .build();

        JsonNode properties = schema(snakeCase, InvoicePaid.class).required("properties");

        assertThat(properties.required("paid_at"))
                .isEqualTo(JSON.readTree("{\"type\":\"integer\",\"format\":\"int64\"}"));
        assertThat(written(catalog(snakeCase, InvoicePaid.class), InvoicePaid.sample()))
                .contains("\"paid_at\":1767225600000");
    }

    @WebhookEvent("shapes")
    @SuppressWarnings("ArrayRecordComponent") // an event is written once, and not compared
    record Shapes(
            @JsonFormat(shape = JsonFormat.Shape.STRING) long id,
            @JsonFormat(pattern = "yyyy", timezone = "UTC") Instant year,
            LocalDateTime local,
            byte[] picture,
            OptionalInt age,
            Email email,
            @JsonUnwrapped Address address,
            @JsonIgnore String internal) {}

    record Email(@JsonValue String text) {}

    record Address(String city) {}

    @Test
    void jsonSchemaWhenAnnotatedThenFollowsJackson() {
        WebhookEventCatalog catalog = catalog(Shapes.class);

        assertThat(schema(JSON, Shapes.class).required("properties")).isEqualTo(JSON.readTree("""
                        {
                          "id": {"type": "string"},
                          "year": {"type": "string"},
                          "local": {"type": "string"},
                          "picture": {"type": "string", "contentEncoding": "base64"},
                          "age": {"type": ["integer", "null"], "format": "int32"},
                          "email": {"type": "string"},
                          "city": {"type": "string"}
                        }
                        """));
        assertThat(written(
                        catalog,
                        new Shapes(
                                1,
                                Instant.ofEpochSecond(1767225600),
                                LocalDateTime.of(2026, 1, 1, 0, 0),
                                new byte[1],
                                OptionalInt.of(3),
                                new Email("a@b.c"),
                                new Address("Ulm"),
                                "secret")))
                .isEqualTo("{\"id\":\"1\",\"year\":\"2026\",\"local\":\"2026-01-01T00:00:00\",\"picture\":\"AA==\","
                        + "\"age\":3,\"email\":\"a@b.c\",\"city\":\"Ulm\"}");
    }

    @WebhookEvent("sparse")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Sparse(int number, String text, List<String> list, Optional<String> optional) {}

    @Test
    void jsonSchemaWhenEmptyIsOmittedThenNotRequired() {
        assertThat(schema(JSON, Sparse.class).required("required")).isEqualTo(JSON.readTree("[\"number\"]"));
        assertThat(written(catalog(Sparse.class), new Sparse(0, "", List.of(), Optional.empty())))
                .isEqualTo("{\"number\":0}");
    }

    @Test
    void jsonSchemaThenHasEveryTypeByName() {
        JsonNode document =
                JSON.readTree(catalog(Sparse.class, InvoicePaid.class).jsonSchema());

        assertThat(document.required("$schema").asString()).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        assertThat(document.required("$defs").propertyNames()).containsExactly("invoice.paid", "sparse");
    }

    @Test
    void jsonSchemaWhenNameIsUnknownThenFails() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> WebhookEventCatalog.empty().jsonSchema("invoice.paid"))
                .withMessageContaining("invoice.paid");
    }

    @Test
    void exampleThenHasAValueOfEveryKind() {
        assertThat(JSON.readTree(catalog(InvoicePaid.class).exampleJson("invoice.paid")))
                .isEqualTo(JSON.readTree("""
                        {
                          "id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
                          "no": 1,
                          "cents": 1,
                          "rate": 1.5,
                          "total": 1.5,
                          "partial": true,
                          "paidAt": "2026-01-01T00:00:00Z",
                          "dueDate": "2026-01-01",
                          "receipt": "https://example.com/",
                          "method": "CARD",
                          "channel": "WEB",
                          "customer": {"name": "text", "email": "text"},
                          "lines": [{"item": "text", "quantity": 1}],
                          "tags": ["text"],
                          "discounts": {"key": 1},
                          "coupon": "text",
                          "note": "text",
                          "refund": "CARD"
                        }
                        """));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {InvoicePaid.class, Shapes.class, Sparse.class, Counted.class, Omitting.class, Measured.class})
    void exampleThenMatchesItsSchema(Class<?> type) {
        WebhookEventCatalog catalog = catalog(type);
        String name = catalog.types().get(0).name();

        assertThat(SchemaCheck.problem(schema(JSON, type), JSON.readTree(catalog.exampleJson(name))))
                .isEmpty();
        assertThat(catalog.exampleJson(name)).isEqualTo(catalog(type).exampleJson(name));
    }

    @Test
    void exampleWhenNameIsUnknownThenFails() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(InvoicePaid.class).exampleJson("other"))
                .withMessage("The catalogue does not contain the event type 'other'");
    }

    @Test
    void typesThenAreInTheOrderOfTheirNames() {
        assertThat(catalog(Sparse.class, InvoicePaid.class, InvoicePaid.class).types())
                .containsExactly(
                        new WebhookEventType("invoice.paid", "An invoice was paid in full.", InvoicePaid.class),
                        new WebhookEventType("sparse", "", Sparse.class));
    }

    @Test
    void writeThenIsWhatTheMapperWrites() {
        assertThat(written(catalog(InvoicePaid.class), InvoicePaid.sample()))
                .isEqualTo(JSON.writeValueAsString(InvoicePaid.sample()));
    }

    @Test
    @SuppressWarnings("NullAway") // what the type forbids is what is tested
    void writeWhenRequiredValueIsNullThenFails() {
        InvoicePaid invoice =
                InvoicePaid.sample().paidBy(InvoicePaid.Method.CARD, new InvoicePaid.Customer(null, null));

        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(InvoicePaid.class).write(invoice))
                .withMessage("The JSON of " + InvoicePaid.class.getName()
                        + " does not match its schema: /customer/name is null, not \"string\"");
    }

    @Test
    @SuppressWarnings("NullAway")
    void writeWhenRequiredValueIsOmittedThenFails() {
        JsonMapper mapper = JsonMapper.builder()
                .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();

        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(mapper, InvoicePaid.class)
                        .write(InvoicePaid.sample().paidBy(null, new InvoicePaid.Customer("Ada", null))))
                .withMessageContaining("/method is missing");
    }

    @WebhookEvent("counted")
    record Counted(float weight, BigDecimal price, int count, BigInteger total) {}

    @Test
    void jsonSchemaWhenNumberHasNoLimitThenHasNoFormat() {
        JsonNode properties = schema(JSON, Counted.class).required("properties");

        assertThat(properties.required("weight"))
                .isEqualTo(JSON.readTree("{\"type\":\"number\",\"format\":\"float\"}"));
        assertThat(properties.required("price")).isEqualTo(JSON.readTree("{\"type\":\"number\"}"));
        assertThat(properties.required("count"))
                .isEqualTo(JSON.readTree("{\"type\":\"integer\",\"format\":\"int32\"}"));
        assertThat(properties.required("total")).isEqualTo(JSON.readTree("{\"type\":\"integer\"}"));
    }

    @WebhookEvent("omitting")
    record Omitting(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> tags,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String note,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) int count,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int level,
            @JsonInclude(JsonInclude.Include.NON_NULL) String name) {}

    @Test
    void jsonSchemaWhenEmptyValuesAreOmittedThenNotRequired() {
        assertThat(schema(JSON, Omitting.class).required("required")).isEqualTo(JSON.readTree("[\"count\", \"name\"]"));
    }

    @WebhookEvent("credential.backlog.old")
    record Reserved(String value) {}

    @Test
    void addWhenNameIsReservedThenFails() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(Reserved.class))
                .withMessageContaining("reserved for operational events");
    }

    @WebhookEvent("measured")
    record Measured(List<Map<String, Double>> values) {}

    @Test
    void writeWhenNumberIsNotANumberThenFails() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(Measured.class).write(new Measured(List.of(Map.of("a", Double.NaN)))))
                .withMessageContaining("/values/0/{} is string, not \"number\"");
    }

    @Test
    void writeWhenTypeIsUnknownThenFails() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> WebhookEventCatalog.empty().write(InvoicePaid.sample()))
                .withMessageContaining(InvoicePaid.class.getName())
                .withMessageContaining("@WebhookEvent");
    }

    @WebhookEvent("no.record")
    static class NoRecord {}

    record NotAnnotated() {}

    @WebhookEvent("with space")
    record WithSpace() {}

    @WebhookEvent("with:colon")
    record WithColon() {}

    @WebhookEvent("")
    record WithoutName() {}

    @WebhookEvent(".")
    record Dot() {}

    @WebhookEvent("..")
    record Dots() {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                NoRecord.class,
                NotAnnotated.class,
                WithSpace.class,
                WithColon.class,
                WithoutName.class,
                Dot.class,
                Dots.class
            })
    void addWhenNoTypedEventThenFails(Class<?> type) {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(type))
                .withMessageContaining(type.getName());
    }

    @WebhookEvent("invoice.paid")
    record OtherInvoicePaid() {}

    @Test
    void addWhenNameIsTakenThenNamesBoth() {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(InvoicePaid.class, OtherInvoicePaid.class))
                .withMessageContainingAll(
                        "invoice.paid", InvoicePaid.class.getName(), OtherInvoicePaid.class.getName());
    }

    sealed interface Payment permits Cash {}

    record Cash() implements Payment {}

    record Bean(Locale.Builder builder) {}

    @WebhookEvent("sealed")
    record WithSealed(List<Payment> wrong) {}

    @WebhookEvent("object")
    record WithObject(Object wrong) {}

    @WebhookEvent("raw")
    record WithRawList(@SuppressWarnings("rawtypes") Map<String, List> wrong) {}

    @WebhookEvent("bean")
    record WithBean(Bean wrong) {}

    @WebhookEvent("tree")
    record WithTree(JsonNode wrong) {}

    @WebhookEvent("generic")
    record Generic<T>(T wrong) {}

    @WebhookEvent("recursive")
    record Recursive(@Nullable Recursive wrong) {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                WithSealed.class,
                WithObject.class,
                WithRawList.class,
                WithBean.class,
                WithTree.class,
                Generic.class,
                Recursive.class
            })
    void addWhenComponentIsNotDescribedThenNamesPath(Class<?> type) {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> catalog(type))
                .withMessageContaining(type.getName() + ".wrong")
                .withMessageContaining("typed events consist of");
    }

    private static String written(WebhookEventCatalog catalog, Record event) {
        return new String(catalog.write(event), StandardCharsets.UTF_8);
    }
}
