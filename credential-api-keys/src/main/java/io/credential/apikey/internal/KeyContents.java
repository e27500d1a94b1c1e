package io.credential.apikey.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;

/** The contents of the sealed columns of a row. */
record KeyContents(String ownerId, List<String> scopes, Map<String, Object> metadata, KeyDetails details) {

    static KeyContents of(IssueRequest request, @Nullable String createdBy) {
        return new KeyContents(
                request.ownerId(), request.scopes(), request.metadata(), KeyDetails.of(request, createdBy));
    }

    static KeyContents ofImported(IssueRequest request, @Nullable String createdBy) {
        return new KeyContents(
                request.ownerId(), request.scopes(), request.metadata(), KeyDetails.ofImported(request, createdBy));
    }

    KeyContents with(ApiKeyChanges changes) {
        return new KeyContents(
                ownerId,
                changes.scopes() == null ? scopes : changes.scopes(),
                changes.metadata() == null ? metadata : changes.metadata(),
                details.with(changes));
    }

    KeyContents withActiveSince(long since) {
        return new KeyContents(ownerId, scopes, metadata, details.withActiveSince(since));
    }

    ApiKey key(ApiKeyRow row, @Nullable Instant lastUsedAt, boolean usedSecondary) {
        return new ApiKey(
                row.id(),
                row.namespace(),
                row.identity().prefix(),
                ownerId,
                details.name(),
                scopes,
                metadata,
                Instant.ofEpochMilli(row.identity().createdAt()),
                details.createdBy(),
                instant(row.state().expiresAt()),
                instant(row.state().disabledAt()),
                instant(row.state().revokedAt()),
                lastUsedAt,
                instant(row.secrets().secondaryExpiresAt()),
                details.rateLimit(),
                details.quota(),
                details.allowedNetworks(),
                details.imported(),
                usedSecondary);
    }

    static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }

    /** Returns an expiry as the audit trail shows it, in ISO-8601. */
    static String expiryText(@Nullable Instant expiresAt) {
        return expiresAt == null ? "never" : expiresAt.toString();
    }

    /** Returns a rate limit as the audit trail shows it, such as {@code 100 in 60 s}. */
    static String rateLimitText(@Nullable RateLimit limit) {
        return limit == null ? "registry" : limit.limit() + " in " + limit.windowSeconds() + " s";
    }

    static String quotaText(@Nullable Quota quota) {
        return quota == null
                ? "registry"
                : quota.limit() + " in a " + quota.period().text() + " of " + quota.zone();
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "KeyContents[]";
    }
}
