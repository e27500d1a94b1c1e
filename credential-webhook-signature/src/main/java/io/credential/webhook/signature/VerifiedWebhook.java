package io.credential.webhook.signature;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/**
 * The result of verifying a signature, which always covers the body. Immutable.
 *
 * @param algorithm for example {@code hmac-sha3-512}, {@code pqc-pem} or {@code hmac-sha256}
 * @param kid the name of the key whose signature matched
 * @param timestamp when it was signed, in Unix seconds; null if the request has none
 * @param id the id of the request or of its event; null if it has none
 * @param sender the name of the verifier, which in an application is the configured name of the sender; null if it has
 *     none
 * @param scheme the format of the signature, for example {@code credential} or {@code github}
 * @param type the type of the event; null if it has none
 * @param signed which of id, type and timestamp the signature covers: whoever has one valid request can change the others
 * @param deduplicationId identifies the event among those of the sender, and is the same in all attempts to deliver it: the
 *     delivery id, a signed id, or else a hash of the body. The signature covers it
 * @since 0.1.0
 */
public record VerifiedWebhook(
        String algorithm,
        String kid,
        @Nullable Long timestamp,
        @Nullable String id,
        @Nullable String sender,
        String scheme,
        @Nullable String type,
        Set<Part> signed,
        String deduplicationId) {

    /** The name of this library's own format. */
    public static final String CREDENTIAL = "credential";

    private static final Pattern OF_DISPATCHER = Pattern.compile("([0-9a-f]{32})-.+");

    public VerifiedWebhook {
        signed = Set.copyOf(signed);
    }

    /** Creates the result of a verifier of this library's own format. */
    public VerifiedWebhook(String algorithm, String kid, long timestamp, String id, @Nullable String sender) {
        this(
                algorithm,
                kid,
                timestamp,
                id,
                sender,
                CREDENTIAL,
                null,
                Set.of(Part.ID, Part.TIMESTAMP),
                deduplicationId(CREDENTIAL, id));
    }

    /** The same, for a verifier without a name. */
    public VerifiedWebhook(String algorithm, String kid, long timestamp, String id) {
        this(algorithm, kid, timestamp, id, null);
    }

    /**
     * Returns the id of the delivery. It is the same in all attempts to deliver it and is covered by the signature, so
     * use it to process each delivery once. Empty in other schemes, and if the id does not have the form of this library's
     * dispatcher, {@code <delivery id>-<random>}.
     */
    public Optional<String> deliveryId() {
        return id == null ? Optional.empty() : deliveryId(scheme, id);
    }

    /** Returns what identifies an event with this signed id. */
    static String deduplicationId(String scheme, String id) {
        return deliveryId(scheme, id).orElse(id);
    }

    private static Optional<String> deliveryId(String scheme, String id) {
        if (!scheme.equals(CREDENTIAL)) {
            return Optional.empty();
        }
        Matcher matcher = OF_DISPATCHER.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
