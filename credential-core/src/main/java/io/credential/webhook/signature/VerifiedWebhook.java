package io.credential.webhook.signature;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a signature. Immutable.
 *
 * @param algorithm {@code hmac-sha3-512} or {@code pqc-pem}
 * @param kid the key whose signature matched
 * @param timestamp when it was signed, in unix seconds
 * @param id the id of the request, which the signature covers
 * @param sender the name that the verifier was given, in an application the configured name of the sender; null for a
 *     verifier without a name
 * @since 0.1.0
 */
public record VerifiedWebhook(
        String algorithm,
        String kid,
        long timestamp,
        String id,
        @Nullable String sender) {

    private static final Pattern OF_DISPATCHER = Pattern.compile("([0-9a-f]{32})-.+");

    /** A webhook of a verifier without a name. */
    public VerifiedWebhook(String algorithm, String kid, long timestamp, String id) {
        this(algorithm, kid, timestamp, id, null);
    }

    /**
     * Returns the id of the delivery, which is the same in all attempts to deliver it and is covered by the signature:
     * the key to process a delivery once. Empty when the id does not have the form of this library's dispatcher,
     * {@code <delivery id>-<random>}.
     */
    public Optional<String> deliveryId() {
        Matcher matcher = OF_DISPATCHER.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
