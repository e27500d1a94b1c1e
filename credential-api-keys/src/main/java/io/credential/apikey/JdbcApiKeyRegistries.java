package io.credential.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
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

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.AuditTrail;
import io.credential.cache.CacheSettings;
import io.credential.cache.InvalidatedCache;
import io.credential.cluster.Leadership;
import io.credential.notification.NodeNotifications;
import io.credential.observation.CredentialObservation;
import io.credential.seal.BlindIndex;
import io.credential.seal.Keyring;
import io.credential.seal.RowMac;
import io.credential.seal.Sealer;
import io.credential.secret.Argon2Settings;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.RandomHex;
import io.credential.secret.SecretHasher;
import io.credential.secret.SecretHashers;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaScripts;

/**
 * Registries over one database. {@link #start()} runs the background work (last-used times, rehashing); {@link #close()}
 * stops it and writes pending uses. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcApiKeyRegistries implements ApiKeyRegistries, AutoCloseable {

    /** The table of the keys. */
    public static final SchemaScripts SCHEMA = SchemaScripts.of("io/credential/apikey/migration", RowProtection.TABLE);

    private static final Logger LOG = LoggerFactory.getLogger(JdbcApiKeyRegistries.class);
    private static final int MAX_PENDING_USES = 100_000;

    private static final String NAMESPACES =
            "SELECT DISTINCT namespace FROM " + RowProtection.TABLE + " ORDER BY namespace";

    private final Map<String, NamespaceRegistry> registries;
    private final Map<String, ApiKeyRegistry> byTokenStart;
    private final AuditTrail unrouted;
    private final ObservationRegistry observations;
    private final LastUses lastUses;
    private final BackgroundWork backgroundWork;
    private final @Nullable InvalidatedCache<RowProtection.Opened> cache;

    private JdbcApiKeyRegistries(Builder builder) {
        if (builder.allowPlainSealMigration) {
            LOG.warn(
                    "Plain-form data in {} is readable because credential.seal.allow-plain-migration names the table."
                            + " Reseal every registry, then remove the property",
                    RowProtection.TABLE);
        }
        Sealer sealer = new Sealer(builder.keyring, builder.random);
        RowProtection protection = protection(sealer, builder.keyring);
        this.cache = builder.newCache();
        this.lastUses = new LastUses(builder.database, MAX_PENDING_USES);
        this.observations = builder.observations;
        this.unrouted = builder.auditTrail(builder.auditSink, true, true);
        List<AuditTrail> trails = new ArrayList<>(List.of(unrouted));
        Map<String, NamespaceRegistry> byNamespace = new LinkedHashMap<>();
        for (ApiKeyRegistryOptions options : builder.registries.values()) {
            AuditSink sink = options.auditSink() == null ? builder.auditSink : options.auditSink();
            AuditTrail audit = builder.auditTrail(sink, options.auditSuccess(), options.auditFailures());
            trails.add(audit);
            byNamespace.put(options.namespace(), builder.build(options, sealer, protection, lastUses, cache, audit));
        }
        this.registries = Collections.unmodifiableMap(byNamespace);
        this.byTokenStart = byNamespace.values().stream()
                .collect(Collectors.toUnmodifiableMap(
                        registry -> ApiKeyToken.start(registry.prefix(), registry.namespace()), registry -> registry));
        this.backgroundWork = new BackgroundWork(
                lastUses,
                byNamespace.values().stream().map(NamespaceRegistry::rehasher).toList(),
                trails);
    }

    public static Builder builder(CredentialDatabase database, Keyring keyring) {
        return new Builder(database, keyring);
    }

    /**
     * Reads every key of every namespace, and writes nothing.
     *
     * @return how many keys were read
     * @throws ApiKeyException {@code api-key/unreadable-row} or {@code api-key/reseal-window-closed} if one is not
     *     authentic or does not open
     */
    public static int requireAllReadable(CredentialDatabase database, Keyring keyring, SecureRandom random) {
        Builder builder = builder(database, keyring).random(random);
        Sealer sealer = new Sealer(keyring, random);
        RowProtection protection = protection(sealer, keyring);
        Operations operations =
                new Operations(database, builder.leadership, builder.auditTrail(builder.auditSink, false, false));
        return database.jdbc().sql(NAMESPACES).query((row, index) -> row.getString(1)).list().stream()
                .map(namespace -> new JdbcApiKeyStore(database, namespace, null))
                .mapToInt(store -> new KeyResealer(operations, store, protection, sealer, false).requireAllReadable())
                .sum();
    }

    /**
     * Returns a function that reads the versions of keys, of which there is one more after each change.
     *
     * @return given ids, returns the versions of those whose row exists, and 0 for a row that is not authentic; reads and
     *     writes nothing else
     */
    public static Function<Collection<String>, Map<String, Long>> versions(
            CredentialDatabase database, Keyring keyring, SecureRandom random) {
        RowProtection protection = protection(new Sealer(keyring, random), keyring);
        return ids -> {
            Map<String, Long> versions = new HashMap<>();
            if (ids.isEmpty()) { // there may be no table of keys
                return versions;
            }
            JdbcApiKeyStore.find(database, ids).forEach(row -> {
                boolean authentic = protection.authenticity(row) == RowProtection.Authenticity.AUTHENTIC;
                versions.merge(row.id(), authentic ? row.state().version() : 0, Math::max);
            });
            return versions;
        };
    }

    private static RowProtection protection(Sealer sealer, Keyring keyring) {
        return new RowProtection(sealer, new BlindIndex(keyring, "api-key/owner-id"), new RowMac(keyring));
    }

    @Override
    public ApiKeyRegistry get(String namespace) {
        ApiKeyRegistry registry = registries.get(namespace);
        if (registry == null) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "No registry has the namespace '" + namespace + "'; the namespaces are " + registries.keySet());
        }
        return registry;
    }

    /** The form of a token is checked once, by the registry that verifies it. */
    @Override
    public Optional<ApiKeyRegistry> forToken(@Nullable String text) {
        Optional<ApiKeyRegistry> registry = ApiKeyToken.startOf(text).map(byTokenStart::get);
        if (registry.isPresent()) {
            return registry;
        }
        if (ApiKeyToken.parse(text).isEmpty()) {
            unrouted.rejection(ApiKeyVerifier.OPERATION, "malformed", null, Map.of());
            ApiKeyVerifier.observeUnrouted(observations, "malformed");
        } else {
            unrouted.rejection(ApiKeyVerifier.OPERATION, "foreign-namespace", null, Map.of());
            ApiKeyVerifier.observeUnrouted(observations, "foreign-namespace");
        }
        return Optional.empty();
    }

    @Override
    public Collection<ApiKeyRegistry> all() {
        return List.copyOf(registries.values());
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
        RuntimeException failure = null;
        for (NamespaceRegistry registry : registries.values()) {
            try {
                registry.forEachExpiring(within, action);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Starts the background work; without it, {@link #flushLastUsed()} must be called regularly. */
    public void start() {
        if (cache != null) {
            cache.start();
        }
        backgroundWork.start();
    }

    /**
     * Writes every pending last-used time now.
     *
     * @throws ApiKeyException {@code api-key/unavailable} when the database does not answer; the times stay pending
     */
    public void flushLastUsed() {
        Operations.orUnavailable(() -> {
            lastUses.flush();
            return true;
        });
    }

    /**
     * Stops the background work and writes pending uses; later uses are written immediately. It can be started again.
     */
    @Override
    public void close() {
        if (cache != null) {
            cache.close();
        }
        backgroundWork.stop();
    }

    /** Runs the background work once, for callers that do not want to wait for the next run. */
    void runBackgroundWorkOnce() {
        backgroundWork.tick();
    }

    /**
     * Builds the registries. Every method throws {@link ApiKeyException} with {@code api-key/bad-opt} when its argument
     * is null. Not thread-safe.
     */
    public static final class Builder {

        private final CredentialDatabase database;
        private final Keyring keyring;
        private final Map<String, ApiKeyRegistryOptions> registries = new LinkedHashMap<>();
        private Leadership leadership = Leadership.singleNode();
        private InstantSource clock = InstantSource.system();
        private SecureRandom random = new SecureRandom();
        private AuditSink auditSink = AuditSink.none();
        private AuditCaller actor = () -> null;
        private Argon2Settings argon2 = Argon2Settings.defaults();
        private Function<HashAlgorithm, SecretHasher> hashers =
                algorithm -> new SecretHashers(argon2, random).using(algorithm);
        private boolean allowPlainSealMigration;
        private @Nullable CacheSettings cache;
        private @Nullable NodeNotifications notifications;
        private Consumer<Duration> invalidationDelays = delay -> {};
        private ObservationRegistry observations = ObservationRegistry.NOOP;
        private Consumer<ApiKey> oldSecretUses = key -> {};

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

        private @Nullable InvalidatedCache<RowProtection.Opened> newCache() {
            return cache == null && notifications == null
                    ? null
                    : new InvalidatedCache<>(
                            "api-keys",
                            cache,
                            RowProtection.Opened::size,
                            notifications,
                            clock,
                            System::nanoTime,
                            invalidationDelays);
        }

        /** Builds the registries; their background work is not started. */
        public JdbcApiKeyRegistries build() {
            return new JdbcApiKeyRegistries(this);
        }

        private NamespaceRegistry build(
                ApiKeyRegistryOptions options,
                Sealer sealer,
                RowProtection protection,
                LastUses lastUses,
                @Nullable InvalidatedCache<RowProtection.Opened> cache,
                AuditTrail audit) {
            JdbcApiKeyStore store = new JdbcApiKeyStore(database, options.namespace(), cache);
            // Each registry has its own permits: one under attack does not stop the others.
            RememberedHashes hasher = new RememberedHashes(hashers.apply(options.hashAlgorithm()), random);
            Operations operations = new Operations(database, leadership, audit);
            RowAccess rows = new RowAccess(store, protection, lastUses);
            KeyIssuer issuer =
                    new KeyIssuer(options, operations, store, protection, hasher, actor, clock, new RandomHex(random));
            SecretRehasher rehasher = new SecretRehasher(operations, rows, hasher, leadership);
            return new NamespaceRegistry(
                    options.namespace(),
                    options.prefix(),
                    options.rateLimit(),
                    new ApiKeyVerifier(
                            options,
                            store,
                            protection,
                            new SecretMatcher(hasher, protection, issuer.decoy()),
                            rehasher,
                            lastUses,
                            audit,
                            clock,
                            observations,
                            oldSecretUses),
                    issuer,
                    new KeyUpdater(operations, rows, store, protection, issuer, audit, clock, options.rotationGrace()),
                    new KeyReader(options.namespace(), operations, rows, store, protection, audit, clock),
                    new KeyPurger(operations, store, clock, options.purgeAfter()),
                    new KeyResealer(operations, store, protection, sealer, allowPlainSealMigration),
                    rehasher);
        }

        private AuditTrail auditTrail(AuditSink sink, boolean success, boolean failures) {
            return new AuditTrail(sink, actor, clock, "api-key", success, failures);
        }
    }
}
