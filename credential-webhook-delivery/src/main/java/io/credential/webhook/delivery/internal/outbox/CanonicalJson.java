package io.credential.webhook.delivery.internal.outbox;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.JsonStringEncoder;

import io.credential.webhook.delivery.internal.queue.JsonValidator;

/**
 * Writes JSON in one form, so that payloads can be compared as JSON values: members of objects are sorted by name,
 * numbers have one notation without loss of digits ({@code 1}, {@code 1.0} and {@code 10e-1} are equal), and neither
 * white space nor the choice of escapes counts.
 */
final class CanonicalJson {

    private static final int MAX_EXPONENT_DIGITS = 15;

    /** Smaller objects are sorted at once, because keeping many of them would need much memory. */
    private static final int MAX_SMALL = 256;

    private final JsonParser parser;

    /** The values in the order of the text; those of large objects without names. */
    private final StringBuilder values = new StringBuilder();

    private final StringBuilder out = new StringBuilder();

    /** The large objects of the current value, without those inside other large objects. */
    private List<ObjectPart> objects = new ArrayList<>();

    private CanonicalJson(JsonParser parser) {
        this.parser = parser;
    }

    /** A value between two positions of {@link #values}, and the large objects in it. */
    private record Part(int start, int end, List<ObjectPart> objects) {}

    private record ObjectPart(int start, int end, SortedMap<String, Part> members) {}

    /** The text is not JSON, or readers interpret it differently. */
    private static final class NoCanonicalFormException extends Exception {

        private static final long serialVersionUID = 1;

        NoCanonicalFormException() {
            super("No canonical form", null, false, false);
        }
    }

    /**
     * Returns the canonical form. A payload without one is returned unchanged: text that is not JSON, an object in which a
     * name appears twice, half a surrogate pair, or an exponent with more than 15 digits.
     */
    static byte[] of(byte[] payload) {
        try (JsonParser parser = JsonValidator.parser(payload)) {
            CanonicalJson json = new CanonicalJson(parser);
            json.write(json.read());
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(json.out));
            byte[] form = new byte[encoded.remaining()];
            encoded.get(form);
            return form;
        } catch (JacksonException | NoCanonicalFormException | CharacterCodingException e) {
            return payload;
        }
    }

    private Part read() throws NoCanonicalFormException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw new NoCanonicalFormException();
        }
        Part root = part(first);
        if (parser.nextToken() != null) {
            throw new NoCanonicalFormException();
        }
        return root;
    }

    private Part part(JsonToken first) throws NoCanonicalFormException {
        int start = values.length();
        List<ObjectPart> outer = objects;
        objects = new ArrayList<>(0);
        value(first);
        Part part = new Part(start, values.length(), objects);
        objects = outer;
        return part;
    }

    private void value(JsonToken token) throws NoCanonicalFormException {
        switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> string(parser.getString(), values);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> values.append(token.asString());
        }
    }

    private void object() throws NoCanonicalFormException {
        SortedMap<String, Part> members = new TreeMap<>();
        int start = values.length();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (members.put(name, part(parser.nextToken())) != null) {
                throw new NoCanonicalFormException();
            }
        }
        ObjectPart object = new ObjectPart(start, values.length(), members);
        if (values.length() - start > MAX_SMALL) {
            objects.add(object);
            return;
        }
        write(object);
        values.replace(start, values.length(), out.toString());
        out.setLength(0);
    }

    /** Copies a value once, however deeply it is nested. */
    private void write(Part part) {
        int position = part.start();
        for (ObjectPart object : part.objects()) {
            out.append(values, position, object.start());
            write(object);
            position = object.end();
        }
        out.append(values, position, part.end());
    }

    private void write(ObjectPart object) {
        char separator = '{';
        for (Map.Entry<String, Part> member : object.members().entrySet()) {
            out.append(separator);
            string(member.getKey(), out);
            out.append(':');
            write(member.getValue());
            separator = ',';
        }
        out.append(object.members().isEmpty() ? "{}" : "}");
    }

    private void array() throws NoCanonicalFormException {
        int start = values.length();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            values.append(values.length() == start ? '[' : ',');
            value(token);
        }
        values.append(values.length() == start ? "[]" : "]");
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }

    /** Writes the digits without zeros at both ends, and the exponent of the last one. */
    private void number(String text) throws NoCanonicalFormException {
        if (parser.isNaN()) {
            throw new NoCanonicalFormException();
        }
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
            values.append('0');
            return;
        }
        long exponent = exponent(text.substring(Math.min(text.length(), mantissaEnd + 1)));
        values.append(negative ? "-" : "")
                .append(digits, first, last)
                .append('E')
                .append(exponent - fraction.length() + (digits.length() - last));
    }

    private static long exponent(String text) throws NoCanonicalFormException {
        if (text.length() > MAX_EXPONENT_DIGITS + 1) {
            throw new NoCanonicalFormException();
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
