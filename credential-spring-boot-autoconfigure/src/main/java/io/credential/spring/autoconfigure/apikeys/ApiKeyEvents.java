package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKey;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.apikeys.OldSecretUses.OldSecret;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.OperationalEvent;

/**
 * Raises operational events about API keys: on the leader, for keys that expire soon; on every node, for old secrets that were
 * used there shortly before they stop working.
 */
final class ApiKeyEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyEvents.class);

    /** How many events one transaction stores. */
    private static final int BATCH = 100;

    private final JdbcApiKeyRegistries registries;
    private final OldSecretUses oldSecrets;
    private final List<JdbcWebhookDispatcher> dispatchers;
    private final Leadership leadership;
    private final Duration expiryNotice;

    ApiKeyEvents(
            JdbcApiKeyRegistries registries,
            OldSecretUses oldSecrets,
            List<JdbcWebhookDispatcher> dispatchers,
            Leadership leadership,
            Duration expiryNotice) {
        this.registries = registries;
        this.oldSecrets = oldSecrets;
        this.dispatchers = dispatchers;
        this.leadership = leadership;
        this.expiryNotice = expiryNotice;
    }

    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.api-keys.expiring", Duration.ofMinutes(10), this::reportExpiring);
        schedule.add("credential.api-keys.old-secrets", Duration.ofMinutes(1), this::reportOldSecrets);
    }

    /** Reads the keys by an index, in pages; those that were reported before cost one query for each page. */
    void reportExpiring() {
        if (!leadership.isLeader()) {
            return;
        }
        try {
            registries.forEachExpiring(
                    expiryNotice,
                    page -> raise(page.stream().map(ApiKeyEvents::expiring).toList()));
        } catch (RuntimeException e) {
            LOG.warn("Could not report all API keys that expire soon; trying again in ten minutes", e);
        }
    }

    private static OperationalEvent expiring(ApiKey key) {
        return OperationalEvent.apiKeyExpiring(key.namespace(), key.id(), Objects.requireNonNull(key.expiresAt()));
    }

    void reportOldSecrets() {
        var noted = oldSecrets.noted();
        try {
            for (int from = 0; from < noted.size(); from += BATCH) {
                var batch = noted.subList(from, Math.min(from + BATCH, noted.size()));
                raise(batch.stream().map(ApiKeyEvents::oldSecretUsed).toList());
                oldSecrets.reported(batch);
            }
        } catch (RuntimeException e) {
            LOG.warn("Could not report API keys whose old secret is used; trying again in a minute", e);
        }
    }

    private static OperationalEvent oldSecretUsed(Map.Entry<OldSecret, Instant> use) {
        OldSecret secret = use.getKey();
        return OperationalEvent.oldSecretUsed(secret.namespace(), secret.keyId(), use.getValue(), secret.expiresAt());
    }

    private void raise(List<OperationalEvent> events) {
        dispatchers.forEach(dispatcher -> dispatcher.raise(events));
    }
}
