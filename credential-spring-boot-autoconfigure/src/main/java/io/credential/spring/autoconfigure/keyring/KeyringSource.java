package io.credential.spring.autoconfigure.keyring;

import java.io.IOException;
import java.io.InputStream;

import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.WritableResource;

import io.credential.keyring.KeyringFile;
import io.credential.keyring.KeyringGuard;
import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.CredentialProperties;

/**
 * Where the keyring comes from: a file, which may be created and must be closed to others; any other resource, which is
 * only read; or nowhere, for tests.
 *
 * @param keyring as configured
 * @param create whether a file that is missing is created
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
                            + " to where it is. Only a location that begins with 'file:' is created when it is"
                            + " missing.",
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
            // What Base64 complains about is part of the keyring: neither its message nor itself may go further.
            throw new CredentialConfigurationException(
                    "The keyring in " + LOCATION + " is not valid base64.",
                    "Write the whole keyring file, encoded without line breaks, after 'base64:'.");
        }
    }
}
