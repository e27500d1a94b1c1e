package io.credential.spring.webhook.internal;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.MultipartConfigElement;

/**
 * What forms of verified requests may contain.
 *
 * @param maxParameters how many parameters or parts
 * @param multipart the limits of multipart forms in bytes; null if they are not supported
 */
public record FormLimits(int maxParameters, @Nullable MultipartConfigElement multipart) {

    void requirePermitted(long formBytes) {
        if (multipart != null) {
            requireAtMost(multipart.getMaxRequestSize(), formBytes);
        }
    }

    void requirePermitted(FormPart part) {
        if (multipart != null && part.getSubmittedFileName() != null) {
            requireAtMost(multipart.getMaxFileSize(), part.getSize());
        }
    }

    /** A negative limit means none. */
    private static void requireAtMost(long limit, long bytes) {
        if (limit >= 0 && bytes > limit) {
            throw UnusableBodyException.tooLarge(limit);
        }
    }
}
