package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.CredentialConfigurationException;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Tells a key that stands in the properties from one that stands in a resource, and reads the latter. */
final class KeyLoader {

    private final ResourceLoader resourceLoader;

    KeyLoader(ResourceLoader resourceLoader) {
        this.resourceLoader = ApplicationResourceLoader.get(resourceLoader, true);
    }

    /**
     * Hands the key to the consumer of its kind.
     *
     * @param property named when the resource cannot be read
     */
    void load(String property, SecretBytes configured, Consumer<String> text, Consumer<byte[]> bytes) {
        String value = text(configured);
        if (isLocation(value)) {
            bytes.accept(read(property, value));
        } else {
            text.accept(value);
        }
    }

    /** The key as bytes, whichever way it is written. */
    byte[] bytes(String property, SecretBytes configured) {
        String value = text(configured);
        return isLocation(value) ? read(property, value) : configured.toByteArray();
    }

    private byte[] read(String property, String location) {
        Resource resource = resourceLoader.getResource(location);
        try (InputStream in = resource.getInputStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' cannot be read: " + e.getMessage() + ".",
                    "Correct the location, or make the resource readable for the application.",
                    e);
        }
    }

    private static boolean isLocation(String value) {
        return Stream.of("file:", "classpath:").anyMatch(value::startsWith);
    }

    private static String text(SecretBytes configured) {
        return new String(configured.toByteArray(), UTF_8);
    }
}
