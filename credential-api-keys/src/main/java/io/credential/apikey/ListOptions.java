package io.credential.apikey;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;

/**
 * Selects the keys of a listing.
 *
 * @param includeRevoked whether revoked keys are listed too
 * @param includeExpired whether expired keys are listed too
 * @param limit the maximum number of keys, 1 to {@value #MAX_LIMIT}
 * @param cursor where the previous page ended; null for the first page
 * @since 0.1.0
 */
public record ListOptions(
        boolean includeRevoked,
        boolean includeExpired,
        int limit,
        @Nullable String cursor) {

    /** The limit when none is given. */
    public static final int DEFAULT_LIMIT = 100;

    /** The largest limit. */
    public static final int MAX_LIMIT = 1000;

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} when the limit is out of range
     */
    public ListOptions {
        requireLimit(limit);
    }

    static void requireLimit(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
    }

    /** Selects the first page of the keys that are neither revoked nor expired, including disabled ones. */
    public static ListOptions defaults() {
        return new ListOptions(false, false, DEFAULT_LIMIT, null);
    }

    public ListOptions withRevoked() {
        return new ListOptions(true, includeExpired, limit, cursor);
    }

    public ListOptions withExpired() {
        return new ListOptions(includeRevoked, true, limit, cursor);
    }

    public ListOptions withLimit(int limit) {
        return new ListOptions(includeRevoked, includeExpired, limit, cursor);
    }

    /**
     * Selects the page after the one that returned this cursor.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null, as on the last page
     */
    public ListOptions after(String cursor) {
        return new ListOptions(includeRevoked, includeExpired, limit, KeyRules.required(cursor, "cursor"));
    }
}
