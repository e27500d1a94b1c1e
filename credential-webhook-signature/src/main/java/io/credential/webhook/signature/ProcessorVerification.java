package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a processor-style signature. Immutable.
 *
 * @param timestamp when it was signed, in Unix seconds
 * @param scheme the scheme of the signature that matched, {@code v1}
 * @param sender the name of the {@link ProcessorSignature}, which in an application is the configured name of the
 *     sender; null if it has none
 * @since 0.1.0
 */
public record ProcessorVerification(
        long timestamp, String scheme, @Nullable String sender) {

    /** Creates the result of a {@link ProcessorSignature} without a name. */
    public ProcessorVerification(long timestamp, String scheme) {
        this(timestamp, scheme, null);
    }
}
