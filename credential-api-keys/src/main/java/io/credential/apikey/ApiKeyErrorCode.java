package io.credential.apikey;

/**
 * Why a registry operation was refused.
 *
 * @since 0.1.0
 */
public enum ApiKeyErrorCode {
    /** An option or argument is missing or out of range. */
    BAD_OPT("api-key/bad-opt"),
    /** The owner is missing, blank, too long or not well-formed Unicode. */
    MISSING_OWNER("api-key/missing-owner"),
    /** A scope is empty, too long, has characters that are not visible or is not a known one, or there are too many. */
    BAD_SCOPES("api-key/bad-scopes"),
    /** The metadata is not a JSON object of at most 4 KiB. */
    BAD_METADATA("api-key/bad-metadata"),
    /** No key has this id. */
    NOT_FOUND("api-key/not-found"),
    /** The key has been revoked. */
    REVOKED("api-key/revoked"),
    /** The key has expired. */
    EXPIRED("api-key/expired"),
    /** The key was changed concurrently; this call changed nothing. */
    ROTATION_CONFLICT("api-key/rotation-conflict"),
    /** This node is not the leader of its cluster; nothing was changed. */
    NOT_LEADER("api-key/not-leader"),
    /** Data in the plain form was found, and plain-form migration is not allowed. */
    RESEAL_WINDOW_CLOSED("api-key/reseal-window-closed"),
    /** A row is damaged or was tampered with. */
    UNREADABLE_ROW("api-key/unreadable-row"),
    /** The transaction of the caller is read-only; nothing was changed. */
    READ_ONLY_TRANSACTION("api-key/read-only-transaction"),
    /**
     * The database rejected a statement or the login, its disk is full, or its tables are not those of this version. A
     * retry does not help; the message says what an operator must do.
     */
    DATABASE_ERROR("api-key/database-error"),
    /**
     * The database, a key of the keyring or hashing capacity is currently unavailable. Nothing was decided, but a change
     * may have been made if the connection to the database was lost during its commit.
     */
    UNAVAILABLE("api-key/unavailable");

    private final String text;

    ApiKeyErrorCode(String text) {
        this.text = text;
    }

    /** Returns the stable code, for example {@code api-key/not-found}. */
    public String text() {
        return text;
    }
}
