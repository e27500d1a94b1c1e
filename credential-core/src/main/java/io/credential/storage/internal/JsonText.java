package io.credential.storage.internal;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes stored JSON with a private mapper: the configuration of the application's mapper must not affect
 * what is stored or authenticated. Thread-safe.
 */
public final class JsonText {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    // All parsers would share a table of names, which fails if many of them have the same hash.
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .build())
            // As a string, infinity would come back as another value. Unquoted, it is not JSON, so reading it fails.
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .build();
    private static final TypeReference<LinkedHashMap<String, @Nullable Object>> OBJECT = new TypeReference<>() {};
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

    private JsonText() {}

    /**
     * @throws IllegalArgumentException if the value cannot be written as JSON
     */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Not writable as JSON", e);
        }
    }

    /**
     * Writes a value whose texts are stored without change.
     *
     * @throws IllegalArgumentException if the value cannot be written as JSON, or a text has half a surrogate pair, which would
     *     be stored as another character
     */
    public static String writeWellFormed(Object value) {
        String json = write(value);
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(json)) {
            throw new IllegalArgumentException("Not well-formed Unicode");
        }
        return json;
    }

    /**
     * @return the members in their order; unmodifiable, with all that they contain
     * @throws IllegalArgumentException if the text is not a JSON object, or a number in it is too large
     */
    public static Map<String, Object> readObject(String json) {
        return Collections.unmodifiableMap(contentsFixed(read(json, OBJECT)));
    }

    /** Returns how many levels of objects and arrays a value has that {@link #readObject} has returned. */
    public static int depth(@Nullable Object value) {
        Collection<?> contents =
                value instanceof Map<?, ?> object ? object.values() : value instanceof List<?> array ? array : null;
        return contents == null
                ? 0
                : 1 + contents.stream().mapToInt(JsonText::depth).max().orElse(0);
    }

    /**
     * @throws IllegalArgumentException if the text is not a JSON array of strings
     */
    public static List<String> readStrings(String json) {
        return List.copyOf(read(json, STRINGS));
    }

    /** Makes what an object contains unmodifiable. */
    private static <M extends Map<String, @Nullable Object>> M contentsFixed(M object) {
        object.replaceAll((name, value) -> unmodifiable(value));
        return object;
    }

    @SuppressWarnings("unchecked") // the mapper makes no other maps and lists
    private static @Nullable Object unmodifiable(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return Collections.unmodifiableMap(contentsFixed((Map<String, @Nullable Object>) object));
        }
        if (value instanceof List<?> array) {
            List<@Nullable Object> elements = (List<@Nullable Object>) array;
            elements.replaceAll(JsonText::unmodifiable);
            return Collections.unmodifiableList(elements);
        }
        if (value instanceof Double number && number.isInfinite()) {
            throw new IllegalArgumentException(
                    "Not the expected JSON"); // too large a number, which cannot be written again
        }
        return value;
    }

    private static <T> T read(String json, TypeReference<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            // The text may be sensitive, and Jackson quotes it: neither message nor cause may carry it.
            throw new IllegalArgumentException("Not the expected JSON");
        }
    }
}
