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
 * Describes a key to be issued. Immutable: every method returns a new value, and rejects an invalid one immediately.
 *
 * @param ownerId the owner of the key; 1 to 255 characters, not blank
 * @param name the name of the key; 1 to 128 characters without control characters, not blank; null, the default, for
 *     none
 * @param scopes what the key may do; at most 64, each 1 to 128 visible characters; default none
 * @param metadata a JSON object of at most 4 KiB; default empty
 * @param expiresAt when it stops verifying; null, the default, for never
 * @param rateLimit how many requests the key permits; null, the default, for the limit of the registry
 * @param quota how many requests the key permits in a calendar period; null, the default, for the quota of the registry
 * @param allowedNetworks the networks that may use the key, in CIDR notation; at most 32; empty, the default, for all
 * @since 0.1.0
 */
public record IssueRequest(
        String ownerId,
        @Nullable String name,
        List<String> scopes,
        Map<String, Object> metadata,
        @Nullable Instant expiresAt,
        @Nullable RateLimit rateLimit,
        @Nullable Quota quota,
        List<String> allowedNetworks) {

    /**
     * @throws ApiKeyException {@code api-key/missing-owner}, {@code api-key/bad-scopes}, {@code api-key/bad-metadata}, or
     *     {@code api-key/bad-opt} for the name or a network
     */
    public IssueRequest {
        ownerId = KeyRules.ownerId(ownerId);
        name = name == null ? null : KeyRules.name(name);
        scopes = KeyRules.scopes(scopes);
        metadata = KeyRules.metadata(metadata);
        allowedNetworks = KeyRules.networks(allowedNetworks);
    }

    /**
     * Creates a request for a key of this owner.
     *
     * @throws ApiKeyException {@code api-key/missing-owner} when the owner is null, blank or longer than 255 characters
     */
    public static IssueRequest forOwner(@Nullable String ownerId) {
        return new IssueRequest(KeyRules.ownerId(ownerId), null, List.of(), Map.of(), null, null, null, List.of());
    }

    /**
     * Names the key; null for none.
     *
     * @throws ApiKeyException {@code api-key/bad-opt}
     */
    public IssueRequest name(@Nullable String name) {
        return new IssueRequest(ownerId, name, scopes, metadata, expiresAt, rateLimit, quota, allowedNetworks);
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public IssueRequest scopes(String... scopes) {
        return scopes(KeyRules.scopes(scopes));
    }

    /**
     * Replaces the scopes.
     *
     * @throws ApiKeyException {@code api-key/bad-scopes}
     */
    public IssueRequest scopes(Collection<String> scopes) {
        return new IssueRequest(
                ownerId, name, KeyRules.scopes(scopes), metadata, expiresAt, rateLimit, quota, allowedNetworks);
    }

    /**
     * Replaces the metadata.
     *
     * @throws ApiKeyException {@code api-key/bad-metadata}
     */
    public IssueRequest metadata(Map<String, ?> metadata) {
        return new IssueRequest(
                ownerId, name, scopes, KeyRules.metadata(metadata), expiresAt, rateLimit, quota, allowedNetworks);
    }

    /** Sets when the key stops verifying; null for never. */
    public IssueRequest expiresAt(@Nullable Instant expiresAt) {
        return new IssueRequest(ownerId, name, scopes, metadata, expiresAt, rateLimit, quota, allowedNetworks);
    }

    /**
     * Limits the requests of this key, instead of the limit of the registry.
     *
     * @param limit how many requests each window permits; 1 to 1,000,000
     * @param window how long a window lasts; 1 second to 1 day, in whole seconds
     * @throws ApiKeyException {@code api-key/bad-opt}
     */
    public IssueRequest rateLimit(int limit, Duration window) {
        return new IssueRequest(
                ownerId, name, scopes, metadata, expiresAt, KeyRules.rateLimit(limit, window), quota, allowedNetworks);
    }

    /** Limits the requests of this key in each calendar period, instead of the quota of the registry; null for that one. */
    public IssueRequest quota(@Nullable Quota quota) {
        return new IssueRequest(ownerId, name, scopes, metadata, expiresAt, rateLimit, quota, allowedNetworks);
    }

    /**
     * Restricts the key to networks, such as {@code 192.0.2.0/24} or {@code 2001:db8::/32}. Single addresses are stored as
     * {@code 192.0.2.7/32}, and IPv4-mapped ranges as the IPv4 range.
     *
     * @param networks at most 32; none for all
     * @throws ApiKeyException {@code api-key/bad-opt} if one is not an IP address or range, or has bits beyond its prefix
     */
    public IssueRequest allowedNetworks(Collection<String> networks) {
        return new IssueRequest(
                ownerId, name, scopes, metadata, expiresAt, rateLimit, quota, KeyRules.networks(networks));
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "IssueRequest[scopes=" + scopes.size() + ", expiresAt=" + expiresAt + "]";
    }
}
