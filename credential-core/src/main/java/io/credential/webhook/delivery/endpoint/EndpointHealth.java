package io.credential.webhook.delivery.endpoint;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.audit.AuditTrail;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Subscriber;

/**
 * Pauses endpoints that respond with 410 Gone, and those of which every attempt fails for a configured time. Half of that
 * time before the pause, a warning is logged and audited.
 *
 * <p>Attempts write nothing, except when an endpoint begins to fail and when it has recovered. Each node reviews an endpoint
 * that fails once a minute at most: an endpoint that alternates is thus not recorded as failing. Other nodes learn of it from
 * the {@link Subscriber} that comes with each claim, so that the first success on any node ends the record. Thread-safe.
 *
 * @since 0.1.0
 */
public final class EndpointHealth {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointHealth.class);

    private static final int MAX_FAILING = 10_000;
    private static final int GONE = 410;
    private static final Duration LONGEST_PAUSE_BETWEEN_REVIEWS = Duration.ofMinutes(1);
    private static final int REVIEWS = 10;

    private static final String FIND =
            "SELECT failing_since, reported_at FROM {endpoints} WHERE endpoint_id = :endpointId AND paused_at IS NULL";

    private static final String BEGIN = """
            UPDATE {endpoints} SET failing_since = :now
            WHERE endpoint_id = :endpointId AND failing_since IS NULL AND paused_at IS NULL""";

    private static final String REPORT = """
            UPDATE {endpoints} SET reported_at = :now
            WHERE endpoint_id = :endpointId AND failing_since = :failingSince AND reported_at IS NULL AND paused_at IS NULL""";

    private static final String END = """
            UPDATE {endpoints} SET failing_since = NULL, reported_at = NULL
            WHERE endpoint_id = :endpointId AND failing_since IS NOT NULL""";

    private final CredentialDatabase database;
    private final EndpointPauses pauses;
    private final long pauseAfter;
    private final long reviewEvery;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final String find;
    private final String begin;
    private final String report;
    private final String end;
    private final Cache<String, Review> reviews =
            Caffeine.newBuilder().maximumSize(MAX_FAILING).build();

    /** @param pauseAfter how long every attempt must fail before the endpoint is paused; zero for never */
    public EndpointHealth(
            CredentialDatabase database,
            DispatcherTables tables,
            EndpointPauses pauses,
            Duration pauseAfter,
            InstantSource clock,
            AuditTrail audit) {
        this.database = database;
        this.pauses = pauses;
        this.pauseAfter = pauseAfter.toMillis();
        this.reviewEvery = Math.min(LONGEST_PAUSE_BETWEEN_REVIEWS.toMillis(), this.pauseAfter / REVIEWS);
        this.clock = clock;
        this.audit = audit;
        this.find = tables.in(FIND);
        this.begin = tables.in(BEGIN);
        this.report = tables.in(REPORT);
        this.end = tables.in(END);
    }

    /**
     * The last review of an endpoint by this node, or the first failure before any.
     *
     * @param at in Unix milliseconds
     * @param done whether it was a review
     */
    private record Review(long at, boolean done) {}

    /** The record of an endpoint that is not paused. */
    private record Streak(@Nullable Long since, @Nullable Long reportedAt) {

        static Streak read(ResultSet row) throws SQLException {
            return new Streak(time(row, 1), time(row, 2));
        }

        private static @Nullable Long time(ResultSet row, int column) throws SQLException {
            long time = row.getLong(column);
            return row.wasNull() ? null : time;
        }
    }

    /**
     * Takes an attempt into account. Returns at once.
     *
     * @param isKnownToFail whether the endpoint was recorded as failing when it was last read
     * @param executor runs the statements, if any are needed
     */
    public void attempted(Settlement settlement, boolean isKnownToFail, Executor executor) {
        String endpointId = settlement.claimed().endpointId();
        if (settlement.status() == DeliveryStatus.DELIVERED) {
            accepted(endpointId, isKnownToFail, executor);
        } else {
            failed(endpointId, settlement, executor);
        }
    }

    private void accepted(String endpointId, boolean isKnownToFail, Executor executor) {
        Review last = reviews.getIfPresent(endpointId); // most endpoints never fail, and have none
        if (last != null) {
            reviews.invalidate(endpointId);
        }
        if (isKnownToFail || (last != null && last.done())) {
            run(executor, endpointId, () -> end(endpointId));
        }
    }

    private void failed(String endpointId, Settlement settlement, Executor executor) {
        Integer status = settlement.responseStatus();
        if (status != null && status == GONE) {
            run(executor, endpointId, () -> pauses.pauseGone(endpointId));
        } else if (pauseAfter > 0 && isReviewDue(endpointId)) {
            run(executor, endpointId, () -> review(endpointId));
        }
    }

    private boolean isReviewDue(String endpointId) {
        long now = clock.millis();
        Review last = reviews.asMap().putIfAbsent(endpointId, new Review(now, false));
        return last != null
                && now - last.at() >= reviewEvery
                && reviews.asMap().replace(endpointId, last, new Review(now, true));
    }

    private void review(String endpointId) {
        long now = clock.millis();
        Streak streak = database.jdbc()
                .sql(find)
                .param("endpointId", endpointId)
                .query((row, number) -> Streak.read(row))
                .optional()
                .orElse(null);
        if (streak == null) {
            return; // it was paused or removed
        }
        Long since = streak.since();
        Long reportedAt = streak.reportedAt();
        if (since == null) {
            begin(endpointId, now);
        } else if (reportedAt == null) {
            if (now - since >= pauseAfter / 2) {
                report(endpointId, since, now);
            }
        } else if (now - since >= pauseAfter && now - reportedAt >= pauseAfter / 2) {
            pauses.pauseFailing(endpointId, since);
        }
    }

    private void begin(String endpointId, long now) {
        var unused = database.write(() -> database.jdbc()
                .sql(begin)
                .param("endpointId", endpointId)
                .param("now", now)
                .update());
    }

    /** Of several nodes, one reports. */
    private void report(String endpointId, long since, long now) {
        int reported = database.write(() -> database.jdbc()
                .sql(report)
                .param("endpointId", endpointId)
                .param("failingSince", since)
                .param("now", now)
                .update());
        if (reported == 1) {
            Instant failingSince = Instant.ofEpochMilli(since);
            Instant pauseAt = Instant.ofEpochMilli(Math.max(since + pauseAfter, now + pauseAfter / 2));
            LOG.warn(
                    "Every webhook to the endpoint {} has failed since {}. It will be paused if one fails after {} and none has"
                            + " been accepted by then",
                    endpointId,
                    failingSince,
                    pauseAt);
            audit.failure(
                    "webhook.endpoint.failing",
                    "failing",
                    endpointId,
                    Map.of("failingSince", failingSince.toString(), "pauseAt", pauseAt.toString()));
        }
    }

    private void end(String endpointId) {
        var unused = database.write(
                () -> database.jdbc().sql(end).param("endpointId", endpointId).update());
    }

    /** What fails is repeated after a later attempt. */
    private static void run(Executor executor, String endpointId, Runnable statements) {
        executor.execute(() -> {
            try {
                statements.run();
            } catch (DataAccessException | TransactionException e) {
                LOG.warn("Could not store that the endpoint {} fails, is gone or has recovered", endpointId, e);
            }
        });
    }
}
