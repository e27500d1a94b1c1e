package io.credential.spring.autoconfigure.webhook.internal;

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

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads keys from properties: the text itself, {@code base64:...}, or the location of the key, {@code file:...} or
 * {@code classpath:...}. One line end at the end of a file is not part of the key. Warns about keys that begin or end
 * with white space, are texts in UTF-16, or have a name or text that marks them as published.
 */
public final class KeyLoader {

    private static final Logger LOG = LoggerFactory.getLogger(KeyLoader.class);

    /** The prefix of published keys in the sample application and the documentation. */
    private static final String PUBLISHED = "development-only-";

    /** The same, as a secret of Standard Webhooks: base64 of a text that begins so. */
    private static final String PUBLISHED_STANDARD = "whsec_ZGV2ZWxvcG1lbnQtb25seS";

    /** More than six times the longest PEM key. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final String BASE64 = "base64:";
    private static final String FILE = "file:";
    private static final String CLASSPATH = "classpath:";

    private final ResourceLoader resources;

    public KeyLoader(ResourceLoader resources) {
        this.resources = resources;
    }

    /**
     * Passes the bytes of the key to a consumer, and wipes them afterwards.
     *
     * @param property named if the key cannot be read
     * @throws CredentialConfigurationException if the key cannot be read
     */
    public void load(String property, SecretBytes configured, Consumer<byte[]> key) {
        byte[] written = configured.toByteArray();
        byte[] bytes = written;
        try {
            bytes = read(property, written);
            warnIfSurrounded(property, bytes);
            warnIfUtf16(property, bytes);
            key.accept(bytes);
        } finally {
            Arrays.fill(written, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private byte[] read(String property, byte[] written) {
        String text = new String(written, UTF_8);
        requireResolved(property, text);
        boolean isLocation = text.startsWith(FILE) || text.startsWith(CLASSPATH);
        warnIfPublished(
                property, isLocation ? text.substring(Math.max(text.lastIndexOf('/'), text.indexOf(':')) + 1) : text);
        if (isLocation) {
            return located(property, text);
        }
        if (text.startsWith(BASE64)) {
            return decoded(property, text.substring(BASE64.length()));
        }
        requireNoFile(property, text);
        return written;
    }

    /** Rejects a placeholder without a value: Spring leaves it in the text, and anyone could guess this key. */
    private static void requireResolved(String property, String text) {
        if (text.contains("${")) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' contains a placeholder that has no value.",
                    "Set the variable that the placeholder names. If the key really contains '${', encode it with 'base64:'.");
        }
    }

    private static void warnIfPublished(String property, String key) {
        if (key.startsWith(PUBLISHED) || key.startsWith(PUBLISHED_STANDARD)) {
            LOG.warn(
                    "'{}' is a published demonstration key, with which anyone can sign. Replace it with a key that is not published.",
                    property);
        }
    }

    private static void warnIfSurrounded(String property, byte[] key) {
        if (SurroundingSpace.isAround(key)) {
            LOG.warn(
                    "The key of '{}' begins or ends with white space, which is part of the key. Remove it, unless the other"
                            + " side uses it too: otherwise no signature matches.",
                    property);
        }
    }

    private static void warnIfUtf16(String property, byte[] key) {
        if (SurroundingSpace.isUtf16(key)) {
            LOG.warn(
                    "The key of '{}' is a text in UTF-16, and its bytes are the key. Store it as UTF-8 or ASCII, unless the"
                            + " other side uses the same bytes: otherwise no signature matches.",
                    property);
        }
    }

    private static byte[] decoded(String property, String encoded) {
        try {
            return Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException e) {
            // Not the cause: its message quotes the key.
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' is not valid base64 after 'base64:'.",
                    "Correct it, or write the key as text, without 'base64:'.");
        }
    }

    private byte[] located(String property, String location) {
        try {
            return SurroundingSpace.withoutLineEnd(content(location));
        } catch (IOException e) {
            throw new CredentialConfigurationException(
                    "The key of '" + property + "' cannot be read: " + e.getMessage() + ".",
                    "Correct the location, or make the resource readable by the application.",
                    e);
        }
    }

    /** Rejects a path without {@code file:}, which would be a key that others can guess. */
    private static void requireNoFile(String property, String text) {
        if (isFile(text)) {
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

    private byte[] content(String location) throws IOException {
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
        // A folder would be read as a list of its files.
        if (resource.isFile() && !Files.isRegularFile(resource.getFile().toPath())) {
            throw new IOException(location + " is not a file");
        }
        return resource.getInputStream();
    }

    /**
     * Opens a URL with two or more slashes, or else a path, which may be relative. Does not use the resource loader,
     * which reads every path as an encoded URL, and a folder as a list of its files.
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
}
