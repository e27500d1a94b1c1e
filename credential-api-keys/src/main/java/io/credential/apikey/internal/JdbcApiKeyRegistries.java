package io.credential.apikey.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micrometer.observation.ObservationRegistry;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.apikey.internal.search.JdbcTermStore;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.totals.JdbcKeyTotals;
import io.credential.apikey.internal.totals.TotalsMaintenance;
import io.credential.apikey.internal.usage.UsageCounts;
import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.notification.NodeNotifications;
import io.credential.observation.CredentialObservation;
import io.credential.seal.internal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.Argon2Settings;
import io.credential.secret.internal.SecretHasher;
import io.credential.secret.internal.SecretHashers;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;

/**
 * Registries over one database. {@link #start()} runs the background work (last-used times, rehashing); {@link #close()}
 * stops it and writes pending uses. Thread-safe.
 */
public final class JdbcApiKeyRegistries implements ApiKeyRegistries, AutoCloseable {

    /** The tables of the keys, their tickets, totals and search terms. */
    public static final SchemaScripts SCHEMA = SchemaScripts.of(
            "io/credential/apikey/internal/migration",
            RowProtection.TABLE,
            JdbcTicketStore.TABLE,
            JdbcKeyTotals.TABLE,
            JdbcTermStore.TABLE);

    private static final Logger LOG = LoggerFactory.getLogger(JdbcApiKeyRegistries.class);

    final RegistryParts parts; // not private, for tests of the background work
    private final Map<String, ApiKeyRegistry> byTokenStart;
    private final ObservationRegistry observations;

    private JdbcApiKeyRegistries(Builder builder) {
        if (builder.allowPlainSealMigration) {
            LOG.warn(
                    "Plain-form data in {} is readable because credential.seal.allow-plain-migration names the table."
                            + " Reseal every registry, then remove the property",
                    RowProtection.TABLE);
        }
        this.parts = new RegistryParts(builder);
        this.observations = builder.observations;
        this.byTokenStart = parts.registries.values().stream()
                .collect(Collectors.toUnmodifiableMap(
                        registry -> TokenForm.start(registry.prefix(), registry.namespace()), registry -> registry));
    }

    public static Builder builder(CredentialDatabase database, Keyring keyring) {
        return new Builder(database, keyring);
    }

