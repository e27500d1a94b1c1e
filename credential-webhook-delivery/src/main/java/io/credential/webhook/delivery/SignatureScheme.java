package io.credential.webhook.delivery;

import java.util.Arrays;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * How the requests to an endpoint are signed. The texts are stable.
 *
 * @since 0.1.0
 */
public enum SignatureScheme {
    /** The header {@code Webhook-Signature} of this library, with {@code hmac-sha3-512}. */
    CREDENTIAL("credential"),
    /**
     * The headers of <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0.0: with {@code v1} (HMAC-SHA256) if
     * the secret begins with {@code whsec_}, and with {@code v1a} (Ed25519) if it begins with {@code whsk_}.
     */
    STANDARD_WEBHOOKS("standard-webhooks");

    private final String text;

    SignatureScheme(String text) {
        this.text = text;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the scheme with this text, or empty if there is none. */
    public static Optional<SignatureScheme> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.text.equals(text))
                .findFirst();
    }
}
