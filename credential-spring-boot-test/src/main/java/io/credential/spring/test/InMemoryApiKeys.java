package io.credential.spring.test;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.SchemaScripts;

/**
 * Registries for tests without Spring. They are the real ones, on a temporary SQLite file with a keyring that exists
 * only in memory. Closing deletes the file. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryApiKeys implements AutoCloseable {

    private final TemporaryDatabase temporary;
    private final JdbcApiKeyRegistries registries;

    private InMemoryApiKeys(TemporaryDatabase temporary, JdbcApiKeyRegistries registries) {
        this.temporary = temporary;
        this.registries = registries;
    }

    /** Returns a registry with the namespace {@code live}, the prefix {@code bk} and otherwise default options. */
    public static InMemoryApiKeys create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the registries. */
    public ApiKeyRegistries registries() {
        return registries;
    }

    /**
     * Returns the only registry.
     *
     * @throws IllegalStateException if there are several
     */
    public ApiKeyRegistry registry() {
        Collection<ApiKeyRegistry> all = registries.all();
        if (all.size() > 1) {
            throw new IllegalStateException("There are several registries: call registries().get(namespace)");
        }
        return all.iterator().next();
    }

    /** Writes pending last-used times, and deletes all keys. */
    @Override
    public void close() {
        try (temporary) {
            registries.close();
        }
    }

    /** Collects the options. Not thread-safe. */
    public static final class Builder {

        private final List<ApiKeyRegistryOptions> options = new ArrayList<>();
        private InstantSource clock = InstantSource.system();
        private AuditSink auditSink = AuditSink.none();

        private Builder() {}

        /** Adds a registry. Default: one with the namespace {@code live}. */
        public Builder registry(ApiKeyRegistryOptions options) {
            this.options.add(options);
            return this;
        }

        /** Sets the clock that decides when keys expire. Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** Sets the receiver of audit events. Default: none. */
        public Builder auditSink(AuditSink auditSink) {
            this.auditSink = auditSink;
            return this;
        }

        /**
         * @throws io.credential.apikey.ApiKeyException {@code api-key/bad-opt} if two registries have the same
         *     namespace
         */
        public InMemoryApiKeys build() {
            if (options.isEmpty()) {
                options.add(ApiKeyRegistryOptions.forNamespace(MockApiKeyBuilder.DEFAULT_NAMESPACE));
            }
            SecureRandom random = new SecureRandom();
            TemporaryDatabase temporary = new TemporaryDatabase();
            try {
                JdbcApiKeyRegistries.Builder builder = JdbcApiKeyRegistries.builder(
                                temporary.migrated(SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA)),
                                Keyring.generate(random))
                        .random(random)
                        .clock(clock)
                        .auditSink(auditSink);
                options.forEach(builder::registry);
                return new InMemoryApiKeys(temporary, started(builder.build()));
            } catch (RuntimeException e) {
                temporary.close();
                throw e;
            }
        }

        private static JdbcApiKeyRegistries started(JdbcApiKeyRegistries registries) {
            try {
                registries.start();
                return registries;
            } catch (RuntimeException e) {
                registries.close();
                throw e;
            }
        }
    }
}
