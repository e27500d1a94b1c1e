package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;

/**
 * The bytes that are signed before the body, {@code <algorithm>.<kid>.<timestamp>.<id>.}: a signature is valid for these
 * values only. No field can contain a dot, so they are unambiguous.
 */
final class SignedHead {

    private SignedHead() {}

    static byte[] of(SignatureAlgorithm algorithm, String kid, String timestamp, String id) {
        return (algorithm.text() + "." + kid + "." + timestamp + "." + id + ".").getBytes(StandardCharsets.US_ASCII);
    }
}
