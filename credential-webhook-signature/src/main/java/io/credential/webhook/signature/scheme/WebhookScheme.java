package io.credential.webhook.signature.scheme;

import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.KeyIdentity;

/**
 * Describes how a sender signs its webhooks: headers, signed bytes and keys. A bean of this type is selected by its name in
 * {@code credential.webhook.inbound.<name>.scheme}.
 *
 * <p>A scheme only reads and compares. The verifier applies the time window, the nonce store, the audit trail and metrics. All
 * types must be thread-safe, except {@link Presented}, which one thread uses.
 *
 * @since 0.1.0
 */
public interface WebhookScheme {

    /** Returns the name, lower-case words with hyphens between them, for example {@code github}. */
    String name();

    /**
     * Returns a verifier for the requests of one sender.
     *
     * @param keys at least one, by the names that the application chose; several while the sender exchanges them
     * @throws WebhookException {@code webhook/bad-secret} if a key has the wrong form
     */
    Verifier verifier(Map<String, SecretBytes> keys) throws WebhookException;

    /**
     * Returns what a signature covers if the body of a request has a {@code Content-Encoding} (RFC 9110, section 8.4): the
     * encoded bytes, as they are sent, or the decoded body. Most senders do not compress, so that a gateway did it after they
     * had signed; and those that compress sign the JSON. Default: false, the decoded body.
     */
    default boolean isEncodedBodySigned() {
        return false;
    }

    /** Verifies the requests of one sender. */
    @FunctionalInterface
    interface Verifier {

        /**
         * Makes the checks that need no body, and reads what the request claims about itself. Must limit the length of
         * every header before parsing it, and throw nothing else, whatever a request contains.
         *
         * @throws WebhookException with a code such as {@code webhook/missing-header} or {@code
         *     webhook/bad-header-format}
         */
        Presented examine(RequestHead head) throws WebhookException;

        /**
         * Returns whether a verification takes as long as that of a public-key signature. At most half of the processors then
         * verify at once. Default: false.
         */
        default boolean isCostly() {
            return false;
        }

        /**
         * Returns the identity of each key by its name, if that is not the one of its text: senders with the same key could
         * sign for each other. Default: empty.
         */
        default Map<String, KeyIdentity> keyIdentities() {
            return Map.of();
        }
    }

    /** A request whose head passed the checks. It proves nothing yet. */
    interface Presented {

        /**
         * Returns a request with these claims.
         *
         * @param verify see {@link #verify}
         */
        static Presented of(WebhookClaims claims, Function<byte[], Match> verify) {
            return new Presented() {

                @Override
                public WebhookClaims claims() {
                    return claims;
                }

                @Override
                public Match verify(byte[] body) {
                    return verify.apply(body);
                }
            };
        }

        /** Returns what the request claims about itself, and which of it the signature covers. */
        WebhookClaims claims();

        /**
         * Checks that the request names a key that is known, for schemes in which requests name keys. Called after the
         * time window was checked.
         *
         * @throws WebhookException {@code webhook/unknown-kid} if it knows none of those that the request names
         */
        default void requireKnownKey() throws WebhookException {}

        /**
         * Compares the signature in constant time.
         *
         * @param body the bytes as they were received, or decoded: see {@link WebhookScheme#isEncodedBodySigned}
         * @return the key that it matches
         * @throws WebhookException {@code webhook/bad-signature} if it matches none
         */
        Match verify(byte[] body) throws WebhookException;
    }

    /**
     * The key of a valid signature, and what the body says about the event, which the signature covers. These take precedence
     * over the claims of headers.
     *
     * @param kid the name of the key
     * @param algorithm for example {@code hmac-sha256}
     * @param id the id of the event, the same in all attempts to deliver it; null if the body has none
     * @param type the type of the event; null if the body has none
     */
    record Match(
            String kid,
            String algorithm,
            @Nullable String id,
            @Nullable String type) {

        /** Creates a match whose body says nothing about the event. */
        public Match(String kid, String algorithm) {
            this(kid, algorithm, null, null);
        }

        /**
         * @throws WebhookException {@code webhook/bad-header-format} if the id or the type is not 1 to 256 visible ASCII
         *     characters
         */
        public Match {
            WebhookClaims.requireVisible("id", id);
            WebhookClaims.requireVisible("type", type);
        }
    }
}
