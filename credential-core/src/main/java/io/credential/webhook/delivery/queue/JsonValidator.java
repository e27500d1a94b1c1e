package io.credential.webhook.delivery.queue;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Checks that bytes are exactly one JSON value (RFC 8259) in UTF-8. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JsonValidator {

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    /** Without Jackson's limits: longer numbers and strings are still JSON, and nothing is converted here. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS) // for a better message
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonValidator() {}

    /** Returns what is wrong, without values of the text, or empty if it is JSON. */
    public static Optional<String> problem(byte[] bytes) {
        int mark = BYTE_ORDER_MARK.length;
        if (bytes.length == 0 || (bytes.length >= mark && Arrays.equals(bytes, 0, mark, BYTE_ORDER_MARK, 0, mark))) {
            return Optional.of("it does not begin with a JSON value");
        }
        // Decodes strictly, unlike the parser, and a part at a time: the text of a large payload would not fit.
        Reader text = new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder());
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            return problem(parser);
        }
    }

    private static Optional<String> problem(JsonParser parser) {
        int values = 0;
        try {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_FLOAT && parser.isNaN()) {
                    return Optional.of("the number" + where(parser) + " is NaN or infinite");
                }
                boolean endsValue = !token.isStructStart()
                        && token != JsonToken.PROPERTY_NAME
                        && parser.streamReadContext().inRoot();
                values += endsValue ? 1 : 0;
            }
        } catch (JacksonException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                return Optional.of("it is not UTF-8");
            }
            // Without the exception: its message shows a part of the text.
            return Optional.of("it is malformed" + where(parser));
        }
        return values == 1 ? Optional.empty() : Optional.of("it must be exactly one value, not " + values);
    }

    private static String where(JsonParser parser) {
        String pointer = parser.streamReadContext().pathAsPointer().toString();
        return pointer.isEmpty() ? "" : " at " + pointer;
    }
}
