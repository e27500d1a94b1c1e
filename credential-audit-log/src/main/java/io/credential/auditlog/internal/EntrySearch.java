package io.credential.auditlog.internal;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.internal.AuditText;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.auditlog.internal.EntryStore.Change;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.internal.Base64Url;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Finds entries of all chains, the newest first. The index by time selects a limited number of rows, and the other
 * conditions are checked on these only, so that the cost of a page does not depend on the size of the log. Thread-safe.
 */
final class EntrySearch {

    /** How many entries a page examines. */
    static final int EXAMINED = 5000;

    /**
     * Excludes numbers of another type, which only SQLite stores and no writer does: they have no place in the order, so that
     * a page could not continue after one. Verification finds them.
     */
    private static final String IS_ORDERED = "recorded_at = CAST(recorded_at AS BIGINT)"
            + " AND chain = CAST(chain AS BIGINT) AND seq = CAST(seq AS BIGINT)";

    private static final String SEARCH = """
            WITH examined AS MATERIALIZED (
                SELECT recorded_at, chain, seq, name, outcome, actor, resource_kind, resource_id
                FROM _credential_audit_log
                WHERE {selected}
                ORDER BY recorded_at DESC, chain DESC, seq DESC
                LIMIT :examined
            ), found AS (
                SELECT recorded_at AS found_at, chain AS found_chain, seq AS found_seq
                FROM examined
                WHERE {matching}
                ORDER BY recorded_at DESC, chain DESC, seq DESC
                LIMIT :limit
            ), reached AS (
                SELECT recorded_at AS last_at, chain AS last_chain, seq AS last_seq,
                    (SELECT count(*) FROM examined) AS size
                FROM examined
                ORDER BY recorded_at, chain, seq
                LIMIT 1
            )
            SELECT {columns}, found_at, last_at, last_chain, last_seq, size
            FROM reached LEFT JOIN
                (found JOIN _credential_audit_log e ON e.chain = found_chain AND e.seq = found_seq) ON 1 = 1
            ORDER BY found_at DESC, found_chain DESC, found_seq DESC""".replace("{columns}", EntryStore.READ_CHANGE);

    private static final String LAST_VERIFICATION =
            """
            SELECT {columns}
            FROM _credential_audit_log e
            WHERE name = 'audit.verify' AND {ordered}
            ORDER BY recorded_at DESC, chain DESC, seq DESC
            LIMIT 1""".replace("{columns}", EntryStore.READ_CHANGE).replace("{ordered}", IS_ORDERED);

    private final JdbcClient jdbc;
    private final RowMac macs;

    EntrySearch(CredentialDatabase database, RowMac macs) {
        this.jdbc = database.jdbc();
        this.macs = macs;
    }

    /** @throws IllegalArgumentException if the cursor is malformed */
    AuditPage search(AuditQuery query) {
        Conditions selected = new Conditions().add(IS_ORDERED);
        selected.add("recorded_at >= :from", "from", millisFrom(query.from()));
        selected.add("recorded_at < :before", "before", millisFrom(query.before()));
        if (query.cursor() != null) {
            Place after = Place.of(query.cursor());
            selected.add("(recorded_at, chain, seq) < (:afterTime, :afterChain, :afterSeq)")
                    .set("afterTime", after.recordedAt)
                    .set("afterChain", after.chain)
                    .set("afterSeq", after.seq);
        }
        Conditions matching = matching(query);
        int examined = matching.parameters.isEmpty() ? query.limit() + 1 : EXAMINED;
        return jdbc.sql(SEARCH.replace("{selected}", selected.sql()).replace("{matching}", matching.sql()))
                .params(selected.parameters)
                .params(matching.parameters)
                .param("examined", examined)
                .param("limit", query.limit() + 1)
                .query(rows -> {
                    List<Change> found = new ArrayList<>();
                    Place reached = null;
                    while (rows.next()) {
                        if (rows.getInt("size") == examined) {
                            reached = new Place(
                                    rows.getLong("last_at"), rows.getLong("last_chain"), rows.getLong("last_seq"));
                        }
                        if (rows.getObject("found_at") != null) {
                            found.add(EntryStore.change(rows));
                        }
                    }
                    return page(found, reached, query.limit());
                });
    }

