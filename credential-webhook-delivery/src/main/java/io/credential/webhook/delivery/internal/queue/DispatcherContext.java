package io.credential.webhook.delivery.internal.queue;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.notification.NodeNotifications;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.DispatcherOptions;

/** What every part of one dispatcher shares. */
public record DispatcherContext(
        DispatcherOptions options,
        CredentialDatabase database,
        DispatcherTables tables,
        NodeNotifications notifications,
        ObservationRegistry observations,
        InstantSource clock,
        SecureRandom random) {

    /** Lets an outcome at the very end of the request timeout be stored while its caller waits. */
    private static final Duration OUTCOME_MARGIN = Duration.ofMillis(500);

    /** Returns a statement with the {@linkplain DispatcherTables#in names of the tables}. */
    public JdbcClient.StatementSpec sql(String sql) {
        return database.jdbc().sql(tables.in(sql));
    }

    /** Returns how long a caller waits for the outcome of an attempt. */
    public Duration longestAttempt() {
        return options.requestTimeout().plus(OUTCOME_MARGIN);
    }
}
