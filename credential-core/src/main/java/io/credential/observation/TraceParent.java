package io.credential.observation;

import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The header {@code traceparent} of W3C Trace Context, version 00. It is the only header that a tracer can add: others,
 * such as baggage and {@code tracestate}, are not for receivers, and could set any header of a request.
 */
final class TraceParent {

    private static final String NAME = "traceparent";

    /** Ids of zeros alone are invalid. */
    private static final Pattern VALID = Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    private TraceParent() {}

    /** Puts a header of a tracer into a carrier; ignores others and malformed ones. */
    static void put(@Nullable Map<String, String> carrier, String name, String value) {
        if (carrier != null && name.equals(NAME) && VALID.matcher(value).matches()) {
            carrier.put(NAME, value);
        }
    }

    static @Nullable String in(@Nullable Map<String, String> carrier) {
        return carrier == null ? null : carrier.get(NAME);
    }

    /** Returns a carrier with a stored header; an empty one if it is null or malformed. */
    static Map<String, String> carrier(@Nullable String stored) {
        return stored != null && VALID.matcher(stored).matches() ? Map.of(NAME, stored) : Map.of();
    }
}
