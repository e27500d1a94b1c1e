package io.credential.apikey;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;
import io.credential.audit.AuditSink;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.TokenText;

/**
 * The options of one registry. Immutable: every {@code with} method returns a new value.
 *
 * @param namespace the second part of the registry's tokens; 1 to 64 visible characters without underscore
 * @param prefix the first part; 1 to 32 visible characters without underscore
 * @param idBytes bytes of randomness in an id, 8 to 32
 * @param secretBytes bytes of randomness in a secret, 16 to 64
 * @param hashAlgorithm how new secrets are hashed
 * @param purgeAfter how long revoked and expired keys are kept before {@code purgeExpired} removes them
 * @param rotationGrace how long the old secret works after a graceful rotation; 1 minute to 90 days
 * @param trackLastUsed whether a successful verify updates {@code lastUsedAt}
 * @param auditSuccess whether successes are audited
 * @param auditFailures whether failures are audited
 * @param auditSink the sink of this registry; null for the shared one
 * @param rateLimit the rate limit of keys without their own; null, the default, for none
 * @param importedTokens the forms of the tokens of imported keys, tried in this order; empty, the default, for none
 * @param quota the quota of keys without their own; null, the default, for none
 * @param knownScopes the scopes that {@code issue} and {@code update} accept; empty, the default, for all
 * @param scopeWildcards whether scopes such as {@code orders:*} stand for others; false by default. Compared by {@code
 *     ApiKeyAuthentication.hasScope}
 * @param maxLifetime maximum time from the issue or import of a key to its expiry, 1 minute to 36500 days; new keys
 *     must then have an expiry. Null, the default, for no limit
 * @param requireExpiry whether new keys must have an expiry; false by default
 * @param disableAfterIdle how long a key can stay unused before it is disabled, 1 to 3650 days, counted from its last
 *     use, issue, import, enabling or rotation; requires {@code trackLastUsed}. Null, the default, to disable no keys
 * @since 0.1.0
 */
