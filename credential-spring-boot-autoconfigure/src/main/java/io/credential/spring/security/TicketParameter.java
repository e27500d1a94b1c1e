package io.credential.spring.security;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.internal.ticket.TicketText;

/**
 * Reads tickets from the query of GET requests, the method of WebSocket handshakes and {@code EventSource}. Does not use
 * the parameters of the request, which a server may also read from a body, and in another encoding. Thread-safe.
 */
final class TicketParameter {

    /** The length of a ticket of which each character is percent-encoded. */
    private static final int MAX_ENCODED_LENGTH = 3 * TicketText.MAX_LENGTH;

    private final String name;

    TicketParameter(String name) {
        this.name = name;
    }

    /** Returns the values of the parameter, which may be empty, malformed or too long for a ticket. */
    List<String> valuesIn(HttpServletRequest request) {
        String query = request.getQueryString();
        if (query == null || !"GET".equals(request.getMethod())) {
            return List.of();
        }
        List<String> values = new ArrayList<>();
        int start = 0;
        while (start <= query.length()) {
            int end = query.indexOf('&', start);
            int next = end < 0 ? query.length() : end;
            addValue(query.substring(start, next), values);
            start = next + 1;
        }
        return values;
    }

    private void addValue(String pair, List<String> values) {
        int equals = pair.indexOf('=');
        String key = equals < 0 ? pair : pair.substring(0, equals);
        // A longer name is not ours, however it is encoded.
        if (key.length() <= 3 * name.length() && decoded(key).equals(name)) {
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            // What is too long is not decoded, and is too long for a ticket in any case.
            values.add(value.length() <= MAX_ENCODED_LENGTH ? decoded(value) : value);
        }
    }

    /** Returns a text that is not valid percent-encoding as it is; it is the name of no parameter, and not a ticket. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }
}
