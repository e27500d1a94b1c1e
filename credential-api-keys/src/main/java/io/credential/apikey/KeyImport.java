package io.credential.apikey;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;

/**
 * Describes a key of another system that is to be imported. Immutable: every method returns a new value.
 *
 * @param key owner, scopes and the like; unlike for new keys, the expiry may be in the past
 * @param hash the hash of its secret
 * @param lookupId the id by which its tokens are looked up, 1 to 255 characters; null if they are looked up by the hash
 * @param createdAt when it was issued; null, the default, for the time of the import
 * @param disabledAt when it was disabled; null, the default, if it is not
 * @param lastUsedAt when it was last used; null, the default, if that is unknown
 * @since 0.1.0
 */
public record KeyImport(
        IssueRequest key,
        ForeignHash hash,
        @Nullable String lookupId,
        @Nullable Instant createdAt,
        @Nullable Instant disabledAt,
        @Nullable Instant lastUsedAt) {

    private static final int MAX_LOOKUP_ID_LENGTH = 255;

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} if the look-up id is empty or too long, or missing although equal
     *     secrets have different hashes
     */
    public KeyImport {
        KeyRules.required(key, "key");
        KeyRules.required(hash, "hash");
        if (lookupId == null ? !hash.algorithm().isDeterministic() : isBadLookupId(lookupId)) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "lookupId must have 1 to " + MAX_LOOKUP_ID_LENGTH + " characters; it can be left out only for"
                            + " sha256, sha512 and hmac-sha256");
        }
        KeyRules.requireStorable(createdAt, "createdAt");
        KeyRules.requireStorable(disabledAt, "disabledAt");
        KeyRules.requireStorable(lastUsedAt, "lastUsedAt");
        KeyRules.requireStorable(key.expiresAt(), "expiresAt");
    }

    private static boolean isBadLookupId(String lookupId) {
        return lookupId.isEmpty() || lookupId.length() > MAX_LOOKUP_ID_LENGTH;
    }

    /** Describes a key whose tokens are looked up by their hash. */
    public static KeyImport of(IssueRequest key, ForeignHash hash) {
        return new KeyImport(key, hash, null, null, null, null);
    }

    /** Describes a key whose tokens contain an id. */
    public static KeyImport of(IssueRequest key, ForeignHash hash, String lookupId) {
        return new KeyImport(key, hash, KeyRules.required(lookupId, "lookupId"), null, null, null);
    }

    /** Sets when the key was issued; null for the time of the import. */
    public KeyImport createdAt(@Nullable Instant createdAt) {
        return new KeyImport(key, hash, lookupId, createdAt, disabledAt, lastUsedAt);
    }

    /** Imports the key as disabled since then; null if it is not. */
    public KeyImport disabledAt(@Nullable Instant disabledAt) {
        return new KeyImport(key, hash, lookupId, createdAt, disabledAt, lastUsedAt);
    }

    /** Sets when the key was last used; null if that is unknown. */
    public KeyImport lastUsedAt(@Nullable Instant lastUsedAt) {
        return new KeyImport(key, hash, lookupId, createdAt, disabledAt, lastUsedAt);
    }
}
