package io.credential.apikey.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.usage.JdbcUsageStore;

/** Removes keys that were revoked or expired long enough ago, expired tickets and old usage, in short transactions. */
final class KeyPurger {

    private static final Logger LOG = LoggerFactory.getLogger(KeyPurger.class);

    /** Small enough for the audit trail to name every key of a batch. */
    private static final int BATCH = 100;

    private static final int USAGE_BATCH = 1000;
    private static final int REPORT_EVERY = 100 * BATCH;

    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final JdbcTicketStore tickets;
    private final @Nullable JdbcUsageStore usage;
    private final InstantSource clock;
    private final Duration purgeAfter;

    /** @param usage null if usage is not counted */
    KeyPurger(
            Operations operations,
            JdbcApiKeyStore store,
            JdbcTicketStore tickets,
            @Nullable JdbcUsageStore usage,
            InstantSource clock,
            Duration purgeAfter) {
        this.operations = operations;
        this.store = store;
        this.tickets = tickets;
        this.usage = usage;
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
        if (usage != null) {
            purgeUsage(usage);
        }
        return removed;
    }

    private List<String> purgeBatch(long before) {
        return operations.change("apikey.purge", () -> {
            List<String> ids = store.purge(before, BATCH);
            return new Result<>(ids, null, Map.of("count", ids.size(), "ids", ids));
        });
    }

    private void purgeUsage(JdbcUsageStore stored) {
        LocalDate firstKept =
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(ApiKeyUsage.DAYS_KEPT - 1L);
        int removed;
        do {
            removed = Operations.orUnavailable(() -> operations.inGuardedTransaction(
                    () -> stored.deleteBefore(store.namespace(), firstKept, USAGE_BATCH)));
        } while (removed > 0);
    }
}