    /** Returns the last entry of a verification. */
    Optional<StoredAuditEvent> lastVerification() {
        return jdbc.sql(LAST_VERIFICATION)
                .query((row, index) -> event(EntryStore.change(row)))
                .optional();
    }

    /** @param reached the last row that was examined; null if all were */
    private AuditPage page(List<Change> found, @Nullable Place reached, int limit) {
        List<Change> shown = found;
        Place last = reached;
        if (found.size() > limit) {
            shown = found.subList(0, limit);
            last = Place.of(shown.get(limit - 1).stored().entry());
        }
        return new AuditPage(
                shown.stream().map(this::event).toList(),
                last == null ? null : last.cursor(),
                last == null ? null : Instant.ofEpochMilli(last.recordedAt));
    }

    /** Compares the texts as they are stored: shortened, without control characters and secrets. */
    private static Conditions matching(AuditQuery query) {
        return new Conditions()
                .add("name = :name", "name", AuditText.bounded(query.event(), AuditEntry.MAX_WORD))
                .add(
                        "outcome = :outcome",
                        "outcome",
                        query.outcome() == null ? null : query.outcome().text())
                .add("actor = :actor", "actor", AuditText.bounded(query.actor(), AuditEntry.MAX_NAME))
                .add("resource_kind = :kind", "kind", AuditText.bounded(query.resourceKind(), AuditEntry.MAX_WORD))
                .add("resource_id = :id", "id", AuditText.bounded(query.resourceId(), AuditEntry.MAX_NAME));
    }

    /** Returns the first millisecond that is not before a time. */
    private static @Nullable Long millisFrom(@Nullable Instant time) {
        if (time == null) {
            return null;
        }
        long millis = AuditEntry.millis(time);
        return millis < Long.MAX_VALUE && Instant.ofEpochMilli(millis).isBefore(time) ? millis + 1 : millis;
    }

    private StoredAuditEvent event(Change change) {
        AuditEntry entry = change.stored().entry();
        return new StoredAuditEvent(
                authenticity(change),
                entry.chain(),
                entry.seq(),
                Instant.ofEpochMilli(entry.recordedAt()),
                entry.name(),
                entry.outcome(),
                entry.reason(),
                entry.actor(),
                entry.resourceKind(),
                entry.resourceId(),
                entry.version(),
                entry.clientAddress(),
                entry.userAgent(),
                entry.traceId(),
                entry.attributes());
    }

    private Authenticity authenticity(Change change) {
        try {
            return change.isAuthentic(macs) ? Authenticity.AUTHENTIC : Authenticity.ALTERED;
        } catch (UnknownSealKeyException e) {
            return Authenticity.UNVERIFIABLE;
        }
    }

    /** A place in the order of the search, and its text form. */
    private record Place(long recordedAt, long chain, long seq) {

        private static final int LENGTH = 3 * Long.BYTES;
        private static final int TEXT_LENGTH = 32;

        static Place of(AuditEntry entry) {
            return new Place(entry.recordedAt(), entry.chain(), entry.seq());
        }

        static Place of(String cursor) {
            byte[] decoded = cursor.length() == TEXT_LENGTH ? Base64Url.decode(cursor) : null;
            if (decoded == null) {
                throw new IllegalArgumentException(
                        "The cursor must be the nextCursor of an earlier page of the audit log");
            }
            ByteBuffer bytes = ByteBuffer.wrap(decoded);
            return new Place(bytes.getLong(), bytes.getLong(), bytes.getLong());
        }

        String cursor() {
            return Base64Url.encode(ByteBuffer.allocate(LENGTH)
                    .putLong(recordedAt)
                    .putLong(chain)
                    .putLong(seq)
                    .array());
        }
    }

    /** Conditions that must all hold, and the parameters that they name. */
    private static final class Conditions {

        private final StringJoiner sql = new StringJoiner(" AND ").setEmptyValue("1 = 1");
        private final Map<String, Object> parameters = new HashMap<>();

        Conditions add(String condition) {
            sql.add(condition);
            return this;
        }

        /** Does nothing if the value is null. */
        Conditions add(String condition, String parameter, @Nullable Object value) {
            return value == null ? this : add(condition).set(parameter, value);
        }

        Conditions set(String parameter, Object value) {
            parameters.put(parameter, value);
            return this;
        }

        String sql() {
            return sql.toString();
        }
    }
}
