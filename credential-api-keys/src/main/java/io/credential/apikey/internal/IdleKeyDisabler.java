package io.credential.apikey.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.Operations.Result;
import io.credential.audit.AuditEvent;

/** Disables idle keys, each in its own transaction. */
final class IdleKeyDisabler {

    /** The actor of the audit events. */
    static final String ACTOR = "system:disable-after-idle";

    private static final Logger LOG = LoggerFactory.getLogger(IdleKeyDisabler.class);

    private static final int PAGE = 1000;

    /** Limits the effect of a wrong setting until an operator notices it. */
    private static final int MAX_PER_ROUND = 1000;

    private final Operations operations;
    private final RowAccess rows;
    private final JdbcApiKeyStore store;
    private final KeyReader reader;
    private final InstantSource clock;
    private final @Nullable Duration disableAfterIdle;

    /**
     * @param operations with {@link #ACTOR} as the actor
     * @param disableAfterIdle null to disable no keys
     */
    IdleKeyDisabler(
            Operations operations,
            RowAccess rows,
            JdbcApiKeyStore store,
            KeyReader reader,
            InstantSource clock,
            @Nullable Duration disableAfterIdle) {
        this.operations = operations;
        this.rows = rows;
        this.store = store;
        this.reader = reader;
        this.clock = clock;
        this.disableAfterIdle = disableAfterIdle;
    }

    /** Reads all keys in the order of their ids, because no index contains the last use. */
    void disable(Function<ApiKey, Runnable> onIdle) {
        if (disableAfterIdle == null) {
            return;
        }
        long since = clock.millis() - disableAfterIdle.toMillis();
        Round round = new Round(since, onIdle);
        try {
            String after = "";
            Optional<String> end = endOfPage(after);
            while (end.isPresent()
                    && round.disabled < MAX_PER_ROUND
                    && !Thread.currentThread().isInterrupted()) {
                round.disablePage(after, end.get());
                after = end.get();
                end = endOfPage(after);
            }
        } finally {
            if (round.disabled > 0) {
                LOG.info(
                        "Disabled {} API keys in the namespace '{}' because they were idle for {}",
                        round.disabled,
                        store.namespace(),
                        disableAfterIdle);
            }
        }
        if (!round.failures.isEmpty()) {
            throw round.failures.get(0);
        }
    }

    private Optional<String> endOfPage(String after) {
        return Operations.orUnavailable(() -> store.pages().endOfPage(after, PAGE));
    }

    private boolean isIdle(ApiKeyRow row, long since) {
        rows.requireAuthentic(row);
        return rows.idleSince(row) < since;
    }

    private final class Round {

        private final long since;
        private final Function<ApiKey, Runnable> onIdle;
        private final List<ApiKeyException> failures = new ArrayList<>();
        private int disabled;

        Round(long since, Function<ApiKey, Runnable> onIdle) {
            this.since = since;
            this.onIdle = onIdle;
        }

        /** A row is only locked if it seems to be idle: a key that was enabled recently may be found in many rounds. */
        void disablePage(String after, String end) {
            for (ApiKeyRow row :
                    Operations.orUnavailable(() -> store.pages().unused(after, end, since, clock.millis()))) {
                if (disabled == MAX_PER_ROUND) {
                    return;
                }
                if (reader.readable(row, read -> isIdle(read, since), failures).orElse(false) && disable(row)) {
                    disabled++;
                }
            }
        }

        private boolean disable(ApiKeyRow idle) {
            long now = clock.millis();
            Runnable action = onIdle.apply(rows.opened(idle.withDisabledAt(now)));
            return operations.change("apikey.disable", () -> {
                Optional<ApiKeyRow> found = rows.findLocked(idle.id())
                        .filter(row -> !row.isRevoked() && !row.isDisabled() && !row.isExpiredAt(now))
                        .filter(row -> isIdle(row, since));
                if (found.isEmpty()) { // it was used or changed meanwhile
                    return new Result<>(false, null, Map.of("effective", false, "cause", "idle"));
                }
                long version = rows.writeLocked(found.get().withDisabledAt(now), found.get());
                action.run();
                return new Result<>(
                        true, idle.id(), Map.of("effective", true, "cause", "idle", AuditEvent.VERSION, version));
            });
        }
    }
}
