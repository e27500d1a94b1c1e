package io.credential.seal.internal;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;

/**
 * The named values of one row in the form that its MAC covers: names and values length-prefixed, numbers as decimal
 * text, null different from empty. Add the values in a fixed order. Not thread-safe.
 */
public final class RowValues {

    private final FieldBytes bytes = new FieldBytes(512);

    /**
     * @param table the logical name of the table
     */
    public RowValues(String table) {
        bytes.text(table);
    }

    /** Adds a text. */
    public RowValues text(String name, @Nullable String value) {
        bytes.text(name).optionalText(value);
        return this;
    }

    /** Adds a number; for a time, its Unix milliseconds. */
    public RowValues number(String name, @Nullable Long value) {
        return text(name, value == null ? null : value.toString());
    }

    FieldBytes bytes() {
        return bytes;
    }
}
