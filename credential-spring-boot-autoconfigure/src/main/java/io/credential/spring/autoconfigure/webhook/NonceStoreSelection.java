package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.spring.autoconfigure.redis.internal.RedisNonces;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.replay.internal.JdbcNonceStore;

/** Selects nonce stores. Those in memory and in the database are created on first use, and shared. */
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
     * Returns the store, or empty if replays are not rejected.
     *
     * @param property where the store is configured
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
        RedisNonces stores = redis.getIfAvailable();
        return stores == null ? refusing("Redis") : stores.create(property);
    }

    /** Lets the context of a test slice start, which has neither a database nor Redis. */
    private static NonceStore refusing(String missing) {
        return (nonce, expireAt) -> {
            throw new IllegalStateException("No " + missing + " is available to store nonces. In a test without it, set"
                    + " 'credential.webhook.inbound.<name>.nonce-store' to 'memory' or 'none'");
        };
    }
}
