package io.credential.webhook.signature;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.PqcKeys;

/** The algorithms of the signature header, as they are configured and as they stand in the signed bytes. */
enum SignatureAlgorithm {
    HMAC_SHA3_512("hmac-sha3-512", 8 * 1024),
    /** Any post-quantum algorithm. Two SLH-DSA signatures in hexadecimal fit. */
    PQC_PEM("pqc-pem", 256 * 1024);

    private final String text;
    private final int maxHeaderLength;

    SignatureAlgorithm(String text, int maxHeaderLength) {
        this.text = text;
        this.maxHeaderLength = maxHeaderLength;
    }

    /**
     * The algorithm that is written so.
     *
     * @throws WebhookException {@code webhook/bad-opts} when it is null, {@code webhook/bad-alg} when there is none
     */
    static SignatureAlgorithm of(@Nullable String text) {
        if (text == null) {
            throw new WebhookException(WebhookErrorCode.BAD_OPTS, "An algorithm is required: hmac-sha3-512 or pqc-pem");
        }
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new WebhookException(
                        WebhookErrorCode.BAD_ALG,
                        "The algorithm '" + text + "' is not supported; use hmac-sha3-512 or pqc-pem"));
    }

    /**
     * Returns the factory of post-quantum keys for this algorithm.
     *
     * @param pqcAlgorithm the only one that keys may have, by its name; null for all that are implemented
     * @throws WebhookException {@code webhook/bad-opt} or {@code webhook/bad-alg}
     */
    PqcKeys pqcKeys(@Nullable String pqcAlgorithm) {
        if (pqcAlgorithm != null && this != PQC_PEM) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT, "pqcAlgorithm is an option of pqc-pem, not of " + text);
        }
        return PqcKeys.of(pqcAlgorithm);
    }

    String text() {
        return text;
    }

    /** Longer headers are refused before any work, in characters. */
    int maxHeaderLength() {
        return maxHeaderLength;
    }
}
