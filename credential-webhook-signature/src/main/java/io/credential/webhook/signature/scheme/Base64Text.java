package io.credential.webhook.signature.scheme;

import java.util.Base64;

import org.jspecify.annotations.Nullable;

/** Signatures in standard base64 with padding. */
final class Base64Text {

    private Base64Text() {}

    /** Returns null if the text is not the canonical form of exactly this many bytes. */
    static byte @Nullable [] decode(String text, int bytes) {
        if (text.length() != (bytes + 2) / 3 * 4) {
            return null;
        }
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
        boolean isCanonical = decoded.length == bytes
                && Base64.getEncoder().encodeToString(decoded).equals(text);
        return isCanonical ? decoded : null;
    }
}
