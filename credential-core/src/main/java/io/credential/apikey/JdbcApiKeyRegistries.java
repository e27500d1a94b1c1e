package io.credential.apikey;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditSink;
import io.credential.cluster.Leadership;
import io.credential.seal.Keyring;
import io.credential.secret.Argon2Settings;
import io.credential.storage.CredentialDatabase;

/**
 * Registries over one database. {@link #start()} runs the background work (last-used times, rehashing); {@link #close()}
 * stops it and writes what is pending.
 *
 * @since 0.1.0
 */
public final class JdbcApiKeyRegistries implements ApiKeyRegistries, AutoCloseable {

    public static Builder builder(CredentialDatabase database, Keyring keyring) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ApiKeyRegistry get(String namespace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<ApiKeyRegistry> forToken(String token) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Collection<ApiKeyRegistry> all() {
        throw new UnsupportedOperationException();
    }

    /** Starts the background work; without it, {@link #flushLastUsed()} must be called from elsewhere. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Writes every pending last-used time now. */
    public void flushLastUsed() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    /** Collects the parts; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder {

        private Builder() {}

        /** Adds a registry. */
        public Builder registry(ApiKeyRegistryOptions options) {
            throw new UnsupportedOperationException();
        }

        /** Default: a single node. */
        public Builder leadership(Leadership leadership) {
            throw new UnsupportedOperationException();
        }

        /** Default: the system clock. */
        public Builder clock(InstantSource clock) {
            throw new UnsupportedOperationException();
        }

        /** Default: the platform's. */
        public Builder random(SecureRandom random) {
            throw new UnsupportedOperationException();
        }

        /** The sink of every registry that has none of its own; default: none. */
        public Builder auditSink(AuditSink auditSink) {
            throw new UnsupportedOperationException();
        }

        /** Names who is acting on the calling thread, for the audit trail; default: nobody known. */
        public Builder actor(Supplier<@Nullable String> actor) {
            throw new UnsupportedOperationException();
        }

        /** Default: {@link Argon2Settings#defaults()}. */
        public Builder argon2(Argon2Settings argon2) {
            throw new UnsupportedOperationException();
        }

        /** Opens the window in which cells of the plain form are read, to reseal them; default: closed. */
        public Builder allowPlainSealMigration(boolean allow) {
            throw new UnsupportedOperationException();
        }

        /**
         * @throws ApiKeyException {@code api-key/bad-opt} when two registries have the same namespace
         */
        public JdbcApiKeyRegistries build() {
            throw new UnsupportedOperationException();
        }
    }
}
