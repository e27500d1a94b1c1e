package io.credential.webhook.delivery.internal.endpoint;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.WebhookResponse;

/**
 * Pauses endpoints that respond with 410 Gone, and those to which all attempts fail for a configured time. Half of that time
 * before the pause, a warning is logged and audited.
 *
 * <p>Attempts write only when an endpoint begins to fail, when it has recovered and when it is gone; of the same kind, at most
 * one statement per endpoint is under way. Each node reviews an endpoint that fails once a minute at most: an endpoint that
 * alternates is thus not recorded as failing. Other nodes learn of the record from the {@link Subscriber} that comes with each
 * claim, so that the first success on any node ends it. Thread-safe.
 */
public final class EndpointFailureMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointFailureMonitor.class);

    private static final int MAX_FAILING = 10_000;
    private static final int GONE = 410;
    private static final Duration LONGEST_PAUSE_BETWEEN_REVIEWS = Duration.ofMinutes(1);
    private static final int REVIEWS = 10;

    /** Attempts whose endpoint was read before its record ended still call it failing. */
    private static final Duration ENDED = Duration.ofSeconds(1);

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
    private final Executor executor;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final String find;
    private final String begin;
    private final String report;
    private final String end;
    private final Cache<String, Review> reviews =
            Caffeine.newBuilder().maximumSize(MAX_FAILING).build();
    private final Set<Step> underWay = ConcurrentHashMap.newKeySet();
    private final Cache<String, Boolean> ended =
            Caffeine.newBuilder().expireAfterWrite(ENDED).build();

    /**
     * @param pauseAfter how long all attempts must fail before the endpoint is paused; zero for never
     * @param executor runs the statements one after the other
     * @param audit does not wait for its sink
     */
    public EndpointFailureMonitor(
            CredentialDatabase database,
            DispatcherTables tables,
            EndpointPauses pauses,
            Duration pauseAfter,
            Executor executor,
            InstantSource clock,
            AuditTrail audit) {
        this.database = database;
        this.pauses = pauses;
        this.pauseAfter = pauseAfter.toMillis();
        this.reviewEvery = Math.min(LONGEST_PAUSE_BETWEEN_REVIEWS.toMillis(), this.pauseAfter / REVIEWS);
        this.executor = executor;
        this.clock = clock;
        this.audit = audit;
        this.find = tables.in(FIND);
        this.begin = tables.in(BEGIN);
        this.report = tables.in(REPORT);
        this.end = tables.in(END);
    }

    private enum Kind {
        REVIEW,
        GONE,
        END
    }

    private record Step(String endpointId, Kind kind) {}

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
     * Takes an attempt into account. Does not block.
     *
     * @param subscriber the endpoint as it was attempted
     * @param response null if the request could not be sent, or was not answered
     */
    public void attempted(String endpointId, Subscriber subscriber, @Nullable WebhookResponse response) {
        if (response != null && response.successful()) {
            accepted(endpointId, subscriber);
        } else if (response != null && response.status() == GONE) {
            run(new Step(endpointId, Kind.GONE), () -> pauses.pauseGone(endpointId, subscriber, audit));
        } else if (pauseAfter > 0 && isReviewDue(endpointId)) {
            run(new Step(endpointId, Kind.REVIEW), () -> review(endpointId));
        }
    }

    private void accepted(String endpointId, Subscriber subscriber) {
        Review last = reviews.getIfPresent(endpointId); // most endpoints never fail, and have none
        if (last != null) {
            reviews.invalidate(endpointId);
        }
        if ((subscriber.failing() || (last != null && last.done())) && ended.getIfPresent(endpointId) == null) {
            run(new Step(endpointId, Kind.END), () -> end(endpointId));
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
        if (streak == null || underWay.contains(new Step(endpointId, Kind.END))) {
            return; // it was paused or removed, or has accepted a webhook meanwhile
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
            pauses.pauseFailing(endpointId, since, audit);
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
                    "Every webhook to the endpoint {} has failed since {}. It will be paused if webhooks still fail after {}",
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
        try {
            var unused = database.write(() ->
                    database.jdbc().sql(end).param("endpointId", endpointId).update());
        } finally {
            ended.put(endpointId, true);
        }
    }

    /** The next attempt repeats what fails. */
    private void run(Step step, Runnable statements) {
        if (!underWay.add(step)) {
            return;
        }
        try {
            executor.execute(() -> {
                try {
                    statements.run();
                } catch (DataAccessException | TransactionException e) {
                    LOG.warn(
                            "Could not update the failure record of the endpoint {}; the next attempt tries again",
                            step.endpointId(),
                            e);
                } finally {
                    underWay.remove(step);
                }
            });
        } catch (RejectedExecutionException e) {
            underWay.remove(step);
            LOG.debug("Did not update the failure record of the endpoint {}", step.endpointId(), e);
        }
    }
}
