package io.credential.spring.autoconfigure.keyring;

import java.io.IOException;
import java.io.InputStream;

import org.springframework.core.io.Resource;
import org.springframework.core.io.WritableResource;

import io.credential.seal.Keyring;
import io.credential.spring.autoconfigure.CredentialConfigurationException;
import io.credential.storage.KeyringFile;
import io.credential.storage.KeyringGuard;

/**
 * Where the keyring comes from: a file, which may be created and must be its owner's alone, or any other resource,
 * which is only read.
 *
 * @param location the resource
 * @param create whether a file that is missing is created
 */
record KeyringSource(Resource location, boolean create) {

    /** Opens the keyring and checks it against the database. */
    Keyring open(KeyringGuard guard) {
        try {
            // A file on the class path is packaged with the application: it is neither created nor protected there.
            if (location.isFile() && location instanceof WritableResource) {
                return guard.open(new KeyringFile(location.getFile().toPath()), create);
            }
            try (InputStream in = location.getInputStream()) {
                Keyring keyring = KeyringFile.read(in, location.getDescription());
                guard.check(keyring, location.getDescription());
                return keyring;
            }
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The keyring " + location.getDescription() + " cannot be read: " + e.getMessage() + ".",
                    "Set 'credential.keyring.location' to where it is. Only a location that begins with 'file:' is"
                            + " created when it is missing.",
                    e);
        }
    }
}
