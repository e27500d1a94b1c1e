package io.credential.webhook.signature;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The result of verifying a signature. Immutable.
 *
 * @param algorithm {@code hmac-sha3-512} or {@code pqc-pem}
 * @param kid the id of the key whose signature matched
 * @param timestamp when it was signed, in Unix seconds
 * @param id the id of the request, which the signature covers
 * @param sender the name of the verifier, which in an application is the configured name of the sender; null if it has
 *     none
 * @since 0.1.0
 */
public record VerifiedWebhook(
        String algorithm,
        String kid,
        long timestamp,
        String id,
        @Nullable String sender) {

    private static final Pattern OF_DISPATCHER = Pattern.compile("([0-9a-f]{32})-.+");

    /** Creates the result of a verifier without a name. */
    public VerifiedWebhook(String algorithm, String kid, long timestamp, String id) {
        this(algorithm, kid, timestamp, id, null);
    }

    /**
     * Returns the id of the delivery. It is the same in all attempts to deliver it and is covered by the signature, so
     * use it to process each delivery once. Empty if the id does not have the form of this library's dispatcher, {@code
     * <delivery id>-<random>}.
     */
    public Optional<String> deliveryId() {
        Matcher matcher = OF_DISPATCHER.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
