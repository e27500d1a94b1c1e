package io.credential.storage.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.storage.SchemaMode;

/**
 * The migration scripts of one or several products. Products share a history table, so that one run migrates all tables.
 * There, the major version of a script is its product: 1 API keys, 2 nonces, 3 the audit log, 4 rate limits, 5 the inbox, 6 the usage
 * of API keys, 9 what all need. Nothing is
 * higher, because Flyway warns at each start of a schema that is newer than all scripts, as after the removal of a
 * product. A later script gets the next minor version of its product. Scripts of different products must not depend on
 * each other, because any product can be added later.
 *
 * @param folders on the class path; each has the folder {@code common} and may have one for each dialect
 * @param historyTable records which of the scripts have run
 * @param tables that the scripts create on PostgreSQL
 * @param appendOnlyTables those of the tables whose rows the application only inserts
 * @param placeholders the values of {@code ${name}} in the scripts
 */
public record SchemaScripts(
        List<String> folders,
        String historyTable,
        List<String> tables,
        Set<String> appendOnlyTables,
        Map<String, String> placeholders) {

    /** The tables that every application with a database needs. */
    public static final SchemaScripts CORE = of(
            "io/credential/storage/internal/migration",
            "_credential_leases",
            "_credential_cluster_keys",
            "_credential_key_checks");

    /** The collections are copied; the order of folders and tables has no meaning. */
    public SchemaScripts {
        folders = folders.stream().sorted().toList();
        tables = tables.stream().sorted().toList();
        appendOnlyTables = Set.copyOf(appendOnlyTables);
        placeholders = Map.copyOf(placeholders);
    }

    /** Returns the scripts of a product that uses the common history table. */
    public static SchemaScripts of(String folder, String... tables) {
        return new SchemaScripts(List.of(folder), "_credential_schema_history", List.of(tables), Set.of(), Map.of());
    }

    /** Returns the scripts of a product that uses the common history table, and only inserts into its tables. */
    public static SchemaScripts ofAppendOnly(String folder, String... tables) {
        SchemaScripts scripts = of(folder, tables);
        return new SchemaScripts(
                scripts.folders, scripts.historyTable, scripts.tables, Set.of(tables), scripts.placeholders);
    }

    /**
     * Returns these scripts together with others.
     *
     * @throws IllegalArgumentException if the others have another history table or other placeholders
     */
    public SchemaScripts and(SchemaScripts others) {
        if (!historyTable.equals(others.historyTable) || !placeholders.equals(others.placeholders)) {
            throw new IllegalArgumentException("Scripts of " + historyTable + " and " + others.historyTable
                    + " cannot run together, because their history tables or placeholders differ");
        }
        return new SchemaScripts(
                Stream.concat(folders.stream(), others.folders.stream())
                        .distinct()
                        .toList(),
                historyTable,
                Stream.concat(tables.stream(), others.tables.stream())
                        .distinct()
                        .toList(),
                Stream.concat(appendOnlyTables.stream(), others.appendOnlyTables.stream())
                        .collect(Collectors.toSet()),
                placeholders);
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
        return folders.stream()
                .flatMap(
                        folder -> Stream.of("common", dialect.folder()).map(name -> "classpath:" + folder + "/" + name))
                .toArray(String[]::new);
    }
}
