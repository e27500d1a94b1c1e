package io.credential.spring.autoconfigure.audit.internal;

import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;

/**
 * Logs one line for each event: failures at WARN, successes at INFO. Successful verifications of API keys, one for each
 * request, are logged at DEBUG.
 */
public final class LoggingAuditSink implements AuditSink {

    public static final String LOGGER_NAME = "io.credential.audit";

    private static final String VERIFY = "apikey.verify";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER_NAME);

    @Override
    public void record(AuditEvent event) {
        if (isLogged(event)) {
            LOG.atLevel(level(event)).log(line(event));
        }
    }

    /** Returns whether the logger is enabled for the level of the event. */
    boolean isLogged(AuditEvent event) {
        return LOG.isEnabledForLevel(level(event));
    }

    private static Level level(AuditEvent event) {
        if (event.outcome() == AuditEvent.Outcome.FAILURE) {
            return Level.WARN;
        }
        return event.name().equals(VERIFY) ? Level.DEBUG : Level.INFO;
    }

    private static String line(AuditEvent event) {
        AuditLine line = new AuditLine()
                .with("event", event.name())
                .with("outcome", event.outcome().text())
                .with("reason", event.reason())
                .with("actor", event.actor())
                .with("kind", event.resourceKind())
                .with("id", event.resourceId())
                .with("time", event.time());
        new TreeMap<>(event.attributes()).forEach(line::with);
        return line.toString();
    }
}
