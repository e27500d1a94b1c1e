package io.credential.audit;

import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.TokenText;

/** Searches an attribute of an audit event for tokens, including nested maps, collections and arrays. */
final class MaskedValue {

    /** Replaces a value that cannot be searched. */
    private static final String OMITTED = "(omitted)";

    private static final int MAX_DEPTH = 32;
    private static final int MAX_ELEMENTS = 10_000;

    private int elements;
    private boolean foundToken;

    private MaskedValue() {}

    /**
     * Returns the value itself if it contains no token. Otherwise, returns a copy with the secrets masked: arrays become
     * lists, and other values that contain a token become text. Returns {@link #OMITTED} for a value that is too large,
     * is nested too deeply, contains itself, or throws.
     */
    static Object of(Object value) {
        try {
            MaskedValue search = new MaskedValue();
            Object copy = search.masked(value, 0);
            return search.foundToken ? copy : value;
        } catch (RuntimeException | StackOverflowError e) { // a value of the application may throw, or recurse
            return OMITTED;
        }
    }

    private Object masked(Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("Nested too deeply");
        }
        if (value instanceof Number || value instanceof Boolean || value instanceof TemporalAccessor) {
            return value;
        }
        if (value instanceof Collection<?> collection) {
            return maskedElements(collection, depth);
        }
        if (value instanceof @Nullable Object[] array) {
            return maskedElements(Arrays.asList(array), depth);
        }
        if (value instanceof Map<?, ?> map) {
            return maskedEntries(map, depth);
        }
        String text = value instanceof char[] characters ? String.valueOf(characters) : value.toString();
        if (!TokenText.containsToken(text)) {
            return value;
        }
        foundToken = true;
        return TokenText.mask(text);
    }

    private List<@Nullable Object> maskedElements(Collection<?> collection, int depth) {
        List<@Nullable Object> copy = new ArrayList<>();
        for (Object element : collection) {
            copy.add(maskedElement(element, depth));
        }
        return copy;
    }

    private Map<@Nullable Object, @Nullable Object> maskedEntries(Map<?, ?> map, int depth) {
        Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            copy.put(maskedElement(entry.getKey(), depth), maskedElement(entry.getValue(), depth));
        }
        return copy;
    }

    private @Nullable Object maskedElement(@Nullable Object element, int depth) {
        elements++;
        if (elements > MAX_ELEMENTS) {
            throw new IllegalArgumentException("Too large");
        }
        return element == null ? null : masked(element, depth + 1);
    }
}
