package io.credential.keyring.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Predicate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.secret.internal.OwnerOnlyFiles;
import io.credential.secret.internal.RandomHex;

/**
 * A keyring in a JSON file: {@code {"version": 1, "active": "k1", "keys": {"k1": "<base64>"}, "index": {"active": "i1",
 * "keys": {"i1": "<base64>"}}}}, every key 32 bytes. Only its owner may read it (mode 600), and its group if that is
 * allowed and this process cannot write it. Thread-safe.
 */
public final class KeyringFile {

    private static final Logger LOG = LoggerFactory.getLogger(KeyringFile.class);
    private static final int MAX_BYTES = 64 * 1024;
    private static final int TEMPORARY_NAME_BYTES = 8;

    private final Path path;
    private final boolean groupMayRead;
    private final Predicate<Path> isWritable;

    /**
     * @param groupMayRead whether the group may read it, provided that this process cannot write it, as with a
     *     Kubernetes Secret that is mounted with {@code fsGroup}
     */
    public KeyringFile(Path path, boolean groupMayRead) {
        this(path, groupMayRead, Files::isWritable);
    }

    KeyringFile(Path path, boolean groupMayRead, Predicate<Path> isWritable) {
        this.path = path.toAbsolutePath().normalize();
        this.groupMayRead = groupMayRead;
        this.isWritable = isWritable;
    }

    /**
     * Reads a keyring from a source other than a file, whose permissions are not checked.
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
                throw new IllegalArgumentException("it must not be longer than " + MAX_BYTES + " bytes");
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

    Path path() {
        return path;
    }

    boolean exists() {
        return Files.exists(path);
    }

    /**
     * Reads the keyring.
     *
     * @throws KeyringException if the file is missing, has permissions beyond those allowed, or is malformed
     */
    public Keyring load() {
        try {
            requireClosedToOthers();
            warnOfOpenDirectory();
            try (InputStream in = Files.newInputStream(path)) {
                return read(in, path.toString());
            }
        } catch (IOException e) {
            throw unreadable(path.toString(), e);
        }
    }

    private void requireClosedToOthers() throws IOException {
        if (!OwnerOnlyFiles.isOpenToOthers(path)) {
            return;
        }
        String problem = "The keyring " + path + " is accessible to users other than its owner.";
        String remedy = "Run `chmod 600 " + path + "`, and replace its keys if someone may have read them.";
        if (OwnerOnlyFiles.isOpenBeyondReadByGroup(path)) {
            throw new KeyringException(problem, remedy);
        }
        if (!groupMayRead) {
            throw new KeyringException(
                    problem,
                    remedy + " If it is mounted read-only for the group of this process, like a Kubernetes Secret with"
                            + " fsGroup, set 'credential.keyring.allow-group-read' to true instead.");
        }
        if (isWritable.test(path)) {
            throw new KeyringException(
                    "The keyring " + path + " is readable by its group and writable by this process.",
                    "'credential.keyring.allow-group-read' accepts only a file that this process cannot write: mount it"
                            + " read-only. Or run `chmod 600 " + path + "`.");
        }
    }

    /** Not refused: the directory may be shared for other files in it. */
    private void warnOfOpenDirectory() throws IOException {
        Path directory = path.getParent();
        if (directory != null
                && OwnerOnlyFiles.isWritableByOthers(directory)
                && !Files.getFileStore(directory).isReadOnly()) {
            LOG.warn(
                    "Users other than its owner can write to the directory {} and so replace the keyring {}:"
                            + " run `chmod go-w {}`",
                    directory,
                    path,
                    directory);
        }
    }

    /**
     * Creates the file, which is on the disk when this returns.
     *
     * @return false if the file exists; it is left unchanged
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
