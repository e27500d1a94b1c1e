package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;
import java.util.function.Consumer;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.CredentialConfigurationException;
import io.credential.webhook.signature.KeyResource;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Tells a key that stands in the properties from one that stands in a resource, and reads the latter. */
final class KeyLoader {

    /**
     * Hands the key to the consumer of its kind.
     *
     * @param property named when the resource cannot be read
     */
    void load(String property, SecretBytes configured, Consumer<String> text, Consumer<byte[]> bytes) {
        String value = text(configured);
        if (KeyResource.isLocation(value)) {
            bytes.accept(read(property, value));
        } else {
            text.accept(value);
        }
    }

    /** The key as bytes, whichever way it is written. */
    byte[] bytes(String property, SecretBytes configured) {
        String value = text(configured);
        return KeyResource.isLocation(value) ? read(property, value) : configured.toByteArray();
    }

    private static byte[] read(String property, String location) {
        try {
            return KeyResource.read(location);
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' cannot be read: " + e.getMessage() + ".",
                    "Correct the location, or make the resource readable for the application.",
                    e);
        }
    }

    private static String text(SecretBytes configured) {
        return new String(configured.toByteArray(), UTF_8);
    }
}
