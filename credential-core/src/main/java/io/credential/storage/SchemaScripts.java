package io.credential.storage;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A set of migration scripts with its own history table.
 *
 * @param folder under {@code io/credential/storage/migration/}; it has the folder {@code common} and may have one for
 *     each dialect
 * @param historyTable records which of the scripts have run
 * @param tables that the scripts create on PostgreSQL
 * @param placeholders the values of {@code ${name}} in the scripts
 * @since 0.1.0
 */
public record SchemaScripts(String folder, String historyTable, List<String> tables, Map<String, String> placeholders) {

    /** The tables that every feature needs. */
    public static final SchemaScripts COMMON = new SchemaScripts(
            "",
            SchemaMigrator.HISTORY_TABLE,
            List.of(
                    "_credential_api_keys",
                    "_credential_leases",
                    "_credential_key_checks",
                    "_credential_rate_limits",
                    "_credential_cluster_keys",
                    "_credential_nonces",
                    "_credential_audit_log"),
            Map.of());

    /** The collections are copied. */
    public SchemaScripts {
        tables = List.copyOf(tables);
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
