package io.credential.storage.internal;

import java.util.Comparator;
import java.util.Map;

import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/**
 * Writes the scripts for PostgreSQL as one SQL text, which skips scripts that have run. It records scripts in the same history
 * as {@link SchemaMigrator}, so that each can continue where the other stopped.
 */
final class ManualMigration {

    private static final String HISTORY = """
            create table if not exists "{history}" (
                installed_rank integer       not null constraint "{history}_pk" primary key,
                version        varchar(50),
                description    varchar(200)  not null,
                type           varchar(20)   not null,
                script         varchar(1000) not null,
                checksum       integer,
                installed_by   varchar(100)  not null,
                installed_on   timestamp     not null default now(),
                execution_time integer       not null,
                success        boolean       not null
            );

            create index if not exists "{history}_s_idx" on "{history}" (success);
            """;

    private static final String SCRIPT = """

            do $credential$
            begin
                if exists (select 1 from "{history}" where version = '{version}') then
                    return;
                end if;
                set local lock_timeout = '{lockTimeout}ms';
                insert into "{history}" (installed_rank, version, description, type, script, checksum, installed_by,
                    execution_time, success)
                select coalesce(max(installed_rank), 0) + 1, '{version}', '{description}', 'SQL', '{file}', {checksum},
                    current_user, 0, true
                from "{history}";

            {script}
            end
            $credential$;
            """;

    private final SchemaScripts scripts;

    ManualMigration(SchemaScripts scripts) {
        this.scripts = scripts;
    }

    /** @param user who is granted what the application needs; null grants nothing */
    String sql(@Nullable String user) {
        StringBuilder sql = new StringBuilder(HISTORY.replace("{history}", scripts.historyTable()));
        MigrationScript.read(scripts, SqlDialect.POSTGRESQL).stream()
                .sorted(Comparator.comparing(script -> MigrationVersion.fromVersion(script.version())))
                .forEach(script -> sql.append(sql(script)));
        if (user != null) {
            sql.append('\n').append(grant("select", '"' + scripts.historyTable() + '"', user));
            scripts.tables().forEach(table -> sql.append(grant(privileges(table), table, user)));
        }
        return sql.toString();
    }

    private String privileges(String table) {
        return scripts.appendOnlyTables().contains(table) ? "select, insert" : "select, insert, update, delete";
    }

    private static String grant(String privileges, String table, String user) {
        return "grant " + privileges + " on " + table + " to \"" + user.replace("\"", "\"\"") + "\";\n";
    }

    private String sql(MigrationScript script) {
        return SCRIPT.replace("{history}", scripts.historyTable())
                .replace("{version}", script.version())
                .replace("{lockTimeout}", String.valueOf(ScriptLockTimeout.DEFAULT_MILLIS))
                .replace("{description}", script.description())
                .replace("{file}", script.file())
                .replace("{checksum}", String.valueOf(script.checksum()))
                .replace("{script}", filled(script.text()).strip());
    }

    private String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> placeholder : scripts.placeholders().entrySet()) {
            filled = filled.replace("${" + placeholder.getKey() + "}", placeholder.getValue());
        }
        return filled;
    }
}
