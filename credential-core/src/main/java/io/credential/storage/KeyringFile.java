package io.credential.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.seal.Keyring;
import io.credential.secret.RandomHex;

/**
 * A keyring in a JSON file: {@code {"version": 1, "active": "k1", "keys": {"k1": "<base64>"}, "index": "<base64>"}}, every
 * key 32 bytes. Only its owner may read it (mode 600). Thread-safe.
 *
 * @since 0.1.0
 */
public final class KeyringFile {

    private static final Logger LOG = LoggerFactory.getLogger(KeyringFile.class);
    private static final int MAX_BYTES = 64 * 1024;
    private static final int TEMPORARY_NAME_BYTES = 8;

    private final Path path;

    public KeyringFile(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /**
     * Reads a keyring from elsewhere than a file; who else can read that is not checked.
     *
     * @param name where it comes from, for messages
     * @throws KeyringException if it cannot be read or is malformed
     */
    public static Keyring read(InputStream in, String name) {
        byte[] json;
        try {
            json = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
        try {
            if (json.length > MAX_BYTES) {
                throw new IllegalArgumentException("must not be longer than " + MAX_BYTES + " bytes");
            }
            return KeyringJson.parse(json);
        } catch (IllegalArgumentException e) {
            throw new KeyringException(
                    "The keyring " + name + " is malformed: " + e.getMessage() + ".",
                    "Restore it from a backup; it is never replaced, since what was sealed with it would be lost.");
        } finally {
            Arrays.fill(json, (byte) 0);
        }
    }

    /** The absolute path. */
    Path path() {
        return path;
    }

    boolean exists() {
        return Files.exists(path);
    }

    /**
     * @throws KeyringException if the file is missing, can be read by others than its owner, or is malformed
     */
    Keyring load() {
        try {
            if (OwnerOnlyFiles.isOpenToOthers(path)) {
                throw new KeyringException(
                        "The keyring " + path + " is open to others than its owner.",
                        "Run `chmod 600 " + path + "`, and replace its keys if someone may have read them.");
            }
            warnOfOpenDirectory();
            try (InputStream in = Files.newInputStream(path)) {
                return read(in, path.toString());
            }
        } catch (IOException e) {
            throw unreadable(path.toString(), e);
        }
    }

    /** Not refused: the directory may hold other things, and be shared for their sake. */
    private void warnOfOpenDirectory() throws IOException {
        Path directory = path.getParent();
        if (directory != null && OwnerOnlyFiles.isWritableByOthers(directory)) {
            LOG.warn(
                    "Others than its owner may write to the directory {} and so put another keyring in place of {}:"
                            + " run `chmod go-w {}`",
                    directory,
                    path,
                    directory);
        }
    }

    /**
     * Creates the file, on the disk when this returns.
     *
     * @return false if there is such a file, which stays as it is
     * @throws KeyringException if it cannot be created
     */
    boolean create(byte[] json, SecureRandom random) {
        Path temporary = path.resolveSibling(
                "." + path.getFileName() + "." + new RandomHex(random).next(TEMPORARY_NAME_BYTES) + ".tmp");
        try {
            return OwnerOnlyFiles.create(path, temporary, json);
        } catch (UnsupportedOperationException e) {
            throw new KeyringException(
                    "The keyring " + path + " cannot be created: its file system has no hard links.",
                    "Set 'credential.keyring.location' to a path on another file system.",
                    e);
        } catch (IOException e) {
            throw new KeyringException(
                    "The keyring " + path + " cannot be created: " + e + ".",
                    "Check that its directory can be written, or set 'credential.keyring.location'.",
                    e);
        }
    }

    private static KeyringException unreadable(String name, IOException cause) {
        return new KeyringException(
                "The keyring " + name + " cannot be read: " + cause + ".",
                "Check that it exists and that this process may read it, or set 'credential.keyring.location'.",
                cause);
    }
}
