package io.credential.spring.autoconfigure.properties;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.KeyRules;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.internal.Argon2Settings;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.spring.security.internal.ApiKeyHeader;
import io.credential.spring.security.internal.KeySources;

/**
 * Configuration properties for API keys. Immutable.
 *
 * @param headerName Comma-separated list of up to 8 names of request headers that contain an API key; a request may
 *     contain one key.
 * @param installIn Security filter chains that accept API keys without ApiKeyConfigurer: 'default-chain', 'every-chain'
 *     or 'none'.
 * @param accept Comma-separated list of namespaces whose keys are accepted unless a security filter chain selects
 *     others; required with several registries if a chain selects none.
 * @param acceptBearer Whether 'Authorization: Bearer' contains an API key, unless a security filter chain decides; not in a
 *     chain that is an OAuth 2 resource server.
 * @param acceptTickets Whether a ticket in the query of a GET request is accepted in place of an API key, unless a
 *     security filter chain decides.
 * @param ticketParameter Name of the query parameter that contains a ticket.
 * @param requireHttps Whether keys that were sent over plain HTTP are refused, except those from the same machine.
 * @param scopes scopes of keys
 * @param registries Registries by namespace.
 * @param argon2id cost and concurrency of Argon2id
 * @param rateLimits rate limits of all registries
 * @param failedAttempts limit on rejected keys
 * @param cache cache of accepted keys
 * @param leakReports reports of leaked keys
 * @param usage counts of requests for each key and day
 * @param search search for keys by sealed values
 * @param purgeInterval How often revoked and expired keys are purged after 'purge-after', 1 second or longer; only the leader
 *     purges.
 * @since 0.1.0
 */
