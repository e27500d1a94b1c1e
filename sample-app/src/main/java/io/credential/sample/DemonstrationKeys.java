package io.credential.sample;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.ListOptions;
import io.credential.apikey.NotLeaderException;

/** Issues the API keys of the demonstration, unless their owner has any. Nobody gets their tokens. */
@Component
class DemonstrationKeys {

    private static final Logger LOG = LoggerFactory.getLogger(DemonstrationKeys.class);

    private static final int USES = 3;
    private static final Duration SOON = Duration.ofDays(2);

    private final ApiKeyRegistry registry;
    private final TransactionTemplate transaction;
    private final InstantSource clock;

    DemonstrationKeys(ApiKeyRegistry registry, TransactionTemplate transaction, InstantSource clock) {
        this.registry = registry;
        this.transaction = transaction;
        this.clock = clock;
    }

    void issue() {
        try {
            List<String> used = transaction.execute(status -> issueIfMissing());
            used.forEach(this::use);
        } catch (NotLeaderException e) {
            LOG.info("Another node leads the cluster; send the demonstration there to see its API keys");
        }
    }

    /** Returns the tokens of the keys to be used. */
    private List<String> issueIfMissing() {
        ListOptions anyState = ListOptions.defaults().withRevoked().withExpired();
        if (!registry.listForOwner(Demonstration.AUDIENCE, anyState).keys().isEmpty()) {
            return List.of();
        }
        registry.issue(key("never used"));
        registry.disable(registry.issue(key("disabled")).id());
        registry.revoke(registry.issue(key("revoked")).id());
        return List.of(
                registry.issue(key("nightly export").rateLimit(100, Duration.ofMinutes(1)))
                        .key(),
                registry.issue(key("expires soon").expiresAt(clock.instant().plus(SOON)))
                        .key());
    }

    private static IssueRequest key(String name) {
        return IssueRequest.forOwner(Demonstration.AUDIENCE).name(name).scopes("orders:read");
    }

    private void use(String token) {
        for (int i = 0; i < USES; i++) {
            registry.verify(token);
        }
    }
}
