package io.credential.spring.autoconfigure.webhook;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads keys as properties hold them: the text itself, {@code base64:...}, or where the key is kept, {@code file:...} or
 * {@code classpath:...}. A file's bytes are taken to the last one, a line end included. Warns of keys that say by their
 * name or text that they are published.
 */
final class KeyLoader {

    private static final Logger LOG = LoggerFactory.getLogger(KeyLoader.class);

    /** The prefix of the keys in the sample application and in the documentation. */
    private static final String PUBLISHED = "development-only-";

    /** Over six times the longest key in PEM. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final String BASE64 = "base64:";
    private static final String FILE = "file:";
    private static final String CLASSPATH = "classpath:";

    private final ResourceLoader resources;

    KeyLoader(ResourceLoader resources) {
        this.resources = resources;
    }

    /**
     * Hands the bytes of the key over, and wipes them afterwards.
     *
     * @param property named when the key cannot be read
     * @throws CredentialConfigurationException when it cannot be read
     */
    void load(String property, SecretBytes configured, Consumer<byte[]> key) {
        byte[] written = configured.toByteArray();
        byte[] bytes = written;
        try {
            warnIfPublished(property, written);
            bytes = startsWith(written, BASE64) ? decoded(property, written) : located(property, written);
            key.accept(bytes);
        } finally {
            Arrays.fill(written, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static void warnIfPublished(String property, byte[] written) {
        String value = new String(written, UTF_8);
        String key =
                isLocation(written) ? value.substring(Math.max(value.lastIndexOf('/'), value.indexOf(':')) + 1) : value;
        if (key.startsWith(PUBLISHED)) {
            LOG.warn(
                    "'{}' is a published demonstration key, with which everybody can sign. Replace it with a secret"
                            + " key.",
                    property);
        }
    }

    private static boolean isLocation(byte[] written) {
        return startsWith(written, FILE) || startsWith(written, CLASSPATH);
    }

    private static byte[] decoded(String property, byte[] written) {
        byte[] encoded = Arrays.copyOfRange(written, BASE64.length(), written.length);
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            // Not as the cause: its message quotes the text.
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' is not base64 after 'base64:'.",
                    "Correct it, or write the key as text, without 'base64:'.");
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    private byte[] located(String property, byte[] written) {
        if (!isLocation(written)) {
            requireNoFile(property, written);
            return written;
        }
        String location = new String(written, UTF_8);
        try {
            return read(location);
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' cannot be read: " + e.getMessage() + ".",
                    "Correct the location, or make the resource readable for the application.",
                    e);
        }
    }

    /** The path of a key, written without {@code file:}, would be a key that others can guess. */
    private static void requireNoFile(String property, byte[] written) {
        String text = new String(written, UTF_8);
        if (text.indexOf('/') >= 0 && isFile(text)) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' is the path of a file, not the key itself.",
                    "Write 'file:' in front of the path to use the content of the file.");
        }
    }

    private static boolean isFile(String text) {
        try {
            return Files.isRegularFile(Path.of(text));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private byte[] read(String location) throws IOException {
        try (InputStream in = location.startsWith(FILE) ? file(location) : onClassPath(location)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                Arrays.fill(bytes, (byte) 0);
                throw new IOException(location + " has more than " + MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw missing(location, e);
        }
    }

    private InputStream onClassPath(String location) throws IOException {
        Resource resource = resources.getResource(location);
        if (!resource.exists()) {
            throw missing(location, null);
        }
        // A folder would be read as the list of its files.
        if (resource.isFile() && !Files.isRegularFile(resource.getFile().toPath())) {
            throw new IOException(location + " is not a file");
        }
        return resource.getInputStream();
    }

    /**
     * As a URL with two slashes or more, else as a path, which may be relative. Not by the resource loader, which reads
     * any path as a URL, with escapes, and a folder as the list of its files.
     */
    private static InputStream file(String location) throws IOException {
        String path = location.substring(FILE.length());
        try {
            return Files.newInputStream(path.startsWith("//") ? Path.of(URI.create(location)) : Path.of(path));
        } catch (IllegalArgumentException e) {
            throw new IOException(location + " is not the location of a file", e);
        }
    }

    private static IOException missing(String location, @Nullable Throwable cause) {
        IOException missing = new FileNotFoundException(location + " does not exist");
        missing.initCause(cause);
        return missing;
    }

    private static boolean startsWith(byte[] written, String head) {
        byte[] wanted = head.getBytes(US_ASCII);
        return written.length >= wanted.length && Arrays.equals(written, 0, wanted.length, wanted, 0, wanted.length);
    }
}
