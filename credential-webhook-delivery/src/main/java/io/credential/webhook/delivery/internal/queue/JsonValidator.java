package io.credential.webhook.delivery.internal.queue;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

import io.credential.storage.internal.JsonLimits;

/** Checks that bytes are exactly one JSON value (RFC 8259) in UTF-8. Thread-safe. */
public final class JsonValidator {

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS) // for a better message
            // All parsers would share a table of names, which fails if many of them have the same hash.
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(JsonLimits.PARSER)
            .build();

    private JsonValidator() {}

    /** Returns what is wrong, with its position but nothing of the text, or empty if it is JSON. */
    public static Optional<String> problem(byte[] bytes) {
        int mark = BYTE_ORDER_MARK.length;
        if (bytes.length == 0 || (bytes.length >= mark && Arrays.equals(bytes, 0, mark, BYTE_ORDER_MARK, 0, mark))) {
            return Optional.of("it does not begin with a JSON value");
        }
        try (JsonParser parser = parser(bytes)) {
            return problem(parser);
        }
    }

    /**
     * Returns whether objects and arrays are nested more deeply than {@link JsonLimits#MAX_DEPTH}. If the text is not
     * JSON, what comes before its first error counts.
     */
    public static boolean isTooDeep(byte[] bytes) {
        int opening = 0;
        for (byte b : bytes) {
            opening += b == '[' || b == '{' ? 1 : 0;
        }
        if (opening <= JsonLimits.MAX_DEPTH) {
            return false; // the usual case, for which nothing is parsed
        }
        try (JsonParser parser = parser(bytes)) {
            while (parser.nextToken() != null) {
                // the parser counts
            }
            return false;
        } catch (StreamConstraintsException e) {
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }

    /**
     * Returns a parser with the limits of payloads. Unlike a parser of bytes, it rejects invalid UTF-8. It decodes one
     * part at a time, because the text of a large payload would not fit into memory.
     */
    public static JsonParser parser(byte[] bytes) {
        return JSON.createParser(
                ObjectReadContext.empty(),
                new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder()));
    }

    private static Optional<String> problem(JsonParser parser) {
        int values = 0;
        try {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_NUMBER_FLOAT && parser.isNaN()) {
                    return Optional.of("the number" + at(parser.currentTokenLocation()) + " is NaN or infinite");
                }
                boolean endsValue = !token.isStructStart()
                        && token != JsonToken.PROPERTY_NAME
                        && parser.streamReadContext().inRoot();
                values += endsValue ? 1 : 0;
            }
        } catch (StreamConstraintsException e) {
            return Optional.of("it has more than " + JsonLimits.MAX_DEPTH + " levels of objects and arrays"
                    + at(parser.currentLocation()));
        } catch (JacksonException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                return Optional.of("it is not UTF-8");
            }
            // Without the exception: its message shows a part of the text.
            return Optional.of("it is malformed" + at(parser.currentLocation()));
        }
        return values == 1 ? Optional.empty() : Optional.of("it must be exactly one value, not " + values);
    }

    /** Without the path, whose names belong to the text, which may be erased. */
    private static String at(TokenStreamLocation location) {
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
