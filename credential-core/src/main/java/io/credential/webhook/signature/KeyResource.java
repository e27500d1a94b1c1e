package io.credential.webhook.signature;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A key that stands in a file ({@code file:/run/secrets/partner}, {@code file:keys/partner.pem}) or on the class path
 * ({@code classpath:keys/partner.pem}). Its bytes are taken to the last one, a line end included. Thread-safe.
 *
 * @since 0.1.0
 */
public final class KeyResource {

    /** Over six times the longest key in PEM. */
    private static final int MAX_BYTES = 64 * 1024;

    private static final String FILE = "file:";
    private static final String CLASSPATH = "classpath:";

    private KeyResource() {}

    /** Whether the text names a resource and is no key itself. */
    public static boolean isLocation(String text) {
        return text.startsWith(FILE) || text.startsWith(CLASSPATH);
    }

    /**
     * The bytes of the resource; the caller's to wipe.
     *
     * @param location for which {@link #isLocation} holds
     * @throws IOException when there is none, it cannot be read, or it has more than 64 KiB
     */
    public static byte[] read(String location) throws IOException {
        try (InputStream in = open(location)) {
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

    private static InputStream open(String location) throws IOException {
        return location.startsWith(FILE) ? Files.newInputStream(path(location)) : openOnClassPath(location);
    }

    private static InputStream openOnClassPath(String location) throws IOException {
        String name = location.substring(CLASSPATH.length());
        String relative = name.startsWith("/") ? name.substring(1) : name;
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = own == null ? KeyResource.class.getClassLoader() : own;
        URL url = loader.getResource(relative);
        if (url == null) {
            throw missing(location, null);
        }
        // A folder would be read as the list of what is in it.
        if (url.getProtocol().equals("file") && !Files.isRegularFile(Path.of(URI.create(url.toString())))) {
            throw new IOException(location + " is no file");
        }
        return url.openStream();
    }

    /** As a URL with two slashes or more, else as a path, which may be relative and needs no escapes. */
    private static Path path(String location) throws IOException {
        String path = location.substring(FILE.length());
        try {
            return path.startsWith("//") ? Path.of(URI.create(location)) : Path.of(path);
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
