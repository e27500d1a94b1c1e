package io.credential.seal;

/**
 * Where a sealed cell belongs. A cell opens at the address it was sealed for and nowhere else.
 *
 * @param table the logical name of the table, the same whatever the table is called in the database
 * @param column the column
 * @param namespace the namespace of the row; empty where a table has none
 * @param id the id of the row
 * @since 0.1.0
 */
public record CellAddress(String table, String column, String namespace, String id) {}
