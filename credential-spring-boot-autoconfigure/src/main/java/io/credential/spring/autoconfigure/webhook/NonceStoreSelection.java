package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.JdbcNonceStore;
import io.credential.webhook.replay.NonceStore;

/** The nonce stores of an application: one of each kind, made when it is first asked for. */
final class NonceStoreSelection {

    private final Supplier<NonceStore> memory;
    private final Supplier<NonceStore> jdbc;
    private final ObjectProvider<RedisNonces> redis;

    NonceStoreSelection(
            ObjectProvider<CredentialDatabase> databases, ObjectProvider<RedisNonces> redis, InstantSource clock) {
        this.memory = SingletonSupplier.of(() -> new InMemoryNonceStore(clock));
        this.jdbc = SingletonSupplier.of(() -> {
            CredentialDatabase database = databases.getIfAvailable();
            return database == null ? refusing("database") : new JdbcNonceStore(database);
        });
        this.redis = redis;
    }

    /**
     * Empty when replays are not refused.
     *
     * @param property where the kind is configured
     */
    Optional<NonceStore> select(String property, NonceStoreKind kind) {
        return switch (kind) {
            case NONE -> Optional.empty();
            case MEMORY -> Optional.of(memory.get());
            case JDBC -> Optional.of(jdbc.get());
            case REDIS -> Optional.of(redis(property));
        };
    }

    private NonceStore redis(String property) {
        RedisNonces nonces = redis.getIfAvailable();
        return nonces == null ? refusing("Redis") : nonces.store(property);
    }

    /** In test slices, which have neither database nor Redis, the context must start all the same. */
    private static NonceStore refusing(String missing) {
        return (nonce, expireAt) -> {
            throw new IllegalStateException("No " + missing + " is available to store nonces. In a test without it, set"
                    + " 'credential.webhook.inbound.<name>.nonce-store' to 'memory' or 'none'");
        };
    }
}
