package io.credential.auditlog.internal;

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

import io.credential.auditlog.internal.AuditEntry.Link;
import io.credential.auditlog.internal.AuditEntry.Stored;
import io.credential.seal.internal.RowMac;
import io.credential.storage.internal.CredentialDatabase;

import static java.util.Objects.requireNonNullElse;

/** Inserts and reads entries. Nothing updates or deletes them. */
final class EntryStore {

    private static final String COLUMNS = """
            chain, seq, recorded_at, name, outcome, reason, actor, resource_kind, resource_id, resource_version, \
            client_address, user_agent, trace_id, attributes, digest, mac""";

    /**
     * The columns as they are read. Values that are too long are cut, so that nobody who can write to the database can fill
     * the memory. Their digest is wrong in any case.
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

    private static final String LINKS_BACKWARDS = """
            SELECT chain, seq, substr(digest, 1, %1$d) AS digest, substr(mac, 1, %1$d) AS mac FROM _credential_audit_log
            WHERE chain = :chain AND seq < :before
            ORDER BY seq DESC
            LIMIT :limit""".formatted(AuditEntry.MAX_NAME);

    private static final String NEXT_CHAIN = """
            SELECT chain FROM _credential_audit_log
            WHERE chain >= :first AND chain <= %d
            ORDER BY chain
            LIMIT 1""".formatted(ChainLimits.MAX_CHAINS);

    /** In SQLite, any column may hold a text, which is greater than every number. */
    private static final String LAST = """
            SELECT %s FROM _credential_audit_log
            WHERE chain = :chain AND seq <= %d
            ORDER BY seq DESC
            LIMIT 1""".formatted(READ, ChainLimits.MAX_SEQUENCE);

    private static final String OUTSIDE = """
            SELECT chain, seq FROM _credential_audit_log WHERE chain < 1
            UNION ALL
            SELECT chain, seq FROM _credential_audit_log WHERE chain > %d
            LIMIT 1""".formatted(ChainLimits.MAX_CHAINS);

    private static final String BEFORE_CHAIN = """
            SELECT chain, seq FROM _credential_audit_log
            WHERE (chain, seq) > (:chain - 1, %d) AND (chain, seq) < (:chain, 1)
            LIMIT 1""".formatted(ChainLimits.MAX_SEQUENCE);

    private static final String DIGEST = """
            SELECT substr(digest, 1, %d) FROM _credential_audit_log
            WHERE chain = :chain AND seq = :seq""".formatted(AuditEntry.MAX_NAME);

    /** The columns of {@link #change}, of the table with the alias {@code e}. */
    static final String READ_CHANGE = READ + """
            , (SELECT substr(p.digest, 1, %d) FROM _credential_audit_log p
             WHERE p.chain = e.chain AND p.seq = e.seq - 1) AS previous""".formatted(AuditEntry.MAX_NAME);

    /** Without values that no writer stores, because pages continue after a row whose values were read exactly. */
    private static final String CHANGES = """
            SELECT %s
            FROM _credential_audit_log e
            WHERE resource_version IS NOT NULL AND length(e.resource_id) <= %d
              AND e.resource_id = CAST(e.resource_id AS TEXT)
              AND resource_version = CAST(resource_version AS BIGINT)
              AND chain = CAST(chain AS BIGINT) AND seq = CAST(seq AS BIGINT)
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
    private static final RowMapper<Change> CHANGE = (row, index) -> change(row);
    private static final RowMapper<Link> LINK = (row, index) ->
            new Link(row.getLong("chain"), row.getLong("seq"), required(row, "digest"), required(row, "mac"));
    private static final RowMapper<Position> POSITION = (row, index) -> new Position(row.getLong(1), row.getLong(2));

    /** Read instead of a value of another type, which only SQLite stores. No writer stores it. */
    private static final String OTHER_TEXT = "\0";

    private static final long OTHER_NUMBER = Long.MIN_VALUE;

    /** More than a batch of the largest entries takes on a database that works. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final CredentialDatabase database;
    private final JdbcClient jdbc;

    EntryStore(CredentialDatabase database) {
        this.database = database;
        this.jdbc = database.jdbc();
    }

    record Position(long chain, long seq) {}

    /**
     * An entry with its predecessor in the chain, which shows whether it is authentic.
     *
     * @param previous the digest of the entry before it, or null if that is not stored
     */
    record Change(Stored stored, @Nullable String previous) {

        /** @throws io.credential.seal.internal.UnknownSealKeyException if the keyring lacks the key */
        boolean isAuthentic(RowMac macs) {
            String before = stored.entry().seq() == 1 ? AuditEntry.START : previous;
            return before != null && stored.follows(before) && stored.link().isAuthentic(macs);
        }
    }

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

    /** Returns the numbers of all chains, in their order. None of their rows may be authentic. */
    List<Long> chains() {
        List<Long> chains = new ArrayList<>();
        Optional<Long> chain = chainFrom(1);
        while (chain.isPresent()) {
            chains.add(chain.get());
            chain = chainFrom(chain.get() + 1);
        }
        return chains;
    }

    private Optional<Long> chainFrom(long first) {
        return jdbc.sql(NEXT_CHAIN)
                .param("first", first)
                .query((row, index) -> row.getLong(1))
                .optional();
    }

    /** Returns the last entry of each chain. */
    List<Stored> lasts(List<Long> chains) {
        return chains.stream()
                .map(chain -> jdbc.sql(LAST).param("chain", chain).query(ENTRY).optional())
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns a row outside of the chains. */
    Optional<Position> outside() {
        return jdbc.sql(OUTSIDE).query(POSITION).optional();
    }

    /** Returns a row between the last possible entry of the chain before and the first one of this chain. */
    Optional<Position> beforeChain(long chain) {
        return jdbc.sql(BEFORE_CHAIN).param("chain", chain).query(POSITION).optional();
    }

    /** Returns the links of a chain before one of them, the last one first. */
    List<Link> linksBackwards(long chain, long before, int limit) {
        return jdbc.sql(LINKS_BACKWARDS)
                .param("chain", chain)
                .param("before", before)
                .param("limit", limit)
                .query(LINK)
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

    static Change change(ResultSet row) throws SQLException {
        return new Change(entry(row), row.getString("previous"));
    }

    private static Stored entry(ResultSet row) throws SQLException {
        return new Stored(
                new AuditEntry(
                        row.getLong("chain"),
                        row.getLong("seq"),
                        requireNonNullElse(number(row, "recorded_at"), OTHER_NUMBER),
                        required(row, "name"),
                        required(row, "outcome"),
                        text(row, "reason"),
                        text(row, "actor"),
                        required(row, "resource_kind"),
                        text(row, "resource_id"),
                        number(row, "resource_version"),
                        text(row, "client_address"),
                        text(row, "user_agent"),
                        text(row, "trace_id"),
                        required(row, "attributes")),
                required(row, "digest"),
                required(row, "mac"));
    }

    private static String required(ResultSet row, String column) throws SQLException {
        return requireNonNullElse(text(row, column), OTHER_TEXT);
    }

    private static @Nullable String text(ResultSet row, String column) throws SQLException {
        Object value = row.getObject(column);
        return value == null || value instanceof String ? (String) value : OTHER_TEXT;
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        Object value = row.getObject(column);
        if (value == null) {
            return null;
        }
        return value instanceof Long || value instanceof Integer ? ((Number) value).longValue() : OTHER_NUMBER;
    }
}