@ConfigurationProperties("credential.api-keys")
public record ApiKeysProperties(
        @DefaultValue("X-API-Key") List<String> headerName,
        @DefaultValue("default-chain") InstallIn installIn,
        @DefaultValue List<String> accept,
        @DefaultValue("false") boolean acceptBearer,
        @DefaultValue("false") boolean acceptTickets,
        @DefaultValue("ticket") String ticketParameter,
        @DefaultValue("true") boolean requireHttps,
        @DefaultValue Scopes scopes,
        @DefaultValue Map<String, ApiKeyRegistryProperties> registries,
        @DefaultValue Argon2id argon2id,
        @DefaultValue RateLimits rateLimits,
        @DefaultValue Failures failedAttempts,
        @DefaultValue Caching cache,
        @DefaultValue LeakReports leakReports,
        @DefaultValue Usage usage,
        @DefaultValue Search search,
        @DefaultValue("1h") Duration purgeInterval) {

    private static final String PREFIX = "credential.api-keys.";

    public ApiKeysProperties {
        accept = List.copyOf(accept);
        headerName = List.copyOf(headerName);
        registries = Collections.unmodifiableMap(new LinkedHashMap<>(registries));
        PropertyRules.accepted(PREFIX + "header-name", headerName, ApiKeyHeader::requireUsable);
        PropertyRules.accepted(PREFIX + "ticket-parameter", ticketParameter, KeySources::requireParameter);
        PropertyRules.require(
                purgeInterval.compareTo(Duration.ofSeconds(1)) >= 0,
                PREFIX + "purge-interval",
                purgeInterval,
                "It must be 1 second or longer.");
        registries.forEach((namespace, registry) -> registry.options(namespace));
        for (String namespace : accept) {
            PropertyRules.require(
                    registries.isEmpty() || registries.containsKey(namespace),
                    PREFIX + "accept",
                    namespace,
                    "It must list namespaces of 'credential.api-keys.registries'.");
        }
    }

    /**
     * Returns where requests are counted: as configured, by default in memory only in single mode.
     *
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException if each node
     *     would count on its own
     */
    public RateLimitStore rateLimitStore(Mode mode) {
        RateLimitStore store = rateLimits.store;
        PropertyRules.require(
                mode == Mode.SINGLE || store != RateLimitStore.MEMORY,
                PREFIX + "rate-limits.store",
                "memory",
                "In cluster mode, every node would permit the full limit. Use 'jdbc' or 'redis'.");
        if (store != null) {
            return store;
        }
        return mode == Mode.SINGLE ? RateLimitStore.MEMORY : RateLimitStore.JDBC;
    }

    /** Which security chains accept API keys without {@code http.with(ApiKeyConfigurer.apiKeys(), ..)}. */
    public enum InstallIn {
        /** The chain that Spring Boot creates for an application without chains, except for Actuator endpoints. */
        DEFAULT_CHAIN,
        /** Every chain of the application, including Actuator endpoints. */
        EVERY_CHAIN,
        /** Only chains that apply the configurer. */
        NONE
    }

    /**
     * Configuration properties of scopes.
     *
     * @param wildcards Whether scopes of keys stand for others: '*' for all, 'orders:*' for those that begin with 'orders:'.
     * @param known Comma-separated list of the scopes that keys can be given; any if it is empty.
     */
    public record Scopes(
            @DefaultValue("false") boolean wildcards,
            @DefaultValue List<String> known) {

        public Scopes {
            known = List.copyOf(PropertyRules.accepted(PREFIX + "scopes.known", known, KeyRules::knownScopes));
        }

        /** Adds these to the options of a registry. */
        public ApiKeyRegistryOptions addTo(ApiKeyRegistryOptions options) {
            return options.withKnownScopes(known).withScopeWildcards(wildcards);
        }
    }

    /**
     * Configuration properties of the cache of accepted keys.
     *
     * @param enabled Whether accepted keys are cached instead of being read for each verification.
     * @param maxSize Maximum number of cached keys; one with much metadata counts as several.
     * @param ttl How long a key is cached at most, 1 millisecond to 5 minutes.
     */
    public record Caching(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("100000") int maxSize,
            @DefaultValue("30s") Duration ttl) {

        public Caching {
            PropertyRules.accepted(
                    PREFIX + "cache.max-size", maxSize, size -> new CacheSettings(size, Duration.ofSeconds(1)));
            PropertyRules.accepted(PREFIX + "cache.ttl", ttl, length -> new CacheSettings(1, length));
        }

        /** Returns the bounds of the cache, empty if there is none. */
        public Optional<CacheSettings> settings() {
            return enabled ? Optional.of(new CacheSettings(maxSize, ttl)) : Optional.empty();
        }
    }

    /**
     * Configuration properties of the reports that secret-scanning partners send, in the format of GitHub.
     *
     * @param enabled Whether reports of leaked keys are received at 'path'.
     * @param path Path of the endpoint without wildcards, relative to the context path.
     * @param publicKeys Public keys of the partner by key id; PEM text, or the location of a resource.
     * @param publicKeysUrl HTTPS URL from which the public keys of the partner are fetched.
     * @param action What happens to a leaked key: 'disable', 'revoke', or only a 'report'.
     * @param maxBodySize Maximum length of the body of a request, up to 10MB.
     * @param maxReports Maximum number of reports in a request, 1 to 1000.
     */
    public record LeakReports(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/credential/leak-reports") String path,
            @DefaultValue Map<String, String> publicKeys,
            @DefaultValue("") String publicKeysUrl,
            @DefaultValue("disable") LeakAction action,
            @DefaultValue("1MB") DataSize maxBodySize,
            @DefaultValue("500") int maxReports) {

        private static final String NAME = PREFIX + "leak-reports.";
        private static final long MAX_BYTES = DataSize.ofMegabytes(10).toBytes();

        public LeakReports {
            publicKeys = Map.copyOf(publicKeys);
            PropertyRules.require(
                    path.matches("(/[A-Za-z0-9._-]+)+"),
                    NAME + "path",
                    path,
                    "It must be '/' and names of A-Z, a-z, 0-9, '.', '_' and '-', for example '/credential/leak-reports'.");
            PropertyRules.require(
                    publicKeysUrl.isEmpty() || isHttps(publicKeysUrl),
                    NAME + "public-keys-url",
                    publicKeysUrl,
                    "It must begin with 'https://' and name a host.");
            PropertyRules.require(
                    maxBodySize.toBytes() >= 1 && maxBodySize.toBytes() <= MAX_BYTES,
                    NAME + "max-body-size",
                    maxBodySize,
                    "It must be 1 byte to 10MB.");
            PropertyRules.require(
                    maxReports >= 1 && maxReports <= 1000, NAME + "max-reports", maxReports, "It must be 1 to 1000.");
            PropertyRules.require(
                    !enabled || !publicKeys.isEmpty() || !publicKeysUrl.isEmpty(),
                    NAME + "enabled",
                    enabled,
                    "Reports are signed. Set '" + NAME
                            + "public-keys-url' to the URL at which the partner publishes its" + " public keys, or '"
                            + NAME + "public-keys.<key id>' to each of them.");
        }

        private static boolean isHttps(String url) {
            try {
                URI uri = new URI(url);
                return "https".equals(uri.getScheme()) && uri.getHost() != null && uri.getUserInfo() == null;
            } catch (URISyntaxException e) {
                return false;
            }
        }
    }

    /** What happens to a key whose token was found in public. */
    public enum LeakAction {
        /** It is disabled until it is enabled again. */
        DISABLE,
        /** It is revoked. */
        REVOKE,
        /** It stays as it is; owner and operators are told. */
        REPORT
    }

    /**
     * Configuration properties of the usage of keys.
     *
     * @param enabled Whether the requests of each key are counted for each of the last 35 days.
     */
    public record Usage(@DefaultValue("false") boolean enabled) {}

    /**
     * Configuration properties of the search for keys.
     *
     * @param names Whether keys can be searched by the beginning of their name. After a change, call
     *     'resealSealedColumns' on each registry.
     * @param scopes Whether keys can be searched by a scope. After a change, call 'resealSealedColumns' on each
     *     registry.
     */
    public record Search(
            @DefaultValue("false") boolean names,
            @DefaultValue("false") boolean scopes) {}

    /**
     * Configuration properties of all rate limits.
     *
     * @param store Where requests are counted: 'memory' for a single node, 'jdbc' for PostgreSQL, or 'redis'.
     */
    public record RateLimits(@Nullable RateLimitStore store) {}

    /** Where requests are counted. */
    public enum RateLimitStore {
        /** In memory, for a single node. */
        MEMORY,
        /** In PostgreSQL, for all nodes. */
        JDBC,
        /** In Redis, for all nodes. */
        REDIS
    }

    /**
     * Configuration properties of the limit on rejected keys.
     *
     * @param limit Number of requests of a client address, and with one key id, that may be rejected in each window
     *     before further rejections get 429, up to 1000000; 0 for any number.
     * @param window Length of a window in whole seconds, 1 second to 1 day.
     */
    public record Failures(
            @DefaultValue("60") int limit,
            @DefaultValue("60s") Duration window) {

        private static final String NAME = PREFIX + "failed-attempts.";

        public Failures {
            PropertyRules.accepted(NAME + "window", window, length -> new RateLimit(1, length));
            PropertyRules.accepted(
                    NAME + "limit", limit, failures -> new RateLimit(failures == 0 ? 1 : failures, Duration.ofDays(1)));
        }

        /** Returns the limit, or null if there is none. */
        public @Nullable RateLimit rateLimit() {
            return limit == 0 ? null : new RateLimit(limit, window);
        }
    }

    /**
     * Cost and concurrency of Argon2id.
     *
     * @param memory Memory for one hash in whole kilobytes, 8KB for each lane to 1GB.
     * @param iterations Number of passes over the memory, 1 to 64.
     * @param parallelism Number of lanes, 1 to 16.
     * @param maxConcurrent Number of hashes that each registry computes at once; for each of them, up to eight callers
     *     wait.
     * @param maxWait How long a caller waits for a hash before it is rejected.
     */
    public record Argon2id(
            @DefaultValue("19456KB") DataSize memory,
            @DefaultValue("2") int iterations,
            @DefaultValue("1") int parallelism,
            @DefaultValue("4") int maxConcurrent,
            @DefaultValue("2s") Duration maxWait) {

        private static final String NAME = PREFIX + "argon2id.";
        private static final int MAX_MEMORY_KIB = 1_048_576;

        public Argon2id {
            PropertyRules.require(
                    memory.toBytes() % 1024 == 0 && memory.toKilobytes() <= Integer.MAX_VALUE,
                    NAME + "memory",
                    memory,
                    "It must be a whole number of kilobytes up to 1GB, for example '19456KB'.");
            int kib = (int) memory.toKilobytes();
            PropertyRules.accepted(
                    NAME + "parallelism",
                    parallelism,
                    lanes -> new Argon2Settings(MAX_MEMORY_KIB, 1, lanes, 1, Duration.ZERO));
            PropertyRules.accepted(
                    NAME + "memory", memory, size -> new Argon2Settings(kib, 1, parallelism, 1, Duration.ZERO));
            PropertyRules.accepted(
                    NAME + "iterations",
                    iterations,
                    passes -> new Argon2Settings(MAX_MEMORY_KIB, passes, 1, 1, Duration.ZERO));
            PropertyRules.accepted(
                    NAME + "max-concurrent",
                    maxConcurrent,
                    permits -> new Argon2Settings(MAX_MEMORY_KIB, 1, 1, permits, Duration.ZERO));
            PropertyRules.accepted(
                    NAME + "max-wait", maxWait, wait -> new Argon2Settings(MAX_MEMORY_KIB, 1, 1, 1, wait));
        }

        public Argon2Settings settings() {
            return new Argon2Settings((int) memory.toKilobytes(), iterations, parallelism, maxConcurrent, maxWait);
        }
    }
}
