package io.credential.webhook.signature;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a processor-style signature. Immutable.
 *
 * @param timestamp when it was signed, in unix seconds
 * @param scheme the scheme of the signature that matched, {@code v1}
 * @param sender the name that the {@link ProcessorSignature} was given, in an application the configured name of the
 *     sender; null when it has none
 * @since 0.1.0
 */
public record ProcessorVerification(
        long timestamp, String scheme, @Nullable String sender) {

    /** A verification by a {@link ProcessorSignature} without a name. */
    public ProcessorVerification(long timestamp, String scheme) {
        this(timestamp, scheme, null);
    }
}
