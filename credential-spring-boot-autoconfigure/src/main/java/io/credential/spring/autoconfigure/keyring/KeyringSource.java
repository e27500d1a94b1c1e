package io.credential.spring.autoconfigure.keyring;

import java.io.IOException;
import java.io.InputStream;

import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.WritableResource;

import io.credential.keyring.internal.KeyringFile;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.CredentialProperties;

/**
 * Opens the configured keyring: a file, which may be created and must not be accessible to others; another resource,
 * which is only read; or a random keyring in memory, for tests.
 *
 * @param keyring the configuration
 * @param create whether a missing file is created
 * @param resourceLoader finds class path resources
 */
record KeyringSource(CredentialProperties.Keyring keyring, boolean create, ResourceLoader resourceLoader) {

    private static final String LOCATION = "'credential.keyring.location'";

    /** Opens the keyring and checks it against the database. */
    Keyring open(KeyringGuard guard) {
        if (keyring.isEphemeral()) {
            return guard.generate();
        }
        Resource resource = resource();
        String name = keyring.isInline() ? "in " + LOCATION : resource.getDescription();
        try {
            // A file on the class path is packaged with the application: it is neither created nor protected there.
            if (resource.isFile() && resource instanceof WritableResource) {
                return guard.open(new KeyringFile(resource.getFile().toPath(), keyring.allowGroupRead()), create);
            }
            try (InputStream in = resource.getInputStream()) {
                Keyring read = KeyringFile.read(in, name);
                guard.check(read, name);
                return read;
            }
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The keyring " + name + " cannot be read: " + e.getMessage() + ".",
                    "Set " + LOCATION
                            + " to the location of the keyring. Only a missing file at a location that begins with"
                            + " 'file:' is created.",
                    e);
        }
    }

    private Resource resource() {
        try {
            return ApplicationResourceLoader.get(resourceLoader, true).getResource(keyring.location());
        } catch (IllegalArgumentException e) {
            if (!keyring.isInline()) {
                throw e;
            }
            // Neither the message nor the exception of Base64 may go further: they quote the keyring.
            throw new CredentialConfigurationException(
                    "The keyring in " + LOCATION + " is not valid base64.",
                    "Write the whole keyring file, encoded without line breaks, after 'base64:'.");
        }
    }
}
