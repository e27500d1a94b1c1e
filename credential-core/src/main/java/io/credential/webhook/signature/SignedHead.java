package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;

/**
 * What is signed before the body: {@code <algorithm>.<kid>.<timestamp>.<id>.}, so that a signature holds for these
 * alone. No field can hold a dot, so that there is one way only to read it.
 */
final class SignedHead {

    private SignedHead() {}

    static byte[] of(SignatureAlgorithm algorithm, String kid, String timestamp, String id) {
        return (algorithm.text() + "." + kid + "." + timestamp + "." + id + ".").getBytes(StandardCharsets.US_ASCII);
    }
}
