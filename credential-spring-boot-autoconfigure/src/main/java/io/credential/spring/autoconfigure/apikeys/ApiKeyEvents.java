package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

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
    private final OwnerEvents owners;
    private final List<JdbcWebhookDispatcher> dispatchers;
    private final Leadership leadership;
    private final Duration expiryNotice;

    ApiKeyEvents(
            JdbcApiKeyRegistries registries,
            OldSecretUses oldSecrets,
            OwnerEvents owners,
            List<JdbcWebhookDispatcher> dispatchers,
            Leadership leadership,
            Duration expiryNotice) {
        this.registries = registries;
        this.oldSecrets = oldSecrets;
        this.owners = owners;
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
        List<RuntimeException> failures = new ArrayList<>();
        try {
            registries.forEachExpiring(
                    expiryNotice,
                    page -> raise(page.stream()
                            .flatMap(key -> owners.withOwner(key, expiring(key), failures))
                            .toList()));
            rethrow(failures);
        } catch (RuntimeException e) {
            LOG.warn("Could not report all API keys that expire soon; trying again in ten minutes", e);
        }
    }

    private static OperationalEvent expiring(ApiKey key) {
        return OperationalEvent.apiKeyExpiring(key.namespace(), key.id(), Objects.requireNonNull(key.expiresAt()));
    }

    void reportOldSecrets() {
        var noted = oldSecrets.noted();
        List<RuntimeException> failures = new ArrayList<>();
        try {
            for (int from = 0; from < noted.size(); from += BATCH) {
                var batch = noted.subList(from, Math.min(from + BATCH, noted.size()));
                raise(batch.stream()
                        .flatMap(use -> oldSecretUsed(use, failures))
                        .toList());
                oldSecrets.reported(batch);
            }
            rethrow(failures);
        } catch (RuntimeException e) {
            LOG.warn("Could not report API keys whose old secret is used; trying again in a minute", e);
        }
    }

    /** The note does not contain the key, which may be large, so it is read again if its owner is told. */
    private Stream<OperationalEvent> oldSecretUsed(
            Map.Entry<OldSecret, Instant> use, Collection<RuntimeException> failures) {
        OldSecret secret = use.getKey();
        OperationalEvent event =
                OperationalEvent.oldSecretUsed(secret.namespace(), secret.keyId(), use.getValue(), secret.expiresAt());
        Optional<ApiKey> key = owners.include(secret.namespace())
                ? registries.find(secret.namespace(), secret.keyId())
                : Optional.empty();
        return key.map(found -> owners.withOwner(found, event, failures)).orElseGet(() -> Stream.of(event));
    }

    private static void rethrow(List<RuntimeException> failures) {
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private void raise(List<OperationalEvent> events) {
        dispatchers.forEach(dispatcher -> dispatcher.raise(events));
    }
}
