package io.credential.storage.internal;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

import io.credential.storage.SchemaException;

/**
 * The schema in which statements create tables, read once at startup. Tables in other schemas of the search path belong
 * to other applications.
 *
 * @param name null if no schema of the search path exists, or the user may use none
 * @param searchPath the search path of the connections
 * @param user the database user of the connections
 */
record PostgresSchema(@Nullable String name, String searchPath, String user) {

    private static final String READ =
            "SELECT current_schema() AS name, current_setting('search_path') AS search_path, current_user AS user_name";

    /** The tables that statements reach in another schema, each with that schema. */
    private static final String FOREIGN_TABLES = """
            SELECT t.name || ' of the schema ' || n.nspname
            FROM unnest(string_to_array(?, ',')) AS t (name)
            JOIN pg_catalog.pg_class c ON c.oid = to_regclass(t.name)
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname <> ?
            ORDER BY t.name""";

    private static final Pattern ELEMENT = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^,\\s\"]+)");
    private static final String USER = "$user";
    private static final String SYSTEM = "pg_";

    static PostgresSchema read(JdbcTemplate statements) {
        return Objects.requireNonNull(statements.queryForObject(
                READ,
                (row, index) -> new PostgresSchema(
                        row.getString("name"), row.getString("search_path"), row.getString("user_name"))));
    }

    /**
     * Returns the name.
     *
     * @throws SchemaException if the search path names a missing schema first: tables must not be created in the next
     *     one because of a misspelled name
     */
    String required() {
        for (String element : elements()) {
            String candidate = element.equals(USER) ? user : element;
            if (candidate.equals(name)) {
                return candidate;
            }
            if (!element.equals(USER)) {
                throw SchemaFailures.noSchema(candidate, this);
            }
        }
        throw SchemaFailures.noSchema(user, this);
    }

    /**
     * Checks that statements with unqualified names reach no table of another schema.
     *
     * @throws SchemaException if they reach one
     */
    void requireOwn(JdbcTemplate statements, List<String> tables) {
        String schema = required();
        List<@Nullable String> foreign =
                statements.queryForList(FOREIGN_TABLES, String.class, String.join(",", tables), schema);
        if (!foreign.isEmpty()) {
            throw SchemaFailures.foreign(String.valueOf(foreign.get(0)), this);
        }
    }

    private List<String> elements() {
        return ELEMENT.matcher(searchPath)
                .results()
                .map(PostgresSchema::element)
                .filter(element -> !element.isEmpty() && !element.startsWith(SYSTEM))
                .toList();
    }

    private static String element(MatchResult match) {
        String quoted = match.group(1);
        return quoted == null ? match.group(2).toLowerCase(Locale.ROOT) : quoted.replace("\"\"", "\"");
    }
}
