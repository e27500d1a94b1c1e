package io.credential.auditlog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.JdbcUpdateAffectedIncorrectNumberOfRowsException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.auditlog.AuditEntry.Stored;
import io.credential.storage.CredentialDatabase;

/** Inserts and reads entries. Nothing updates or deletes them. */
final class EntryStore {

    private static final String COLUMNS = """
            chain, seq, recorded_at, name, outcome, reason, actor, resource_kind, resource_id, resource_version, \
            client_address, user_agent, trace_id, attributes, digest, mac""";

    /**
     * What is read of a row. Values that are too long are cut: whoever can write the database must not be able to fill the
     * memory. Their digest is wrong in any case.
     */
    private static final String READ = COLUMNS.replaceAll(
                    "name|outcome|reason|actor|resource_kind|resource_id|client_address|user_agent|trace_id|digest|mac",
                    "substr($0, 1, " + (AuditEntry.MAX_NAME + 1) + ") AS $0")
            .replace("attributes", "substr(attributes, 1, " + (AuditEntry.MAX_ATTRIBUTES + 1) + ") AS attributes");

    /** Several rows at once, with parameters by position, take a fraction of the time of single rows. */
    private static final String INSERT = "INSERT INTO _credential_audit_log (" + COLUMNS + ") VALUES ";

    private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final int ROWS_TOGETHER = 50;

    private static final String INSERT_ONE = INSERT + ROW;

    private static final String INSERT_TOGETHER = INSERT + String.join(", ", Collections.nCopies(ROWS_TOGETHER, ROW));

    private static final String PAGE = """
            SELECT %s FROM _credential_audit_log
            WHERE chain = :chain AND seq > :after AND seq <= :last
            ORDER BY seq
            LIMIT :limit""".formatted(READ);

    private static final String PAGE_BACKWARDS = """
            SELECT %s FROM _credential_audit_log
            WHERE chain = :chain AND seq < :before
            ORDER BY seq DESC
            LIMIT :limit""".formatted(READ);

    private static final String LAST = """
            SELECT %s FROM _credential_audit_log
            WHERE chain = (SELECT min(chain) FROM _credential_audit_log WHERE chain > :after AND chain <= :max)
            ORDER BY seq DESC
            LIMIT 1""".formatted(READ);

    private static final String FIRST = """
            SELECT chain, seq FROM _credential_audit_log
            WHERE (chain, seq) >= (:fromChain, :fromSeq) AND (chain, seq) <= (:toChain, :toSeq)
            ORDER BY chain, seq
            LIMIT 1""";

    private static final String DIGEST = """
            SELECT substr(digest, 1, %d) FROM _credential_audit_log
            WHERE chain = :chain AND seq = :seq""".formatted(AuditEntry.MAX_NAME);

    private static final String READ_CHANGE = READ + """
            , (SELECT substr(p.digest, 1, %d) FROM _credential_audit_log p
             WHERE p.chain = e.chain AND p.seq = e.seq - 1) AS previous""".formatted(AuditEntry.MAX_NAME);

    /** Without ids that no writer stores, because pages continue after an id that was read entirely. */
    private static final String CHANGES = """
            SELECT %s
            FROM _credential_audit_log e
            WHERE resource_version IS NOT NULL AND length(e.resource_id) <= %d
              AND (e.resource_id, resource_version, chain, seq) > (:id, :version, :chain, :seq)
            ORDER BY e.resource_id, resource_version, chain, seq
            LIMIT :limit""".formatted(READ_CHANGE, AuditEntry.MAX_NAME);

    private static final String CHANGE_OF_VERSION = """
            SELECT %s
            FROM _credential_audit_log e
            WHERE resource_version IS NOT NULL AND e.resource_id = :id AND resource_version = :version
            ORDER BY chain, seq
            LIMIT 1""".formatted(READ_CHANGE);

    private static final RowMapper<Stored> ENTRY = (row, index) -> entry(row);
    private static final RowMapper<Change> CHANGE = (row, index) -> new Change(entry(row), row.getString("previous"));

    /** Less than a batch of the largest entries takes on a database that works. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final CredentialDatabase database;
    private final JdbcClient jdbc;

    EntryStore(CredentialDatabase database) {
        this.database = database;
        this.jdbc = database.jdbc();
    }

    /** Where a row is. */
    record Position(long chain, long seq) {}

    /**
     * An entry of a change.
     *
     * @param previous the digest of the entry before it, or null if that is not stored
     */
    record Change(Stored stored, @Nullable String previous) {}

