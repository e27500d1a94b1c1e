package io.credential.apikey.internal.ticket;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.FieldBytes;
import io.credential.secret.internal.TokenText;

/**
 * The parts of a ticket {@code ticket_<namespace>_<keyId>_<secretHex>}. It has the form of a token, so that whatever masks
 * tokens in logs masks tickets too.
 *
 * @param namespace the registry of the key
 * @param keyId the key that it stands for
 * @param secretHex its secret
 */
public record TicketText(String namespace, String keyId, String secretHex) {

    /** The number of random bytes in a ticket. */
    public static final int SECRET_BYTES = 32;

    private static final String HEAD = "ticket_";
    private static final int MAX_NAMESPACE_LENGTH = 64;
    private static final int MIN_ID_LENGTH = 2 * TokenText.MIN_ID_BYTES;
    private static final int MAX_ID_LENGTH = 2 * TokenText.MAX_ID_BYTES;

    /** Longer texts are rejected before any other check. */
    public static final int MAX_LENGTH =
            HEAD.length() + MAX_NAMESPACE_LENGTH + 1 + MAX_ID_LENGTH + 1 + 2 * SECRET_BYTES;

    private static final Pattern FORM = Pattern.compile(HEAD + "([!-^`-~]{1," + MAX_NAMESPACE_LENGTH + "})_([0-9a-f]{"
            + MIN_ID_LENGTH + "," + MAX_ID_LENGTH + "})_([0-9a-f]{" + 2 * SECRET_BYTES + "})");

    /** Returns the parts of a text, or empty if it does not have the form of a ticket; looks nothing up. */
    public static Optional<TicketText> parse(@Nullable String text) {
        if (text == null || text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new TicketText(form.group(1), form.group(2), form.group(3)))
                : Optional.empty();
    }

    /** Returns the text that clients send. */
    public String text() {
        return HEAD + namespace + '_' + keyId + '_' + secretHex;
    }

    /**
     * Returns the hash under which the ticket is stored. The secret has 256 random bits, so that a fast hash without salt
     * is enough.
     */
    String hash() {
        return new FieldBytes(256)
                .text("credential/api-key-ticket/v1")
                .text(namespace)
                .text(keyId)
                .text(secretHex)
                .sha256();
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "TicketText[namespace=" + namespace + ", keyId=" + keyId + ", secretHex=<redacted>]";
    }
}
