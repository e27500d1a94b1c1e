package io.credential.apikey.internal.usage;

/** Counts requests that are rejected although their key is valid. Thread-safe; does not wait for the database. */
@FunctionalInterface
public interface UsageRecorder {

    /** Counts nothing. */
    UsageRecorder NONE = (namespace, id, cause) -> {};

    /**
     * Counts a rejection. The request itself was counted when its key was verified.
     *
     * @param id of a key that was verified
     */
    void rejected(String namespace, String id, RejectionCause cause);
}
