package io.credential.spring.autoconfigure.properties;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ForeignTokenForm;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.HashAlgorithm;

/**
 * Configuration properties of one registry.
 *
 * @param prefix First part of the tokens of this registry, 1 to 32 visible ASCII characters without '_'; if it
 *     changes, all keys that were issued before are rejected.
 * @param idBytes Number of random bytes in the id of a key, 8 to 32.
 * @param secretBytes Number of random bytes in the secret of a key, 16 to 64.
 * @param hashAlgorithm Hash algorithm for new secrets: 'shake256' or 'argon2id'.
 * @param purgeAfter How long revoked and expired keys are kept.
 * @param rotationGrace How long the old secret works after a graceful rotation, 1 minute to 90 days.
 * @param trackLastUsed Whether a successful verification updates the time of last use.
 * @param auditSuccess Whether successful operations are audited.
 * @param auditFailures Whether failed operations are audited.
 * @param notifyOwners Whether operational events about a key are also sent to the endpoints of its owner's audience.
 * @param rateLimit rate limit of the keys that do not have their own
 * @param importedTokens Forms of the tokens of imported keys by name, tried in the order of their names.
 * @param quota quota of the keys that do not have their own
 * @param maxLifetime Maximum time from the issue or import of a key to its expiry, 1 minute to 36500 days; new keys
 *     must then have an expiry.
 * @param requireExpiry Whether new keys must have an expiry.
 * @param disableAfterIdle Time after which a key is disabled that was neither used nor issued, imported, enabled or
 *     rotated, 1 to 3650 days; requires 'track-last-used'.
 * @since 0.1.0
 */
@ConfigurationPropertiesSource
public record ApiKeyRegistryProperties(
        @DefaultValue(ApiKeyRegistryOptions.DEFAULT_PREFIX) String prefix,

        @DefaultValue("" + ApiKeyRegistryOptions.DEFAULT_ID_BYTES)
        int idBytes,

        @DefaultValue("" + ApiKeyRegistryOptions.DEFAULT_SECRET_BYTES)
        int secretBytes,

        @DefaultValue("shake256") HashAlgorithm hashAlgorithm,
        @DefaultValue("90d") Duration purgeAfter,
        @DefaultValue("7d") Duration rotationGrace,
        @DefaultValue("true") boolean trackLastUsed,
        @DefaultValue("true") boolean auditSuccess,
        @DefaultValue("true") boolean auditFailures,
        @DefaultValue("false") boolean notifyOwners,
        @DefaultValue Limit rateLimit,
        @DefaultValue Map<String, ImportedToken> importedTokens,
        @DefaultValue Quotas quota,
        @Nullable Duration maxLifetime,
        @DefaultValue("false") boolean requireExpiry,
        @Nullable Duration disableAfterIdle) {

    /**
     * Returns the options of the registry for a namespace.
     *
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException naming
     *     the property that is out of range
     */
    public ApiKeyRegistryOptions options(String namespace) {
        String name = "credential.api-keys.registries." + namespace;
        ApiKeyRegistryOptions options = PropertyRules.accepted(name, namespace, ApiKeyRegistryOptions::forNamespace);
        options = PropertyRules.accepted(name + ".prefix", prefix, options::withPrefix);
        options = PropertyRules.accepted(name + ".id-bytes", idBytes, options::withIdBytes);
        options = PropertyRules.accepted(name + ".secret-bytes", secretBytes, options::withSecretBytes);
        options = PropertyRules.accepted(name + ".purge-after", purgeAfter, options::withPurgeAfter);
        options = PropertyRules.accepted(name + ".rotation-grace", rotationGrace, options::withRotationGrace);
        options = options.withRateLimit(rateLimit.rateLimit(name + ".rate-limit"));
        ForeignTokenForm[] forms = new TreeMap<>(importedTokens)
                .entrySet().stream()
                        .map(form -> form.getValue().form(name + ".imported-tokens." + form.getKey()))
                        .toArray(ForeignTokenForm[]::new);
        options = PropertyRules.accepted(name + ".imported-tokens", forms, options::withImportedTokens);
        options = options.withQuota(quota.quota(name + ".quota"));
        return lifetimes(
                name,
                options.withHashAlgorithm(hashAlgorithm)
                        .withTrackLastUsed(trackLastUsed)
                        .withAuditSuccess(auditSuccess)
                        .withAuditFailures(auditFailures));
    }

    private ApiKeyRegistryOptions lifetimes(String name, ApiKeyRegistryOptions given) {
        ApiKeyRegistryOptions options = given.withRequireExpiry(requireExpiry);
        if (maxLifetime != null) {
            options = PropertyRules.accepted(name + ".max-lifetime", maxLifetime, options::withMaxLifetime);
        }
        if (disableAfterIdle != null) {
            options = PropertyRules.accepted(
                    name + ".disable-after-idle", disableAfterIdle, options::withDisableAfterIdle);
        }
        return options;
    }

    /**
     * Configuration properties of a rate limit.
     *
     * @param limit Number of requests that a key without its own limit permits in each window, 1 to 1000000.
     * @param window Length of a window in whole seconds, 1 second to 1 day.
     */
    public record Limit(
            @Nullable Integer limit, @DefaultValue("60s") Duration window) {

        /** Returns the limit, or null if there is none. */
        private @Nullable RateLimit rateLimit(String name) {
            PropertyRules.accepted(name + ".window", window, length -> new RateLimit(1, length));
            return limit == null
                    ? null
                    : PropertyRules.accepted(name + ".limit", limit, requests -> new RateLimit(requests, window));
        }
    }

    /**
     * Configuration properties of a quota.
     *
     * @param limit Number of requests that a key without its own quota permits in each period, 1 to 1000000000.
     * @param period Calendar period: 'day' or 'month'.
     * @param zone Time zone whose midnight begins a period, for example 'Europe/Berlin'.
     */
    public record Quotas(
            @Nullable Integer limit,
            @DefaultValue("month") Quota.Period period,
            @DefaultValue("UTC") ZoneId zone) {

        /** Returns the quota, or null if there is none. */
        private @Nullable Quota quota(String name) {
            return limit == null
                    ? null
                    : PropertyRules.accepted(name + ".limit", limit, requests -> new Quota(requests, period, zone));
        }
    }
}
