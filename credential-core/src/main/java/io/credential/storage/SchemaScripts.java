package io.credential.storage;

import java.util.Map;

import org.jspecify.annotations.Nullable;

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
    public static final SchemaScripts COMMON = new SchemaScripts("", SchemaMigrator.HISTORY_TABLE, Map.of());

    /** The map is copied. */
    public SchemaScripts {
        placeholders = Map.copyOf(placeholders);
    }

    /**
     * Returns SQL that the owner of the tables can run on PostgreSQL instead of {@link SchemaMigrator}, whichever of the
     * scripts have run before.
     *
     * @param user who is granted what the application needs in {@link SchemaMode#VALIDATE}; null grants nothing
     */
    public String sql(@Nullable String user) {
        return new ManualMigration(this).sql(user);
    }

    String[] locations(SqlDialect dialect) {
        String root = "classpath:io/credential/storage/migration/" + (folder.isEmpty() ? "" : folder + "/");
        return new String[] {root + "common", root + dialect.folder()};
    }
}
