package io.credential.spring.webhook;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

/** Reads a body up to a maximum length. */
final class BodyReader {

    private BodyReader() {}

    /**
     * Returns the body, or null if it is too long; then as little as possible of it is read.
     *
     * @throws IOException when the client breaks off, is too slow, or sends something that is not a body
     */
    static byte @Nullable [] read(HttpServletRequest request, long maxBytes) throws IOException {
        if (request.getContentLengthLong() > maxBytes) {
            return null;
        }
        try {
            // The header may be missing.
            byte[] body = request.getInputStream().readNBytes(Math.toIntExact(maxBytes + 1));
            return body.length > maxBytes ? null : body;
        } catch (RuntimeException e) {
            // This is how Jetty reports malformed chunks.
            throw new IOException("The server could not read the body", e);
        }
    }
}
