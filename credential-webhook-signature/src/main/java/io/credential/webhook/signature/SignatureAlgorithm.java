package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.PqcKeys;

/** The algorithms of the signature header. Their names are used in the configuration and in the signed bytes. */
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
     * Returns the algorithm of this name.
     *
     * @throws WebhookException {@code webhook/bad-opts} if the name is null, {@code webhook/bad-alg} if there is none
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
     * @param pqcAlgorithm the name of the only algorithm to accept; null to accept all that are supported
     * @throws WebhookException {@code webhook/bad-opt} or {@code webhook/bad-alg}
     */
    PqcKeys pqcKeys(@Nullable String pqcAlgorithm) {
        if (pqcAlgorithm != null && this != PQC_PEM) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT, "pqcAlgorithm is an option of pqc-pem, not of " + text);
        }
        return PqcKeys.of(pqcAlgorithm);
    }

    /**
     * Returns the bytes that are signed before the body, {@code <algorithm>.<kid>.<timestamp>.<id>.}: a signature is
     * valid for these values only. No field can contain a dot, so they are unambiguous.
     */
    byte[] signedHead(String kid, String timestamp, String id) {
        return (text + "." + kid + "." + timestamp + "." + id + ".").getBytes(StandardCharsets.US_ASCII);
    }

    String text() {
        return text;
    }

    /** Returns the maximum length of the header in characters. Longer ones are refused before any work. */
    int maxHeaderLength() {
        return maxHeaderLength;
    }
}
