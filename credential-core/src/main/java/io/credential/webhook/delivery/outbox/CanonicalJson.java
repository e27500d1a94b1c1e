package io.credential.webhook.delivery.outbox;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;

import io.credential.webhook.delivery.queue.JsonValidator;

/**
 * Writes JSON in one form, so that payloads can be compared as JSON values: members of objects are sorted by name,
 * numbers have one notation without loss of digits ({@code 1}, {@code 1.0} and {@code 10e-1} are equal), and neither
 * white space nor the choice of escapes counts.
 */
final class CanonicalJson {

    private static final int MAX_EXPONENT_DIGITS = 15;

    private final JsonParser parser;
    private final StringBuilder out = new StringBuilder();

    private CanonicalJson(JsonParser parser) {
        this.parser = parser;
    }

    /** Text that readers interpret differently has no canonical form. */
    private static final class AmbiguousException extends Exception {

        private static final long serialVersionUID = 1;

        AmbiguousException() {
            super("No canonical form", null, false, false);
        }
    }

    /**
     * Returns the canonical form. What has none is returned as it is: text that is not JSON, an object in which a name
     * appears twice, half a surrogate pair, or an exponent with more than 15 digits.
     */
    static byte[] of(byte[] payload) {
        if (JsonValidator.problem(payload).isPresent()) {
            return payload;
        }
        try (JsonParser parser = JsonValidator.parser(payload)) {
            CanonicalJson json = new CanonicalJson(parser);
            json.value(parser.nextToken());
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json.out));
            byte[] form = new byte[encoded.remaining()];
            encoded.get(form);
            return form;
        } catch (AmbiguousException | CharacterCodingException e) {
            return payload;
        }
    }

    private void value(JsonToken token) throws AmbiguousException {
        switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> string(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> out.append(token.asString());
        }
    }

    private void object() throws AmbiguousException {
        Map<String, String> members = new TreeMap<>();
        int start = out.length();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            value(parser.nextToken());
            if (members.put(name, out.substring(start)) != null) {
                throw new AmbiguousException();
            }
            out.setLength(start);
        }
        char separator = '{';
        for (Map.Entry<String, String> member : members.entrySet()) {
            out.append(separator);
            string(member.getKey());
            out.append(':').append(member.getValue());
            separator = ',';
        }
        out.append(members.isEmpty() ? "{}" : "}");
    }

    private void array() throws AmbiguousException {
        int start = out.length();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            out.append(out.length() == start ? '[' : ',');
            value(token);
        }
        out.append(out.length() == start ? "[]" : "]");
    }

    private void string(String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }

    /** Writes the digits without zeros at both ends, and the exponent of the last one. */
    private void number(String text) throws AmbiguousException {
        boolean negative = text.charAt(0) == '-';
        int mantissaEnd = firstOf(text, 'e', 'E', text.length());
        int point = firstOf(text, '.', '.', mantissaEnd);
        String integer = text.substring(negative ? 1 : 0, point);
        String fraction = point == mantissaEnd ? "" : text.substring(point + 1, mantissaEnd);
        String digits = integer + fraction;
        int first = 0;
        int last = digits.length();
        while (first < last && digits.charAt(first) == '0') {
            first++;
        }
        while (last > first && digits.charAt(last - 1) == '0') {
            last--;
        }
        if (first == last) {
            out.append('0');
            return;
        }
        long exponent = exponent(text.substring(Math.min(text.length(), mantissaEnd + 1)));
        out.append(negative ? "-" : "")
                .append(digits, first, last)
                .append('E')
                .append(exponent - fraction.length() + (digits.length() - last));
    }

    private static long exponent(String text) throws AmbiguousException {
        if (text.length() > MAX_EXPONENT_DIGITS + 1) {
            throw new AmbiguousException();
        }
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    private static int firstOf(String text, char one, char other, int otherwise) {
        for (int i = 0; i < otherwise; i++) {
            if (text.charAt(i) == one || text.charAt(i) == other) {
                return i;
            }
        }
        return otherwise;
    }
}
