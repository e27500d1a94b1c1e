package io.credential.seal.internal;

import java.util.List;

/**
 * The place of a sealed cell. A cell can be opened only at the address that it was sealed for.
 *
 * @param table the logical name of the table, whatever its name in the database
 * @param column the column
 * @param namespace the namespace of the row; empty where a table has none
 * @param id the id of the row
 * @param bound further values of the row without which the cell is not valid, in this order; may be sensitive
 */
public record CellAddress(String table, String column, String namespace, String id, List<String> bound) {

    /** Creates an address without further values. */
    public CellAddress(String table, String column, String namespace, String id) {
        this(table, column, namespace, id, List.of());
    }

    /** Leaves out the bound values. */
    @Override
    public String toString() {
        return "CellAddress[" + table + ", " + column + ", " + namespace + ", " + id + "]";
    }
}
