package io.credential.secret.internal;

import java.util.Base64;

import org.jspecify.annotations.Nullable;

/** Base64url without padding (RFC 4648 section 5). Decodes only the canonical text of the bytes. */
public final class Base64Url {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private Base64Url() {}

    public static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    /** Returns null if the text is not what {@link #encode} returns. */
    public static byte @Nullable [] decode(String text) {
        if (!endsCanonically(text)) {
            return null;
        }
        try {
            return DECODER.decode(text);
        } catch (IllegalArgumentException e) {
            // Its message quotes the text; the caller names its place instead.
            return null;
        }
    }

    /** The JDK's decoder ignores the bits of the last character that stand for no byte, and tolerates padding. */
    private static boolean endsCanonically(String text) {
        int excess = text.length() % 4;
        if (text.isEmpty() || excess == 1) {
            return false;
        }
        int last = ALPHABET.indexOf(text.charAt(text.length() - 1));
        int strayBits = excess == 0 ? 0 : excess == 2 ? 0b1111 : 0b11;
        return last >= 0 && (last & strayBits) == 0;
    }
}
