package io.credential.webhook.inbox.internal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.storage.internal.SqlDialect;

/**
 * Pending webhooks. A claim counts the attempt before it begins, so that a webhook whose processing ends the node dies in the
 * end. Each later change names the attempt, so that none of an older one takes effect. Thread-safe.
 */
final class InboxQueue {

    /** After how long a webhook whose node stopped while it was processed is tried again. */
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    private static final int REMOVAL_BATCH = 500;

    private static final String IS_DUE =
            "SELECT 1 FROM _credential_webhook_inbox WHERE status = 'pending' AND next_attempt_at <= (SELECT {now}) LIMIT 1";

    private static final String CLAIM = """
            UPDATE _credential_webhook_inbox
            SET attempts = attempts + 1, next_attempt_at = {now} + :recovery
            WHERE status = 'pending' AND webhook_id {is_due}
            RETURNING webhook_id, sender, scheme, algorithm, kid, signed_at, event_id, event_type, signed_parts,
                deduplication_id, body, attempts""";

    /** PostgreSQL would otherwise read the clock for each row, and not use the index. */
    private static final String DUE = """
            SELECT webhook_id FROM _credential_webhook_inbox
            WHERE status = 'pending' AND next_attempt_at <= (SELECT {now})
            ORDER BY next_attempt_at
            LIMIT 1""";

    private static final String FINISH = """
            UPDATE _credential_webhook_inbox
            SET status = 'processed', finished_at = {now}, body = NULL
            WHERE webhook_id = :id AND status = 'pending' AND attempts = :attempts""";

    private static final String RETRY_LATER = """
            UPDATE _credential_webhook_inbox
            SET next_attempt_at = {now} + :pause, last_error = :error
            WHERE webhook_id = :id AND status = 'pending' AND attempts = :attempts""";

    private static final String BURY = """
            UPDATE _credential_webhook_inbox
            SET status = 'dead', finished_at = {now}, last_error = COALESCE(:error, last_error)
            WHERE webhook_id = :id AND status = 'pending' AND attempts = :attempts""";

    private static final String REMOVE =
            "DELETE FROM _credential_webhook_inbox WHERE status <> 'pending' AND webhook_id {is_expired}";

    private static final String EXPIRED = """
            SELECT webhook_id FROM _credential_webhook_inbox
            WHERE finished_at <= (SELECT {now}) - :retention
            ORDER BY finished_at
            LIMIT :limit""";

    private static final String COUNT_PENDING = """
            SELECT count(*) AS counted, min(next_attempt_at) AS oldest, (SELECT {now}) AS present
            FROM (
                SELECT next_attempt_at FROM _credential_webhook_inbox
                WHERE status = 'pending'
                ORDER BY next_attempt_at
                LIMIT :most) counted""";

    private static final String COUNT_DEAD = """
            SELECT count(*)
            FROM (SELECT 1 FROM _credential_webhook_inbox WHERE status = 'dead' LIMIT :most) counted""";

    private final InboxDatabase database;
    private final String isDue;
    private final String claim;
    private final String finish;
    private final String retryLater;
    private final String bury;
    private final String remove;
    private final String countPending;

    InboxQueue(InboxDatabase database) {
        this.database = database;
        this.isDue = database.sql(IS_DUE);
        this.claim = database.sql(CLAIM.replace("{is_due}", database.dialect().isOneUnlockedOf(DUE)));
        this.finish = database.sql(FINISH);
        this.retryLater = database.sql(RETRY_LATER);
        this.bury = database.sql(BURY);
        this.remove =
                database.sql(REMOVE.replace("{is_expired}", database.dialect().isOneUnlockedOf(EXPIRED)));
        this.countPending = database.sql(COUNT_PENDING);
    }

    /**
     * An attempt to process a webhook.
     *
     * @param attempt its number, from 1
     */
    record Claim(String id, int attempt, InboxMessage message) {}

    /** Claims the webhook that has been due for the longest time. */
    Optional<Claim> claim() {
        if (database.dialect() == SqlDialect.SQLITE && !isAnyDue()) { // without locking the file
            return Optional.empty();
        }
        return database.write(() -> database.statement(claim)
                .param("recovery", RECOVERY.toMillis())
                .query(InboxQueue::claimOf)
                .optional());
    }

    private boolean isAnyDue() {
        return database.statement(isDue).query(Integer.class).optional().isPresent();
    }

    private static Claim claimOf(ResultSet row, int index) throws SQLException {
        byte[] body = row.getBytes("body");
        return new Claim(
                row.getString("webhook_id"),
                row.getInt("attempts"),
                new InboxMessage(InboxRows.verifiedWebhook(row), body == null ? new byte[0] : body));
    }

    /**
     * Makes a webhook processed, and does the work in the same transaction.
     *
     * @return false if it was claimed again since, and nothing was done
     */
    boolean finish(Claim claimed, Runnable work) {
        return database.inTransaction(() -> {
            boolean finished = database.statement(finish)
                            .param("id", claimed.id())
                            .param("attempts", claimed.attempt())
                            .update()
                    == 1;
            if (finished) {
                work.run();
            }
            return finished;
        });
    }

    void retryLater(Claim claimed, long pauseMillis, String error) {
        database.write(() -> database.statement(retryLater)
                .param("id", claimed.id())
                .param("attempts", claimed.attempt())
                .param("pause", pauseMillis)
                .param("error", error)
                .update());
    }

    /**
     * @param error null keeps that of the attempt before
     * @return false if it was claimed again or processed since
     */
    boolean bury(Claim claimed, @Nullable String error) {
        return database.write(() -> database.statement(bury)
                        .param("id", claimed.id())
                        .param("attempts", claimed.attempt())
                        .param("error", error, Types.VARCHAR)
                        .update())
                == 1;
    }

    /**
     * Removes one batch of webhooks that finished before the retention.
     *
     * @return whether there may be more
     */
    boolean removeExpired(Duration retention) {
        return database.write(() -> database.statement(remove)
                        .param("retention", retention.toMillis())
                        .param("limit", REMOVAL_BATCH)
                        .update())
                == REMOVAL_BATCH;
    }

    /** Counts webhooks that have not been processed. */
    InboxBacklog backlog() {
        int dead = database.statement(COUNT_DEAD)
                .param("most", InboxBacklog.MOST)
                .query(Integer.class)
                .single();
        return database.statement(countPending)
                .param("most", InboxBacklog.MOST)
                .query((row, index) -> {
                    long oldest = row.getLong("oldest");
                    long age = row.wasNull() ? 0 : Math.max(0, row.getLong("present") - oldest);
                    return new InboxBacklog(row.getInt("counted"), dead, age);
                })
                .single();
    }
}
