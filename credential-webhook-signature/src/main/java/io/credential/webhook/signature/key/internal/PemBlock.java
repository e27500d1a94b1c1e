package io.credential.webhook.signature.key.internal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The only block of a PEM file (RFC 7468). Text before and after it is ignored. */
final class PemBlock {

    static final String PUBLIC_KEY = "PUBLIC KEY";
    static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String EC_PARAMETERS = "EC PARAMETERS";

    /** More than three times the size of the largest supported key. */
    private static final int MAX_BYTES = 32 * 1024;

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final String label;
    private final byte[] der;

    private PemBlock(String label, byte[] der) {
        this.label = label;
        this.der = der;
    }

    /**
     * Reads a file that has exactly one block.
     *
     * @throws io.credential.webhook.WebhookException {@code webhook/bad-secret} if it does not
     */
    static PemBlock read(KeySource source) {
        return source.pem(bytes -> {
            if (bytes.length > MAX_BYTES) {
                throw source.bad("is longer than any key: " + bytes.length + " bytes", null);
            }
            return read(source, new String(bytes, StandardCharsets.ISO_8859_1));
        });
    }

    private static PemBlock read(KeySource source, String text) {
        int begin = text.indexOf(BEGIN);
        int labelEnd = begin < 0 ? -1 : text.indexOf(DASHES, begin + BEGIN.length());
        if (labelEnd < 0) {
            throw source.bad("is not PEM: the line '-----BEGIN ...-----' is missing", null);
        }
        String label = text.substring(begin + BEGIN.length(), labelEnd);
        int bodyStart = labelEnd + DASHES.length();
        int end = text.indexOf(END + label + DASHES, bodyStart);
        if (end < 0) {
            throw source.bad("is incomplete PEM: the matching line '-----END ...-----' is missing", null);
        }
        // OpenSSL writes the parameters before an EC key: its algorithm is not supported, but the file is not
        // malformed.
        if (!label.equals(EC_PARAMETERS) && text.indexOf(BEGIN, bodyStart) >= 0) {
            throw source.bad("has more than one PEM block", null);
        }
        return new PemBlock(label, base64(source, text.substring(bodyStart, end)));
    }

    private static byte[] base64(KeySource source, String body) {
        String packed = body.replaceAll("[ \\t\\r\\n]", "");
        try {
            return Base64.getDecoder().decode(packed);
        } catch (IllegalArgumentException e) {
            // No cause: its message quotes the text.
            throw source.bad("is not base64 between its PEM lines", null);
        }
    }

    String label() {
        return label;
    }

    /** Returns the content, not a copy. */
    byte[] der() {
        return der;
    }
}
