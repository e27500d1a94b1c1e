package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;

/**
 * Changes to a key other than its secret. Values that are not set stay unchanged. Immutable: every method returns a new value.
 *
 * @param rename the new name; null to keep the current one
 * @param scopes the new scopes; null to leave them
 * @param metadata the new metadata; null to keep the current one
 * @param expiry the new expiry; null to keep the current one
 * @param rateLimit the new rate limit; null to keep the current one
 * @param quota the new quota; null to keep the current one
 * @param allowedNetworks the new networks; null to keep the current ones
 * @since 0.1.0
 */
public record ApiKeyChanges(
        @Nullable Rename rename,
        @Nullable List<String> scopes,
        @Nullable Map<String, Object> metadata,
        @Nullable Expiry expiry,
        @Nullable Limit rateLimit,
        @Nullable NewQuota quota,
        @Nullable List<String> allowedNetworks) {

    /**
     * @throws ApiKeyException {@code api-key/bad-scopes} or {@code api-key/bad-metadata}, or {@code api-key/bad-opt} for a
     *     network
     */
    public ApiKeyChanges {
        scopes = scopes == null ? null : KeyRules.scopes(scopes);
        metadata = metadata == null ? null : KeyRules.metadata(metadata);
        allowedNetworks = allowedNetworks == null ? null : KeyRules.networks(allowedNetworks);
    }

    /** Returns no changes, to which others are added: {@code ApiKeyChanges.none().scopes("read:orders")}. */
    public static ApiKeyChanges none() {
        return new ApiKeyChanges(null, null, null, null, null, null, null);
    }

    /**
     * Renames the key.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when the name is null, blank, longer than 128 characters, or has
     *     control characters
     */
    public ApiKeyChanges name(String name) {
        return new ApiKeyChanges(
                new Rename(KeyRules.required(name, "name")),
                scopes,
                metadata,
                expiry,
                rateLimit,
                quota,
                allowedNetworks);
    }

    /** Removes the name of the key. */
    public ApiKeyChanges withoutName() {
        return new ApiKeyChanges(new Rename(null), scopes, metadata, expiry, rateLimit, quota, allowedNetworks);
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public ApiKeyChanges scopes(String... scopes) {
        return scopes(KeyRules.scopes(scopes));
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public ApiKeyChanges scopes(Collection<String> scopes) {
        return new ApiKeyChanges(rename, KeyRules.scopes(scopes), metadata, expiry, rateLimit, quota, allowedNetworks);
    }

    /**
     * Replaces the metadata.
     *
     * @throws ApiKeyException {@code api-key/bad-metadata}
     */
    public ApiKeyChanges metadata(Map<String, ?> metadata) {
        return new ApiKeyChanges(
                rename, scopes, KeyRules.metadata(metadata), expiry, rateLimit, quota, allowedNetworks);
    }

    /**
     * Sets when the key stops verifying.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null; to remove the expiry, use {@link
     *     #neverExpires()}
     */
    public ApiKeyChanges expiresAt(Instant expiresAt) {
        return new ApiKeyChanges(
                rename,
                scopes,
                metadata,
                new Expiry(KeyRules.required(expiresAt, "expiresAt")),
                rateLimit,
                quota,
                allowedNetworks);
    }

    /** Removes the expiry. */
    public ApiKeyChanges neverExpires() {
        return new ApiKeyChanges(rename, scopes, metadata, new Expiry(null), rateLimit, quota, allowedNetworks);
    }

    /**
     * Limits the requests of the key, instead of the limit of the registry.
     *
     * @param limit how many requests each window permits; 1 to 1,000,000
     * @param window how long a window lasts; 1 second to 1 day, in whole seconds
     * @throws ApiKeyException {@code api-key/bad-opt}
     */
    public ApiKeyChanges rateLimit(int limit, Duration window) {
        return new ApiKeyChanges(
                rename, scopes, metadata, expiry, new Limit(KeyRules.rateLimit(limit, window)), quota, allowedNetworks);
    }

    /** Removes the key's own rate limit, so that that of the registry applies. */
    public ApiKeyChanges withoutRateLimit() {
        return new ApiKeyChanges(rename, scopes, metadata, expiry, new Limit(null), quota, allowedNetworks);
    }

    /**
     * Limits the requests of the key in each calendar period, instead of the quota of the registry.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null; to remove it, use {@link #withoutQuota()}
     */
    public ApiKeyChanges quota(Quota quota) {
        return new ApiKeyChanges(
                rename,
                scopes,
                metadata,
                expiry,
                rateLimit,
                new NewQuota(KeyRules.required(quota, "quota")),
                allowedNetworks);
    }

    /** Removes the key's own quota, so that the registry's quota applies. */
    public ApiKeyChanges withoutQuota() {
        return new ApiKeyChanges(rename, scopes, metadata, expiry, rateLimit, new NewQuota(null), allowedNetworks);
    }

    /**
     * Replaces the networks that may use the key; an empty collection permits all.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} as {@link IssueRequest#allowedNetworks}
     */
    public ApiKeyChanges allowedNetworks(Collection<String> networks) {
        return new ApiKeyChanges(rename, scopes, metadata, expiry, rateLimit, quota, KeyRules.networks(networks));
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "ApiKeyChanges[rename=" + (rename != null) + ", scopes=" + (scopes != null) + ", metadata="
                + (metadata != null) + ", expiry=" + expiry + ", rateLimit=" + rateLimit + ", quota=" + quota
                + ", allowedNetworks=" + (allowedNetworks != null) + "]";
    }

    /**
     * A new name.
     *
     * @param to the name; null for none
     */
    public record Rename(@Nullable String to) {

        /**
         * @throws ApiKeyException {@code api-key/bad-opt}
         */
        public Rename {
            to = to == null ? null : KeyRules.name(to);
        }

        /** Leaves out the values that are sealed at rest. */
        @Override
        public String toString() {
            return "Rename[]";
        }
    }

    /**
     * A new expiry.
     *
     * @param at when the key stops verifying; null for never
     */
    public record Expiry(@Nullable Instant at) {}

    /**
     * A new rate limit.
     *
     * @param to the key's own limit; null for that of the registry
     */
    public record Limit(@Nullable RateLimit to) {}

    /**
     * A new quota.
     *
     * @param to the key's own quota; null for that of the registry
     */
    public record NewQuota(@Nullable Quota to) {}
}
