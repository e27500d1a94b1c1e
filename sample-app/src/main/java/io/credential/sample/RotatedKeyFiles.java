package io.credential.sample;

import org.springframework.stereotype.Component;

import io.credential.apikey.ApiKey;
import io.credential.apikey.RotatedApiKey;
import io.credential.spring.autoconfigure.actuate.RotatedKeyHandler;

/**
 * Writes the new token of a key that was rotated through Actuator to {@code rotated-keys/<id>}. An application would rather
 * store it where the owner of the key finds it.
 */
@Component
class RotatedKeyFiles implements RotatedKeyHandler {

    private final SecretFiles files;

    RotatedKeyFiles(SecretFiles files) {
        this.files = files;
    }

    @Override
    public void handle(ApiKey key, RotatedApiKey rotated) {
        files.write("rotated-keys/" + key.id(), rotated.key());
    }
}
