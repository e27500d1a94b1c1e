package io.credential.storage.internal.sqlite;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Classifies statements by their first word; an unknown one is treated as a write. */
final class SqliteText {

    private static final Pattern FIRST_WORD = Pattern.compile("\\s*(\\p{Alpha}+)");
    private static final Set<String> READS = Set.of("select", "values", "pragma", "explain");
    private static final Set<String> REUSABLE =
            Set.of("select", "values", "with", "insert", "update", "delete", "replace");

    /** A column list that SQLite expands when it compiles the statement; not {@code count(*)}. */
    private static final Pattern STAR = Pattern.compile("(?<!\\()\\*");

    private SqliteText() {}

    static boolean mayWrite(String sql) {
        return !READS.contains(firstWord(sql));
    }

    /**
     * Whether a compiled statement may be executed again much later. Pragmas act while they are compiled, and the driver
     * remembers the columns that a star stood for.
     */
    static boolean isReusable(String sql) {
        return REUSABLE.contains(firstWord(sql)) && !STAR.matcher(sql).find();
    }

    private static String firstWord(String sql) {
        Matcher matcher = FIRST_WORD.matcher(sql);
        return matcher.lookingAt() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
    }
}
