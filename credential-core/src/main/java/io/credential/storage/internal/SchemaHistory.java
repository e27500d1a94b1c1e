package io.credential.storage.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** Reads with one query whether there is anything to do, because loading Flyway takes longer than all else at a start. */
final class SchemaHistory {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaHistory.class);

    private final CredentialDatabase database;
    private final SchemaScripts scripts;

    SchemaHistory(CredentialDatabase database, SchemaScripts scripts) {
        this.database = database;
        this.scripts = scripts;
    }

    /**
     * Returns whether each script has run as it is now, and none has failed. False if the history cannot be read: Flyway
     * then reports why.
     */
    boolean isCurrent() {
        try {
            List<MigrationScript> current = MigrationScript.read(scripts, database.dialect());
            Map<String, Integer> ran = ran();
            return !current.isEmpty()
                    && current.stream()
                            .allMatch(
                                    script -> Integer.valueOf(script.checksum()).equals(ran.get(script.file())));
        } catch (DataAccessException e) {
            LOG.debug("Could not read the history of the schema", e);
            return false;
        }
    }

    /** Returns the checksums of the scripts that have run; empty if none has, or one has failed. */
    private Map<String, Integer> ran() {
        if (!database.hasTable(scripts.historyTable())) {
            return Map.of();
        }
        String sql = """
                select script, checksum, success
                from "%s"
                """.formatted(scripts.historyTable());
        return database.read(sql, parameters -> {}, rows -> {
            Map<String, Integer> checksums = new HashMap<>();
            while (rows.next()) {
                if (!rows.getBoolean("success")) {
                    return Map.<String, Integer>of();
                }
                checksums.put(rows.getString("script"), rows.getInt("checksum"));
            }
            return checksums;
        });
    }
}
