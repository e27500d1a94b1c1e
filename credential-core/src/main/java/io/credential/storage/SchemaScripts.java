package io.credential.storage;

import java.util.Map;
import java.util.Objects;

/**
 * A set of migration scripts with its own history table.
 *
 * @param folder under {@code io/credential/storage/migration/}; it has the folder {@code common} and may have one for
 *     each dialect
 * @param historyTable records which of the scripts have run
 * @param placeholders the values of {@code ${name}} in the scripts
 * @since 0.1.0
 */
public record SchemaScripts(String folder, String historyTable, Map<String, String> placeholders) {

    /** The tables that every feature needs. */
    static final SchemaScripts COMMON = new SchemaScripts("", SchemaMigrator.HISTORY_TABLE, Map.of());

    /** The map is copied. */
    public SchemaScripts {
        Objects.requireNonNull(folder, "The folder must not be null");
        Objects.requireNonNull(historyTable, "The history table must not be null");
        placeholders = Map.copyOf(Objects.requireNonNull(placeholders, "The placeholders must not be null"));
    }

    String[] locations(SqlDialect dialect) {
        String root = "classpath:io/credential/storage/migration/" + (folder.isEmpty() ? "" : folder + "/");
        return new String[] {root + "common", root + dialect.folder()};
    }
}