    /**
     * Inserts all entries or none.
     *
     * @throws org.springframework.dao.DataAccessException also if the database stores less without an error
     */
    void insert(List<Stored> entries) {
        database.inTransaction(LIMIT, () -> {
            int from = 0;
            for (; from + ROWS_TOGETHER <= entries.size(); from += ROWS_TOGETHER) {
                insert(INSERT_TOGETHER, entries.subList(from, from + ROWS_TOGETHER));
            }
            for (Stored entry : entries.subList(from, entries.size())) {
                insert(INSERT_ONE, List.of(entry));
            }
            return true;
        });
    }

    private void insert(String sql, List<Stored> entries) {
        int stored = jdbc.sql(sql)
                .params(entries.stream().flatMap(EntryStore::values).toList())
                .update();
        if (stored != entries.size()) { // a trigger or a rule
            throw new JdbcUpdateAffectedIncorrectNumberOfRowsException(sql, entries.size(), stored);
        }
    }

    /** Returns the last entry of each chain, in the order of the chains. None of them may be authentic. */
    List<Stored> lasts() {
        List<Stored> lasts = new ArrayList<>();
        Optional<Stored> last = lastAfter(0);
        while (last.isPresent()) {
            lasts.add(last.get());
            last = lastAfter(last.get().entry().chain());
        }
        return lasts;
    }

    private Optional<Stored> lastAfter(long chain) {
        return jdbc.sql(LAST)
                .param("after", chain)
                .param("max", AuditHead.MAX_CHAINS)
                .query(ENTRY)
                .optional();
    }

    /** Returns the first row between two positions, which are included. */
    Optional<Position> first(Position from, Position to) {
        return jdbc.sql(FIRST)
                .param("fromChain", from.chain())
                .param("fromSeq", from.seq())
                .param("toChain", to.chain())
                .param("toSeq", to.seq())
                .query((row, index) -> new Position(row.getLong(1), row.getLong(2)))
                .optional();
    }

    /** Returns the entries of a chain before one of them, the last one first. */
    List<Stored> pageBackwards(long chain, long before, int limit) {
        return jdbc.sql(PAGE_BACKWARDS)
                .param("chain", chain)
                .param("before", before)
                .param("limit", limit)
                .query(ENTRY)
                .list();
    }

    /** Returns a page of a chain, in the order of the entries. */
    List<Stored> page(long chain, long after, long last, int limit) {
        return jdbc.sql(PAGE)
                .param("chain", chain)
                .param("after", after)
                .param("last", last)
                .param("limit", limit)
                .query(ENTRY)
                .list();
    }

    Optional<String> digest(long chain, long seq) {
        return jdbc.sql(DIGEST)
                .param("chain", chain)
                .param("seq", seq)
                .query(String.class)
                .optional();
    }

    /** Returns a page of the entries of changes, by resource and version. */
    List<Change> changesAfter(String id, long version, long chain, long seq, int limit) {
        return jdbc.sql(CHANGES)
                .param("id", id)
                .param("version", version)
                .param("chain", chain)
                .param("seq", seq)
                .param("limit", limit)
                .query(CHANGE)
                .list();
    }

    /** Returns an entry of the change that has created a version. */
    Optional<Change> change(String id, long version) {
        return jdbc.sql(CHANGE_OF_VERSION)
                .param("id", id)
                .param("version", version)
                .query(CHANGE)
                .optional();
    }

    /** Returns the values of a row, in the order of the columns. */
    private static Stream<@Nullable Object> values(Stored stored) {
        AuditEntry entry = stored.entry();
        return Stream.of(
                entry.chain(),
                entry.seq(),
                entry.recordedAt(),
                entry.name(),
                entry.outcome(),
                text(entry.reason()),
                text(entry.actor()),
                entry.resourceKind(),
                text(entry.resourceId()),
                new SqlParameterValue(Types.BIGINT, entry.version()),
                text(entry.clientAddress()),
                text(entry.userAgent()),
                text(entry.traceId()),
                entry.attributes(),
                stored.digest(),
                stored.mac());
    }

    /** With its type, for which the driver would otherwise ask the database if it is null. */
    private static SqlParameterValue text(@Nullable String value) {
        return new SqlParameterValue(Types.VARCHAR, value);
    }

    private static Stored entry(ResultSet row) throws SQLException {
        long number = row.getLong("resource_version");
        Long version = row.wasNull() ? null : number;
        return new Stored(
                new AuditEntry(
                        row.getLong("chain"),
                        row.getLong("seq"),
                        row.getLong("recorded_at"),
                        row.getString("name"),
                        row.getString("outcome"),
                        row.getString("reason"),
                        row.getString("actor"),
                        row.getString("resource_kind"),
                        row.getString("resource_id"),
                        version,
                        row.getString("client_address"),
                        row.getString("user_agent"),
                        row.getString("trace_id"),
                        row.getString("attributes")),
                row.getString("digest"),
                row.getString("mac"));
    }
}
