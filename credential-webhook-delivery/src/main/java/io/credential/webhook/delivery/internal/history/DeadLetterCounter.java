package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeadLetterGroup;
import io.credential.webhook.delivery.DeadLetterGroups;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.FailureReason;

/** Counts dead deliveries by endpoint and reason, of a limited number of rows. Thread-safe. */
final class DeadLetterCounter {

    /** How many deliveries are examined, beginning with the newest. */
    static final int EXAMINED = 5000;

    private static final String COUNT = """
            WITH examined AS MATERIALIZED (
                SELECT d.endpoint_id, d.last_reason, d.dead_at
                FROM {deliveries} d
                WHERE d.dead_at IS NOT NULL
                ORDER BY d.delivery_id DESC
                LIMIT :examined
            )
            SELECT endpoint_id, last_reason, count(*) AS size, min(dead_at), max(dead_at)
            FROM examined
            GROUP BY endpoint_id, last_reason
            ORDER BY size DESC, endpoint_id, last_reason""";

    private final JdbcClient jdbc;
    private final int examined;
    final String count; // not private, so that a test can run EXPLAIN

    /** @param examined how many deliveries are examined at most */
    DeadLetterCounter(CredentialDatabase database, DispatcherTables tables, int examined) {
        this.jdbc = database.jdbc();
        this.examined = examined;
        this.count = tables.in(COUNT);
    }

    /** Returns the groups; those of a reason that only a newer version knows have none. */
    DeadLetterGroups groups() {
        List<DeadLetterGroup> groups = jdbc.sql(count)
                .param("examined", examined)
                .query((row, index) -> new DeadLetterGroup(
                        row.getString(1),
                        FailureReason.ofText(row.getString(2)).orElse(null),
                        row.getLong(3),
                        Instant.ofEpochMilli(row.getLong(4)),
                        Instant.ofEpochMilli(row.getLong(5))))
                .list();
        return new DeadLetterGroups(
                groups, groups.stream().mapToLong(DeadLetterGroup::count).sum() < examined);
    }
}
