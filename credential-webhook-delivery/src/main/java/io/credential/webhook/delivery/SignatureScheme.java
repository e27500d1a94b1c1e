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
    STANDARD_WEBHOOKS("standard-webhooks"),
    /**
     * One header in the style of payment processors, {@code t=<Unix seconds>,v1=<hex>}: HMAC-SHA256 of {@code <t>.<body>}. The
     * key is the whole text of the secret, a {@code whsec_} included. During the overlap of a rotation, there is one {@code
     * v1} for each secret.
     */
    STRIPE("stripe", "Stripe-Signature"),
    /**
     * One header, {@code sha256=<hex>}: HMAC-SHA256 of the body alone. It has room for one signature: during the overlap of a
     * rotation, the old secret signs.
     */
    GITHUB("github", "X-Hub-Signature-256");

    private final String text;
    private final @Nullable String signatureHeader;

    SignatureScheme(String text) {
        this(text, null);
    }

    SignatureScheme(String text, @Nullable String signatureHeader) {
        this.text = text;
        this.signatureHeader = signatureHeader;
    }

    /** Returns the text, as in JSON and in the database. */
    public String text() {
        return text;
    }

    /** Returns the default name of the signature header; null if endpoints cannot have another. */
    public @Nullable String signatureHeader() {
        return signatureHeader;
    }

    /** Returns the scheme with this text, or empty if there is none. */
    public static Optional<SignatureScheme> ofText(@Nullable String text) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.text.equals(text))
                .findFirst();
    }
}
