package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

import io.credential.spring.autoconfigure.WebhookProperties.NonceStoreKind;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.replay.InMemoryNonceStore;
import io.credential.webhook.replay.JdbcNonceStore;
import io.credential.webhook.replay.NonceStore;

/** The nonce stores of an application: one of each kind, made when it is first asked for. */
final class NonceStoreSelection {

    private final Supplier<NonceStore> memory;
    private final Supplier<NonceStore> jdbc;

    NonceStoreSelection(ObjectProvider<CredentialDatabase> databases, InstantSource clock) {
        this.memory = SingletonSupplier.of(() -> new InMemoryNonceStore(clock));
        this.jdbc = SingletonSupplier.of(() -> {
            CredentialDatabase database = databases.getIfAvailable();
            return database == null ? NonceStoreSelection::refuse : new JdbcNonceStore(database, clock);
        });
    }

    /** Null when replays are not refused. */
    @Nullable NonceStore select(NonceStoreKind kind) {
        return switch (kind) {
            case NONE -> null;
            case MEMORY -> memory.get();
            case JDBC -> jdbc.get();
        };
    }

    /** In test slices, which have no database, the context must start all the same. */
    private static boolean refuse(String nonce, java.time.Instant expireAt) {
        throw new IllegalStateException("There is no database to keep nonces in. In a test without one, set"
                + " 'credential.webhook.inbound.<name>.nonce-store' to 'memory' or 'none'");
    }
}
