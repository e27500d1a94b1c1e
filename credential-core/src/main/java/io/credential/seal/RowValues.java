package io.credential.seal;

import org.jspecify.annotations.Nullable;

/**
 * The named values of one row in the form that its MAC covers: names and values length-prefixed, numbers as decimal
 * text, null told apart from empty. Fill it in a fixed order. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class RowValues {

    /**
     * @param table the logical name of the table
     */
    public RowValues(String table) {
        throw new UnsupportedOperationException();
    }

    public RowValues text(String name, @Nullable String value) {
        throw new UnsupportedOperationException();
    }

    public RowValues number(String name, @Nullable Long value) {
        throw new UnsupportedOperationException();
    }
}
