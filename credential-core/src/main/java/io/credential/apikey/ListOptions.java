package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/**
 * Selects the keys of a listing.
 *
 * @param includeRevoked whether revoked keys are listed too
 * @param includeExpired whether expired keys are listed too
 * @param limit at most so many, 1 to {@value #MAX_LIMIT}
 * @param cursor where the page before ended; null for the first page
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
     * @throws ApiKeyException {@code api-key/bad-opt} when the limit is out of its range
     */
    public ListOptions {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "limit must be 1 to " + MAX_LIMIT + ", but is " + limit);
        }
    }

    /** The first page of active keys. */
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
     * Selects the page that follows the one that ended with this cursor.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null: the last page has no next one
     */
    public ListOptions after(String cursor) {
        return new ListOptions(includeRevoked, includeExpired, limit, KeyRules.required(cursor, "cursor"));
    }
}
