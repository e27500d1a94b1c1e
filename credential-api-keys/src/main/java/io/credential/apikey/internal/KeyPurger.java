package io.credential.apikey.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.ticket.JdbcTicketStore;

/** Removes keys that were revoked or expired long enough ago, and tickets that have expired, in short transactions. */
final class KeyPurger {

    private static final Logger LOG = LoggerFactory.getLogger(KeyPurger.class);

    /** Small enough for the audit trail to name every key of a batch. */
    private static final int BATCH = 100;

    private static final int REPORT_EVERY = 100 * BATCH;

    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final JdbcTicketStore tickets;
    private final InstantSource clock;
    private final Duration purgeAfter;

    KeyPurger(
            Operations operations,
            JdbcApiKeyStore store,
            JdbcTicketStore tickets,
            InstantSource clock,
            Duration purgeAfter) {
        this.operations = operations;
        this.store = store;
        this.tickets = tickets;
        this.clock = clock;
        this.purgeAfter = purgeAfter;
    }

    int purgeExpired() {
        long before = clock.instant().minus(purgeAfter).toEpochMilli();
        int removed = 0;
        List<String> batch;
        do {
            batch = purgeBatch(before);
            removed += batch.size();
            if (!batch.isEmpty() && removed % REPORT_EVERY == 0) {
                LOG.info("Purging API keys in the namespace '{}': {} rows removed so far", store.namespace(), removed);
            }
        } while (batch.size() == BATCH);
        Operations.orUnavailable(() -> {
            tickets.removeExpired();
            return true;
        });
        return removed;
    }

    private List<String> purgeBatch(long before) {
        return operations.change("apikey.purge", () -> {
            List<String> ids = store.purge(before, BATCH);
            return new Result<>(ids, null, Map.of("count", ids.size(), "ids", ids));
        });
    }
}