public record ApiKeyRegistryOptions(
        String namespace,
        String prefix,
        int idBytes,
        int secretBytes,
        HashAlgorithm hashAlgorithm,
        Duration purgeAfter,
        Duration rotationGrace,
        boolean trackLastUsed,
        boolean auditSuccess,
        boolean auditFailures,
        @Nullable AuditSink auditSink,
        @Nullable RateLimit rateLimit,
        List<ForeignTokenForm> importedTokens,
        @Nullable Quota quota,
        Set<String> knownScopes,
        boolean scopeWildcards,
        @Nullable Duration maxLifetime,
        boolean requireExpiry,
        @Nullable Duration disableAfterIdle) {

    public static final String DEFAULT_PREFIX = "bk";
    public static final int DEFAULT_ID_BYTES = 8;
    public static final int DEFAULT_SECRET_BYTES = 16;
    public static final Duration DEFAULT_PURGE_AFTER = Duration.ofDays(90);
    public static final Duration DEFAULT_ROTATION_GRACE = Duration.ofDays(7);

    /** The greatest number of forms of imported tokens. */
    public static final int MAX_IMPORTED_TOKENS = 8;

    public static final int MIN_ID_BYTES = TokenText.MIN_ID_BYTES;
    public static final int MAX_ID_BYTES = TokenText.MAX_ID_BYTES;
    public static final int MIN_SECRET_BYTES = 16;
    public static final int MAX_SECRET_BYTES = 64;

    private static final Pattern NAMESPACE = Pattern.compile("[\\x21-\\x7E&&[^_]]{1,64}");
    private static final Pattern PREFIX = Pattern.compile("[\\x21-\\x7E&&[^_]]{1,32}");

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} naming the option that is out of range
     */
    public ApiKeyRegistryOptions {
        KeyRules.required(namespace, "namespace");
        KeyRules.required(prefix, "prefix");
        KeyRules.required(hashAlgorithm, "hashAlgorithm");
        KeyRules.required(purgeAfter, "purgeAfter");
        KeyRules.required(rotationGrace, "rotationGrace");
        importedTokens = List.copyOf(KeyRules.required(importedTokens, "importedTokens"));
        require(
                NAMESPACE.matcher(namespace).matches(),
                "namespace",
                "1 to 64 visible ASCII characters without '_'",
                namespace);
        require(PREFIX.matcher(prefix).matches(), "prefix", "1 to 32 visible ASCII characters without '_'", prefix);
        require(idBytes >= MIN_ID_BYTES && idBytes <= MAX_ID_BYTES, "idBytes", "8 to 32", idBytes);
        require(
                secretBytes >= MIN_SECRET_BYTES && secretBytes <= MAX_SECRET_BYTES,
                "secretBytes",
                "16 to 64",
                secretBytes);
        require(!purgeAfter.isNegative(), "purgeAfter", "zero or longer", purgeAfter);
        requireRotationGrace(rotationGrace);
        require(
                importedTokens.size() <= MAX_IMPORTED_TOKENS,
                "importedTokens",
                "at most " + MAX_IMPORTED_TOKENS + " forms",
                importedTokens.size());
        knownScopes = KeyRules.knownScopes(knownScopes);
        requireLifetimes(maxLifetime, disableAfterIdle, trackLastUsed);
    }

    /** Returns the default options for a namespace. */
    public static ApiKeyRegistryOptions forNamespace(String namespace) {
        return new ApiKeyRegistryOptions(
                namespace,
                DEFAULT_PREFIX,
                DEFAULT_ID_BYTES,
                DEFAULT_SECRET_BYTES,
                HashAlgorithm.SHAKE256,
                DEFAULT_PURGE_AFTER,
                DEFAULT_ROTATION_GRACE,
                true,
                true,
                true,
                null,
                null,
                List.of(),
                null,
                Set.of(),
                false,
                null,
                false,
                null);
    }

    static Duration requireRotationGrace(Duration grace) {
        require(
                isWithin(grace, Duration.ofMinutes(1), Duration.ofDays(90)),
                "rotationGrace",
                "1 minute to 90 days",
                grace);
        return grace;
    }

    private static void requireLifetimes(
            @Nullable Duration maxLifetime, @Nullable Duration disableAfterIdle, boolean trackLastUsed) {
        require(
                maxLifetime == null || isWithin(maxLifetime, Duration.ofMinutes(1), Duration.ofDays(36_500)),
                "maxLifetime",
                "1 minute to 36500 days",
                maxLifetime);
        require(
                disableAfterIdle == null || isWithin(disableAfterIdle, Duration.ofDays(1), Duration.ofDays(3650)),
                "disableAfterIdle",
                "1 to 3650 days",
                disableAfterIdle);
        if (disableAfterIdle != null && !trackLastUsed) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "disableAfterIdle (disable-after-idle) requires trackLastUsed (track-last-used): otherwise, idle"
                            + " keys cannot be recognized. Set trackLastUsed to true, or remove disableAfterIdle");
        }
    }

    private static boolean isWithin(Duration value, Duration min, Duration max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    private static void require(boolean holds, String option, String range, @Nullable Object value) {
        if (!holds) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, option + " must be " + range + ", but is '" + value + "'");
        }
    }

    public ApiKeyRegistryOptions withPrefix(String prefix) {
        return with(copy -> copy.prefix = prefix);
    }

    public ApiKeyRegistryOptions withIdBytes(int idBytes) {
        return with(copy -> copy.idBytes = idBytes);
    }

    public ApiKeyRegistryOptions withSecretBytes(int secretBytes) {
        return with(copy -> copy.secretBytes = secretBytes);
    }

    public ApiKeyRegistryOptions withHashAlgorithm(HashAlgorithm hashAlgorithm) {
        return with(copy -> copy.hashAlgorithm = hashAlgorithm);
    }

    public ApiKeyRegistryOptions withPurgeAfter(Duration purgeAfter) {
        return with(copy -> copy.purgeAfter = purgeAfter);
    }

    public ApiKeyRegistryOptions withRotationGrace(Duration rotationGrace) {
        return with(copy -> copy.rotationGrace = rotationGrace);
    }

    public ApiKeyRegistryOptions withTrackLastUsed(boolean trackLastUsed) {
        return with(copy -> copy.trackLastUsed = trackLastUsed);
    }

    public ApiKeyRegistryOptions withAuditSuccess(boolean auditSuccess) {
        return with(copy -> copy.auditSuccess = auditSuccess);
    }

    public ApiKeyRegistryOptions withAuditFailures(boolean auditFailures) {
        return with(copy -> copy.auditFailures = auditFailures);
    }

    public ApiKeyRegistryOptions withAuditSink(@Nullable AuditSink auditSink) {
        return with(copy -> copy.auditSink = auditSink);
    }

    public ApiKeyRegistryOptions withRateLimit(@Nullable RateLimit rateLimit) {
        return with(copy -> copy.rateLimit = rateLimit);
    }

    public ApiKeyRegistryOptions withImportedTokens(ForeignTokenForm... importedTokens) {
        return with(copy -> copy.importedTokens = List.of(importedTokens));
    }

    public ApiKeyRegistryOptions withQuota(@Nullable Quota quota) {
        return with(copy -> copy.quota = quota);
    }

    /** @throws ApiKeyException {@code api-key/bad-scopes} if one is not a valid scope */
    public ApiKeyRegistryOptions withKnownScopes(Collection<String> knownScopes) {
        return with(copy -> copy.knownScopes = KeyRules.knownScopes(knownScopes));
    }

    public ApiKeyRegistryOptions withScopeWildcards(boolean scopeWildcards) {
        return with(copy -> copy.scopeWildcards = scopeWildcards);
    }

    public ApiKeyRegistryOptions withMaxLifetime(@Nullable Duration maxLifetime) {
        return with(copy -> copy.maxLifetime = maxLifetime);
    }

    public ApiKeyRegistryOptions withRequireExpiry(boolean requireExpiry) {
        return with(copy -> copy.requireExpiry = requireExpiry);
    }

    /** @throws ApiKeyException {@code api-key/bad-opt} if it is out of range, or last uses are not tracked */
    public ApiKeyRegistryOptions withDisableAfterIdle(@Nullable Duration disableAfterIdle) {
        return with(copy -> copy.disableAfterIdle = disableAfterIdle);
    }

    private ApiKeyRegistryOptions with(Consumer<Builder> change) {
        Builder copy = new Builder(this);
        change.accept(copy);
        return copy.build();
    }

    private static final class Builder {

        private final String namespace;
        private String prefix;
        private int idBytes;
        private int secretBytes;
        private HashAlgorithm hashAlgorithm;
        private Duration purgeAfter;
        private Duration rotationGrace;
        private boolean trackLastUsed;
        private boolean auditSuccess;
        private boolean auditFailures;
        private @Nullable AuditSink auditSink;
        private @Nullable RateLimit rateLimit;
        private List<ForeignTokenForm> importedTokens;
        private @Nullable Quota quota;
        private Set<String> knownScopes;
        private boolean scopeWildcards;
        private @Nullable Duration maxLifetime;
        private boolean requireExpiry;
        private @Nullable Duration disableAfterIdle;

        Builder(ApiKeyRegistryOptions options) {
            this.namespace = options.namespace;
            this.prefix = options.prefix;
            this.idBytes = options.idBytes;
            this.secretBytes = options.secretBytes;
            this.hashAlgorithm = options.hashAlgorithm;
            this.purgeAfter = options.purgeAfter;
            this.rotationGrace = options.rotationGrace;
            this.trackLastUsed = options.trackLastUsed;
            this.auditSuccess = options.auditSuccess;
            this.auditFailures = options.auditFailures;
            this.auditSink = options.auditSink;
            this.rateLimit = options.rateLimit;
            this.importedTokens = options.importedTokens;
            this.quota = options.quota;
            this.knownScopes = options.knownScopes;
            this.scopeWildcards = options.scopeWildcards;
            this.maxLifetime = options.maxLifetime;
            this.requireExpiry = options.requireExpiry;
            this.disableAfterIdle = options.disableAfterIdle;
        }

        ApiKeyRegistryOptions build() {
            return new ApiKeyRegistryOptions(
                    namespace,
                    prefix,
                    idBytes,
                    secretBytes,
                    hashAlgorithm,
                    purgeAfter,
                    rotationGrace,
                    trackLastUsed,
                    auditSuccess,
                    auditFailures,
                    auditSink,
                    rateLimit,
                    importedTokens,
                    quota,
                    knownScopes,
                    scopeWildcards,
                    maxLifetime,
                    requireExpiry,
                    disableAfterIdle);
        }
    }
}
