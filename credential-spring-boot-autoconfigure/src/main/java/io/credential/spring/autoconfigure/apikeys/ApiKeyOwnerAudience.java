package io.credential.spring.autoconfigure.apikeys;

import java.util.Optional;

import io.credential.apikey.ApiKey;

/**
 * Determines which endpoints of the webhook dispatcher belong to the owner of a key. If {@code
 * credential.api-keys.registries.<namespace>.notify-owners} is true, they get the operational events about the key that they
 * subscribe to. Define a bean to replace the default, which is the id of the owner. Must be thread-safe; it is called on
 * background threads, and on those that receive reports of leaked keys.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ApiKeyOwnerAudience {

    /**
     * Returns the audience of the owner. The dispatcher stores it unencrypted, together with the id of the key.
     *
     * @return 1 to 255 of {@code [A-Za-z0-9._:-]}; empty if the owner is not told
     */
    Optional<String> audienceOf(ApiKey key);
}