    @Override
    public ApiKeyRegistry get(String namespace) {
        ApiKeyRegistry registry = parts.registries.get(namespace);
        if (registry == null) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "No registry has the namespace '" + namespace + "'; the namespaces are "
                            + parts.registries.keySet());
        }
        return registry;
    }

    /** The form of a token is checked once, by the registry that verifies it. */
    @Override
    public Optional<ApiKeyRegistry> forToken(@Nullable String text) {
        Optional<ApiKeyRegistry> registry = TokenForm.startOf(text).map(byTokenStart::get);
        if (registry.isPresent()) {
            return registry;
        }
        for (NamespaceRegistry imported : parts.registries.values()) {
            if (imported.recognizes(text)) {
                return Optional.of(imported);
            }
        }
        if (ApiKeyToken.parse(text).isEmpty()) {
            parts.unrouted.rejection(ApiKeyVerifier.OPERATION, "malformed", null, Map.of());
            ApiKeyVerifier.observeUnrouted(observations, "malformed");
        } else {
            parts.unrouted.rejection(ApiKeyVerifier.OPERATION, "foreign-namespace", null, Map.of());
            ApiKeyVerifier.observeUnrouted(observations, "foreign-namespace");
        }
        return Optional.empty();
    }

    @Override
    public Collection<ApiKeyRegistry> all() {
        return List.copyOf(parts.registries.values());
    }

    /**
     * Reads the keys of all registries that expire soon, in pages of up to 100 in the order of expiry. Leaves out keys that are
     * disabled, revoked or expired, and those whose row fails its integrity check, which is audited once a day for each row.
     * Ends early if its thread is interrupted.
     *
     * @param within how long from now keys may be valid
     * @throws ApiKeyException {@code api-key/unavailable} if the database does not answer or the keyring lacks a key; the
     *     other keys and registries are read nevertheless
     */
    public void forEachExpiring(Duration within, Consumer<List<ApiKey>> action) {
        KeyRules.required(within, "within");
        KeyRules.required(action, "action");
        parts.forEach(registry -> registry.forEachExpiring(within, action));
    }

    /**
     * Disables the keys that have been idle for longer than their registry permits, up to 1000 of each registry; a repeated
     * call continues. Leaves out rows that fail their integrity check, which is audited once a day for each row. Ends early if
     * its thread is interrupted.
     *
     * @param onIdle called with each key before it is disabled; returns an action to run in the transaction that
     *     disables it. If this throws, the key stays enabled and the call ends for this registry. It must not throw
     *     {@link ApiKeyException}
     * @throws NotLeaderException on a node that is not the leader, if a key is idle
     * @throws ApiKeyException {@code api-key/unavailable} if the database does not answer or the keyring lacks a key; the other
     *     registries are searched nevertheless
     */
    public void disableIdle(Function<ApiKey, Runnable> onIdle) {
        KeyRules.required(onIdle, "onIdle");
        parts.forEach(registry -> registry.disableIdle(onIdle));
    }

    /**
     * Returns a key without an audit event, for background work.
     *
     * @return empty if the registry or the key does not exist, or its row fails its integrity check, which is audited once a
     *     day for each row
     * @throws ApiKeyException {@code api-key/unavailable} if the database does not answer or the keyring lacks a key
     */
    public Optional<ApiKey> find(String namespace, String id) {
        return Optional.ofNullable(parts.registries.get(namespace)).flatMap(registry -> registry.find(id));
    }

    /** Returns the responder to reports of leaked keys. */
    public LeakResponder leaks() {
        return parts.leaks;
    }

    /**
     * Returns the maintenance of the totals. Call its {@code run} regularly, on a thread that may block for minutes.
     */
    public TotalsMaintenance totalsMaintenance() {
        return parts.maintenance;
    }

    /** Starts the background work; without it, {@link #flushLastUsed()} and {@link #flushUsage()} must be called regularly. */
    public void start() {
        parts.cache.start();
        parts.backgroundWork.start();
    }

    /**
     * Writes every pending last-used time now.
     *
     * @throws ApiKeyException {@code api-key/unavailable} when the database does not answer; the times stay pending
     */
    public void flushLastUsed() {
        Operations.orUnavailable(() -> {
            parts.lastUses.flush();
            return true;
        });
    }

    /**
     * Returns the recorder of rejected requests with keys that {@code verify} has accepted; {@code NONE} if usage is
     * not counted.
     */
    public UsageRecorder usage() {
        return parts.usage == null ? UsageRecorder.NONE : parts.usage;
    }

    /**
     * Writes counted usage now: of up to 1024 keys, those that wait longest. Does nothing if usage is not counted.
     *
     * @throws ApiKeyException {@code api-key/unavailable} when the database does not answer; the counts stay pending unless
     *     only the confirmation of the commit is missing
     */
    public void flushUsage() {
        UsageCounts usage = parts.usage;
        if (usage != null) {
            var unused = Operations.orUnavailable(usage::flush);
        }
    }

    /**
     * Stops the background work and writes pending uses; later uses are written immediately. It can be started again.
     */
    @Override
    public void close() {
        parts.cache.close();
        parts.backgroundWork.stop();
    }

    /** Runs the background work once, for callers that do not want to wait for the next run. */
    void runBackgroundWorkOnce() {
        parts.backgroundWork.tick();
    }

    /**
     * Builds the registries. Every method throws {@link ApiKeyException} with {@code api-key/bad-opt} when its argument
     * is null. Not thread-safe.
     */
    public static final class Builder {

        final CredentialDatabase database;
        final Keyring keyring;
        final Map<String, ApiKeyRegistryOptions> registries = new LinkedHashMap<>();
        Leadership leadership = Leadership.singleNode();
        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        AuditSink auditSink = AuditSink.none();
        AuditCaller actor = () -> null;
        Argon2Settings argon2 = Argon2Settings.defaults();
        Function<HashAlgorithm, SecretHasher> hashers = algorithm -> new SecretHashers(argon2, random).using(algorithm);
        boolean allowPlainSealMigration;
        boolean countUsage;
        boolean searchNames;
        boolean searchScopes;

        @Nullable CacheSettings cache;

        @Nullable NodeNotifications notifications;

        Consumer<Duration> invalidationDelays = delay -> {};
        ObservationRegistry observations = ObservationRegistry.NOOP;
        Consumer<ApiKey> oldSecretUses = key -> {};

        private Builder(CredentialDatabase database, Keyring keyring) {
            this.database = KeyRules.required(database, "database");
            this.keyring = KeyRules.required(keyring, "keyring");
        }

        /**
         * Adds a registry.
         *
         * @throws ApiKeyException {@code api-key/bad-opt} when its namespace is taken
         */
        public Builder registry(ApiKeyRegistryOptions options) {
            KeyRules.required(options, "options");
            if (registries.putIfAbsent(options.namespace(), options) != null) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "Two registries have the namespace '" + options.namespace() + "'");
            }
            return this;
        }

        /** Default: a single node. */
        public Builder leadership(Leadership leadership) {
            this.leadership = KeyRules.required(leadership, "leadership");
            return this;
        }

        /** Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = KeyRules.required(clock, "clock");
            return this;
        }

        /** Default: a new {@link SecureRandom}. */
        public Builder random(SecureRandom random) {
            this.random = KeyRules.required(random, "random");
            return this;
        }

        /** Sets the sink of every registry that has none; default: none. */
        public Builder auditSink(AuditSink auditSink) {
            this.auditSink = KeyRules.required(auditSink, "auditSink");
            return this;
        }

        /** Supplies the actor on the calling thread for the audit trail; by default, it is unknown. */
        public Builder actor(AuditCaller actor) {
            this.actor = KeyRules.required(actor, "actor");
            return this;
        }

        /** Default: {@link Argon2Settings#defaults()}. */
        public Builder argon2(Argon2Settings argon2) {
            this.argon2 = KeyRules.required(argon2, "argon2");
            return this;
        }

        /** Replaces the hasher of each registry, for tests that count hashes. */
        Builder hashers(Function<HashAlgorithm, SecretHasher> hashers) {
            this.hashers = hashers;
            return this;
        }

        /** Opens the window in which cells of the plain form are read, to reseal them; default: closed. */
        public Builder allowPlainSealMigration(boolean allow) {
            this.allowPlainSealMigration = allow;
            return this;
        }

        /**
         * Counts how often each key is used on each day; default: false. The database must have the tables of {@link
         * io.credential.apikey.internal.usage.JdbcUsageStore#SCHEMA}.
         */
        public Builder countUsage(boolean count) {
            this.countUsage = count;
            return this;
        }

        /** Enables search by the beginning of the name and by scope; default: neither. */
        public Builder search(boolean names, boolean scopes) {
            this.searchNames = names;
            this.searchScopes = scopes;
            return this;
        }

        /**
         * Caches keys that were accepted, from {@link JdbcApiKeyRegistries#start} on; default: every
         * verification reads the row.
         */
        public Builder cache(CacheSettings cache) {
            this.cache = KeyRules.required(cache, "cache");
            return this;
        }

        /**
         * Sets how nodes learn of keys that others change; default: only this node changes keys. While notifications do
         * not arrive, nothing is cached. Without {@link #cache}, this node still notifies the others.
         *
         * @param notifications of no other registries in this process: a node does not notify itself
         */
        public Builder notifications(NodeNotifications notifications) {
            this.notifications = KeyRules.required(notifications, "notifications");
            return this;
        }

        /**
         * Sets the consumer of the time that each invalidation of a cached key took to arrive from another node, by the
         * clocks of both. Default: none.
         */
        public Builder invalidationDelays(Consumer<Duration> delays) {
            this.invalidationDelays = KeyRules.required(delays, "invalidationDelays");
            return this;
        }

        /** Observes verifications as {@link CredentialObservation#API_KEY_VERIFY}; default: they are not observed. */
        public Builder observationRegistry(ObservationRegistry observations) {
            this.observations = KeyRules.required(observations, "observationRegistry");
            return this;
        }

        /**
         * Sets the consumer of keys that are accepted with the secret before a graceful rotation, for each verification. It is
         * called on the thread that verifies, and must neither block nor throw. Default: none.
         */
        public Builder oldSecretUses(Consumer<ApiKey> uses) {
            this.oldSecretUses = KeyRules.required(uses, "oldSecretUses");
            return this;
        }

        /** Builds the registries; their background work is not started. */
        public JdbcApiKeyRegistries build() {
            return new JdbcApiKeyRegistries(this);
        }

        AuditTrail auditTrail(AuditSink sink, AuditCaller caller, boolean success, boolean failures) {
            return new AuditTrail(sink, caller, clock, "api-key", success, failures);
        }
    }
}
