package io.credential.apikey.internal.hygiene;

import java.time.Instant;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.apikey.ApiKeyException;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Counts the active keys that deserve attention, at a limited cost. It neither opens nor authenticates rows, and does not see last uses that
 * have not been written yet. Thread-safe.
 */
public final class KeyCounter {

    /** Reads an index in its order, and stops at the limit. */
    static final String COUNT = """
            SELECT count(*) AS counted,
                count(*) FILTER (WHERE k.active AND k.expires_at IS NULL) AS never_expiring,
                count(*) FILTER (WHERE k.active AND k.idle_since < :unusedSince) AS unused,
                count(*) FILTER (WHERE k.active AND k.expires_at < :expiringBefore) AS expiring_soon
            FROM (
                SELECT revoked_at IS NULL AND disabled_at IS NULL AND (expires_at IS NULL OR expires_at > :now) AS active,
                    expires_at,
                    coalesce(last_used_at, created_at) AS idle_since
                FROM _credential_api_keys
                WHERE namespace = :namespace
                ORDER BY created_at DESC, id DESC
                LIMIT :most
            ) k""";

    private final CredentialDatabase database;

    public KeyCounter(CredentialDatabase database) {
        this.database = database;
    }

    /**
     * Counts the active keys of a namespace that deserve attention.
     *
     * @param now decides which keys have expired
     * @param unusedSince keys that were last used, or issued if they were never used, before this time are unused
     * @param expiringBefore keys that expire before this time expire soon
     * @throws ApiKeyException {@code api-key/unavailable} if the database does not answer
     */
    public KeyCounts count(String namespace, Instant now, Instant unusedSince, Instant expiringBefore) {
        try {
            return database.jdbc()
                    .sql(COUNT)
                    .param("namespace", namespace)
                    .param("now", now.toEpochMilli())
                    .param("unusedSince", unusedSince.toEpochMilli())
                    .param("expiringBefore", expiringBefore.toEpochMilli())
                    .param("most", KeyCounts.MOST)
                    .query((row, index) -> new KeyCounts(
                            row.getInt("counted"),
                            row.getInt("never_expiring"),
                            row.getInt("unused"),
                            row.getInt("expiring_soon")))
                    .single();
        } catch (DataAccessException | TransactionException e) {
            throw ApiKeyException.ofDatabase(e);
        }
    }
}
