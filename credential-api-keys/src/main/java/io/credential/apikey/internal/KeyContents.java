package io.credential.apikey.internal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.RateLimit;

/** The contents of the sealed columns of a row. */
record KeyContents(
        String ownerId,
        List<String> scopes,
        Map<String, Object> metadata,
        @Nullable String name,
        @Nullable String createdBy,
        @Nullable RateLimit rateLimit) {

    static KeyContents of(IssueRequest request, @Nullable String createdBy) {
        return new KeyContents(
                request.ownerId(),
                request.scopes(),
                request.metadata(),
                request.name(),
                createdBy,
                request.rateLimit());
    }

    KeyContents with(ApiKeyChanges changes) {
        return new KeyContents(
                ownerId,
                changes.scopes() == null ? scopes : changes.scopes(),
                changes.metadata() == null ? metadata : changes.metadata(),
                changes.rename() == null ? name : changes.rename().to(),
                createdBy,
                changes.rateLimit() == null ? rateLimit : changes.rateLimit().to());
    }

    ApiKey key(ApiKeyRow row, @Nullable Instant lastUsedAt, boolean usedSecondary) {
        return new ApiKey(
                row.id(),
                row.namespace(),
                row.identity().prefix(),
                ownerId,
                name,
                scopes,
                metadata,
                Instant.ofEpochMilli(row.identity().createdAt()),
                createdBy,
                instant(row.state().expiresAt()),
                instant(row.state().disabledAt()),
                instant(row.state().revokedAt()),
                lastUsedAt,
                instant(row.secrets().secondaryExpiresAt()),
                rateLimit,
                usedSecondary);
    }

    static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }

    /** Returns an expiry as the audit trail shows it, in ISO-8601. */
    static String expiryText(@Nullable Instant expiresAt) {
        return expiresAt == null ? "never" : expiresAt.toString();
    }

    /** Returns a rate limit as the audit trail shows it, such as {@code 100 in 60 s}. */
    static String rateLimitText(@Nullable RateLimit limit) {
        return limit == null ? "registry" : limit.limit() + " in " + limit.windowSeconds() + " s";
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "KeyContents[]";
    }
}
