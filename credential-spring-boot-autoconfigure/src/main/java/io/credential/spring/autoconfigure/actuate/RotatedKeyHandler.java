package io.credential.spring.autoconfigure.actuate;

import io.credential.apikey.ApiKey;
import io.credential.apikey.RotatedApiKey;

/**
 * Receives the new token of a key that is rotated with the Actuator endpoint {@code credentials}, which never shows tokens.
 * Define a bean of this type to enable rotations there.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RotatedKeyHandler {

    /**
     * Delivers the new token, for example to the secret store of the owner. Is called in the transaction of the rotation: if
     * it throws, the key stays as it was. It should return within seconds, because the key is locked meanwhile; on PostgreSQL,
     * the rotation fails after 30 seconds, and in cluster mode after the lease duration, by default ten seconds. If the commit fails afterwards, the token that
     * was delivered is not valid and the old one stays valid: rotate again.
     *
     * @param key the key after the rotation, with its owner, name and metadata
     * @param rotated the new token, and when the old one stops working
     */
    void handle(ApiKey key, RotatedApiKey rotated);
}
