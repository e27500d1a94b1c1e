package io.credential.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Writes the scripts for PostgreSQL as one SQL text, which skips scripts that have run. It records scripts in the same history
 * as {@link SchemaMigrator}, so that each can continue where the other stopped.
 */
final class ManualMigration {

    private static final Pattern FILE = Pattern.compile("V([0-9_]+?)__(\\w+)\\.sql");

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
        read().forEach(script -> sql.append(script.sql(scripts)));
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

    private List<Script> read() {
        PathMatchingResourcePatternResolver files =
                new PathMatchingResourcePatternResolver(ManualMigration.class.getClassLoader());
        try {
            List<Script> read = new ArrayList<>();
            for (String location : scripts.locations(SqlDialect.POSTGRESQL)) {
                for (Resource file : files.getResources(location.replace("classpath:", "classpath*:") + "/*.sql")) {
                    read.add(Script.of(file));
                }
            }
            read.sort(Comparator.comparing(Script::version));
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Script(String file, MigrationVersion version, String description, String text) {

        static Script of(Resource resource) throws IOException {
            String file = String.valueOf(resource.getFilename());
            Matcher name = FILE.matcher(file);
            if (!name.matches()) {
                throw new IllegalStateException("Not a versioned script: " + file);
            }
            return new Script(
                    file,
                    MigrationVersion.fromVersion(name.group(1)),
                    name.group(2).replace('_', ' '),
                    resource.getContentAsString(StandardCharsets.UTF_8));
        }

        String sql(SchemaScripts scripts) {
            return SCRIPT.replace("{history}", scripts.historyTable())
                    .replace("{version}", version.getVersion())
                    .replace("{lockTimeout}", String.valueOf(ScriptLockTimeout.MILLIS))
                    .replace("{description}", description)
                    .replace("{file}", file)
                    .replace("{checksum}", String.valueOf(checksum()))
                    .replace("{script}", filled(scripts).strip());
        }

        String filled(SchemaScripts scripts) {
            String filled = text;
            for (Map.Entry<String, String> placeholder : scripts.placeholders().entrySet()) {
                filled = filled.replace("${" + placeholder.getKey() + "}", placeholder.getValue());
            }
            return filled;
        }

        /** Flyway's checksum: without placeholders replaced, and whatever the ends of lines are. */
        private int checksum() {
            CRC32 checksum = new CRC32();
            text.lines().forEach(line -> checksum.update(line.getBytes(StandardCharsets.UTF_8)));
            return (int) checksum.getValue();
        }
    }
}
