package io.credential.webhook.delivery.internal.endpoint;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.OperationalEvent;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Pauses and resumes endpoints. Deliveries to a paused endpoint stay pending, and nothing claims them. Thread-safe. */
public final class EndpointPauses {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointPauses.class);

    private static final String PAUSE = """
            UPDATE {endpoints} SET paused_at = :now, pause_reason = :reason
            WHERE endpoint_id = :endpointId AND paused_at IS NULL""";

    /** The version alone does not tell an endpoint that was removed from one that was registered under its id. */
    private static final String PAUSE_GONE = PAUSE + " AND url = :url AND version = :version";

    private static final String PAUSE_FAILING = PAUSE + " AND failing_since = :failingSince";

    /** Failures before the pause no longer count, nor do those of attempts that are still running. */
    private static final String RESUME = """
            UPDATE {endpoints}
            SET paused_at = NULL, pause_reason = NULL, failing_since = NULL, reported_at = NULL, version = version + 1
            WHERE endpoint_id = :endpointId AND paused_at IS NOT NULL""";

    private static final String EXISTS = "SELECT 1 FROM {endpoints} WHERE endpoint_id = :endpointId";

    private final CredentialDatabase database;
    private final Consumer<String> onChange;
    private final Runnable onResume;
    private final OperationalEvents events;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final String pause;
    private final String pauseGone;
    private final String pauseFailing;
    private final String resume;
    private final String exists;

    /**
     * @param onChange called with the id of an endpoint after it was paused or resumed, and that was committed
     * @param onResume called after an endpoint was resumed, and that was committed
     * @param audit records pauses and resumptions that were requested
     */
    public EndpointPauses(
            CredentialDatabase database,
            DispatcherTables tables,
            Consumer<String> onChange,
            Runnable onResume,
            OperationalEvents events,
            InstantSource clock,
            AuditTrail audit) {
        this.database = database;
        this.onChange = onChange;
        this.onResume = onResume;
        this.events = events;
        this.clock = clock;
        this.audit = audit;
        this.pause = tables.in(PAUSE);
        this.pauseGone = tables.in(PAUSE_GONE);
        this.pauseFailing = tables.in(PAUSE_FAILING);
        this.resume = tables.in(RESUME);
        this.exists = tables.in(EXISTS);
    }

    /**
     * Pauses an endpoint; one that is paused stays as it is.
     *
     * @return whether the endpoint exists
     */
    public boolean pause(String endpointId) {
        return isId(endpointId)
                && database.inTransaction(() ->
                        pause(endpointId, PauseReason.MANUAL, database.jdbc().sql(pause), audit) || exists(endpointId));
    }

    /**
     * Resumes an endpoint; one that is not paused stays as it is.
     *
     * @return whether the endpoint exists
     */
    public boolean resume(String endpointId) {
        return isId(endpointId) && database.inTransaction(() -> end(endpointId) || exists(endpointId));
    }

    /**
     * Pauses an endpoint that responded with 410 Gone, unless it was registered again or resumed since.
     *
     * @param subscriber the endpoint as it was attempted
     */
    void pauseGone(String endpointId, Subscriber subscriber, AuditTrail background) {
        if (database.inTransaction(() -> pause(
                endpointId,
                PauseReason.GONE,
                database.jdbc().sql(pauseGone).param("url", subscriber.url()).param("version", subscriber.version()),
                background))) {
            LOG.warn(
                    "The endpoint {} responded with 410 Gone and is paused. Its deliveries are held until it is resumed or"
                            + " removed",
                    endpointId);
        }
    }

    /** Pauses an endpoint that has failed since this time, in Unix milliseconds, unless it has recovered. */
    void pauseFailing(String endpointId, long failingSince, AuditTrail background) {
        if (database.inTransaction(() -> pause(
                endpointId,
                PauseReason.FAILING,
                database.jdbc().sql(pauseFailing).param("failingSince", failingSince),
                background))) {
            LOG.warn(
                    "The endpoint {} is paused because every webhook to it has failed since {}. Its deliveries are held until"
                            + " it is resumed or removed",
                    endpointId,
                    Instant.ofEpochMilli(failingSince));
        }
    }

    private boolean pause(String endpointId, PauseReason reason, JdbcClient.StatementSpec statement, AuditTrail trail) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        int paused = statement
                .param("endpointId", endpointId)
                .param("reason", reason.text())
                .param("now", now.toEpochMilli())
                .update();
        if (paused == 1) {
            events.raise(List.of(OperationalEvent.endpointPaused(endpointId, reason, now)));
            changed(
                    endpointId,
                    trail.successReport("webhook.endpoint.pause", endpointId, Map.of("pauseReason", reason.text())));
        }
        return paused == 1;
    }

    private boolean end(String endpointId) {
        int resumed =
                database.jdbc().sql(resume).param("endpointId", endpointId).update();
        if (resumed == 1) {
            changed(endpointId, audit.successReport("webhook.endpoint.resume", endpointId, Map.of()));
            database.afterCommit(onResume);
        }
        return resumed == 1;
    }

    private void changed(String endpointId, Runnable report) {
        database.afterCommit(() -> onChange.accept(endpointId));
        database.afterCommit(report);
    }

    private boolean exists(String endpointId) {
        return !database.jdbc()
                .sql(exists)
                .param("endpointId", endpointId)
                .query(Integer.class)
                .list()
                .isEmpty();
    }

    private static boolean isId(String endpointId) {
        return DispatcherRules.isName(DispatcherRules.require("endpointId", endpointId));
    }
}
