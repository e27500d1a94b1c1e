package io.credential.seal;

import java.util.List;
import java.util.Objects;

/**
 * Where a sealed cell belongs. A cell opens at the address it was sealed for and nowhere else.
 *
 * @param table the logical name of the table, the same whatever the name of the table in the database
 * @param column the column
 * @param namespace the namespace of the row; empty where a table has none
 * @param id the id of the row
 * @param bound further values of the row that the cell is only valid with, in this order; may be sensitive
 * @since 0.1.0
 */
public record CellAddress(String table, String column, String namespace, String id, List<String> bound) {

    /** The list is copied. */
    public CellAddress {
        Objects.requireNonNull(table, "The table must not be null");
        Objects.requireNonNull(column, "The column must not be null");
        Objects.requireNonNull(namespace, "The namespace must not be null");
        Objects.requireNonNull(id, "The id must not be null");
        bound = List.copyOf(Objects.requireNonNull(bound, "The bound values must not be null"));
    }

    /** An address without further values. */
    public CellAddress(String table, String column, String namespace, String id) {
        this(table, column, namespace, id, List.of());
    }

    /** Without the bound values. */
    @Override
    public String toString() {
        return "CellAddress[" + table + ", " + column + ", " + namespace + ", " + id + "]";
    }
}
