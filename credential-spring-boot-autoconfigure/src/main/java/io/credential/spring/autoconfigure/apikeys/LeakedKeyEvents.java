package io.credential.spring.autoconfigure.apikeys;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyState;
import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.OperationalEvent;

/** Raises operational events about leaked keys, for operators and for the owners. Thread-safe. */
final class LeakedKeyEvents implements LeakedKeyListener {

    private static final Logger LOG = LoggerFactory.getLogger(LeakedKeyEvents.class);

    /** How many keys are reported in one transaction. */
    private static final int BATCH = 100;

    private final OwnerEvents owners;
    private final Supplier<List<JdbcWebhookDispatcher>> dispatchers;
    private final InstantSource clock;

    LeakedKeyEvents(OwnerEvents owners, Supplier<List<JdbcWebhookDispatcher>> dispatchers, InstantSource clock) {
        this.owners = owners;
        this.dispatchers = dispatchers;
        this.clock = clock;
    }

    @Override
    public void leaked(List<LeakedKey> leaked) {
        Instant now = clock.instant();
        List<RuntimeException> failures = new ArrayList<>();
        for (int from = 0; from < leaked.size(); from += BATCH) {
            List<OperationalEvent> events = leaked.subList(from, Math.min(from + BATCH, leaked.size())).stream()
                    .flatMap(key -> owners.withOwner(key.key(), event(key, now), failures))
                    .toList();
            dispatchers.get().forEach(dispatcher -> dispatcher.raise(events));
        }
        if (!failures.isEmpty()) { // the keys are safe, so the report is not repeated because of this
            LOG.warn("Could not tell the owners of all leaked API keys", failures.get(0));
        }
    }

    private static OperationalEvent event(LeakedKey leaked, Instant now) {
        ApiKey key = leaked.key();
        LeakReport report = leaked.report();
        return OperationalEvent.apiKeyLeaked(
                key.namespace(),
                key.id(),
                leaked.version(),
                ApiKeyState.of(key, now).text(),
                report.source(),
                report.url(),
                now);
    }
}
