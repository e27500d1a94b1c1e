package io.credential.copy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;

import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ResourceUtils;

import io.credential.keyring.KeyringException;
import io.credential.keyring.internal.KeyringFile;
import io.credential.seal.internal.Keyring;

/**
 * Where the keyring is: a location as in {@code credential.keyring.location}.
 *
 * @param groupMayRead whether a file may be readable by its group, provided that this process cannot write it
 */
record KeyringLocation(String location, boolean groupMayRead) {

    static final String DEFAULT = "file:./data/credential-keyring.json";
    static final String INLINE = "base64:";

    private static final String EPHEMERAL = "ephemeral:";

    /** Returns the location for messages, without the keyring. */
    String name() {
        return location.startsWith(INLINE) ? "in " + CopyOptions.KEYRING : location;
    }

    /**
     * @throws CopyException if this is not a location that can be read
     * @throws KeyringException if the keyring is missing, accessible to others, or malformed
     */
    Keyring read() {
        if (location.startsWith(EPHEMERAL)) {
            throw new CopyException("The keyring must not be ephemeral: such a keyring is lost when the application"
                    + " stops. Set --keyring to the keyring of the file.");
        }
        if (location.startsWith(INLINE)) {
            return KeyringFile.read(inline(), name());
        }
        try {
            if (location.startsWith(ResourceUtils.FILE_URL_PREFIX) || !ResourceUtils.isUrl(location)) {
                return new KeyringFile(ResourceUtils.getFile(location).toPath(), groupMayRead).load();
            }
            try (InputStream in =
                    new DefaultResourceLoader().getResource(location).getInputStream()) {
                return KeyringFile.read(in, name());
            }
        } catch (IOException e) {
            throw new CopyException(
                    "The keyring " + name() + " cannot be read: " + CopyException.reason(e) + ". Check --keyring.", e);
        }
    }

    /** Leaves out a keyring that is the location itself. */
    @Override
    public String toString() {
        return "KeyringLocation[" + name() + "]";
    }

    private InputStream inline() {
        try {
            return new ByteArrayInputStream(Base64.getDecoder().decode(location.substring(INLINE.length())));
        } catch (IllegalArgumentException e) {
            // The exception of Base64 quotes the keyring.
            throw new CopyException("The keyring " + name() + " is not valid base64. Write the whole keyring file,"
                    + " encoded without line breaks, after '" + INLINE + "'.");
        }
    }
}
