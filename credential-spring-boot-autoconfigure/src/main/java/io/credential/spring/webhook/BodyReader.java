package io.credential.spring.webhook;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

/** Reads a body that has a longest length. */
final class BodyReader {

    private BodyReader() {}

    /**
     * The body, or null when it is longer, of which as little as possible is read.
     *
     * @throws IOException when the client breaks off, is too slow, or sends something that is not a body
     */
    static byte @Nullable [] read(HttpServletRequest request, long maxBytes) throws IOException {
        if (request.getContentLengthLong() > maxBytes) {
            return null;
        }
        try {
            // What the header says may be missing.
            byte[] body = request.getInputStream().readNBytes(Math.toIntExact(maxBytes + 1));
            return body.length > maxBytes ? null : body;
        } catch (RuntimeException e) {
            // Jetty reports malformed chunks so.
            throw new IOException("The server could not read the body", e);
        }
    }
}
