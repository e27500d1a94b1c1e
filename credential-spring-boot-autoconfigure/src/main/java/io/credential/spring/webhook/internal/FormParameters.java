package io.credential.spring.webhook.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * Parses parameters in the format {@code name=value&name=value} as Tomcat does; a name without a value has an empty
 * one. Depends on nothing but its arguments.
 */
final class FormParameters {

    private FormParameters() {}

    /**
     * @param charset the charset of what is percent-encoded, and of all other bytes
     * @param maxCount how many values are accepted
     * @throws MalformedFormException if a percent sign is not followed by two hexadecimal digits, a name is empty,
     *     bytes are not valid in the charset, or there are too many values
     */
    static Map<String, String[]> parse(byte[] form, Charset charset, int maxCount) throws MalformedFormException {
        MultiValueMap<String, String> values = new LinkedMultiValueMap<>();
        int count = 0;
        for (int start = 0; start < form.length; ) {
            int end = indexOf('&', form, start, form.length);
            if (end > start) {
                if (++count > maxCount) {
                    throw new MalformedFormException("has more than " + maxCount + " parameters");
                }
                int equals = indexOf('=', form, start, end);
                if (equals == start) {
                    throw new MalformedFormException("has a parameter without a name");
                }
                values.add(decode(form, start, equals, charset), decode(form, Math.min(equals + 1, end), end, charset));
            }
            start = end + 1;
        }
        return arrays(values);
    }

    /** Returns the values in the form that requests have them. */
    static Map<String, String[]> arrays(MultiValueMap<String, String> values) {
        Map<String, String[]> map = new LinkedHashMap<>();
        values.forEach((name, list) -> map.put(name, list.toArray(String[]::new)));
        return Collections.unmodifiableMap(map);
    }

    private static int indexOf(char sought, byte[] form, int start, int end) {
        int index = start;
        while (index < end && form[index] != sought) {
            index++;
        }
        return index;
    }

    private static String decode(byte[] form, int start, int end, Charset charset) throws MalformedFormException {
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(end - start);
        for (int i = start; i < end; i++) {
            if (form[i] == '%') {
                int high = i + 2 < end ? Character.digit(form[i + 1], 16) : -1;
                int low = i + 2 < end ? Character.digit(form[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw new MalformedFormException("has a percent sign without two hexadecimal digits");
                }
                decoded.write(high << 4 | low);
                i += 2;
            } else {
                decoded.write(form[i] == '+' ? ' ' : form[i]);
            }
        }
        return decode(decoded.toByteArray(), charset);
    }

    /** @throws MalformedFormException if bytes are not valid in the charset */
    static String decode(byte[] bytes, Charset charset) throws MalformedFormException {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFormException("has bytes that are not valid in " + charset.name());
        }
    }

    /** Says what is wrong with a form, without its content. */
    static final class MalformedFormException extends Exception {

        private static final long serialVersionUID = 1;

        MalformedFormException(String message) {
            super(message);
        }
    }
}
