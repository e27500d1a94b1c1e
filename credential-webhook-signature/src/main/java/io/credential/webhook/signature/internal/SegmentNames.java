package io.credential.webhook.signature.internal;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * The syntax of ids and kids. The header separates them with commas and equals signs, and the signed bytes with dots.
 * They must not contain any of these; otherwise, bytes could move from one field to the next.
 */
public final class SegmentNames {

    public static final String TIMESTAMP = "t";
    public static final String ID = "id";

    private static final int MAX_LENGTH = 128;
    private static final String RULE = "1 to " + MAX_LENGTH + " visible ASCII characters except '.', ',' and '='";

    private SegmentNames() {}

    public static boolean isId(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isAllowed(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(char character) {
        return character >= '!' && character <= '~' && character != '.' && character != ',' && character != '=';
    }

    /** Returns whether a key may have this kid. */
    public static boolean isKid(String text) {
        return isId(text) && !text.equals(TIMESTAMP) && !text.equals(ID);
    }

    /**
     * Returns a configured kid.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is malformed
     */
    public static String requireKid(@Nullable String text) {
        if (text == null || !isKid(text)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT, "A kid must be " + RULE + ", and must not be 't' or 'id'");
        }
        return text;
    }

    /**
     * Returns the id of a webhook.
     *
     * @throws WebhookException {@code webhook/bad-header-format} if it is malformed
     */
    public static String requireId(@Nullable String text) {
        if (text == null || !isId(text)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_HEADER_FORMAT,
                    "The id must be " + RULE + "; correct the id, or the id generator that returned it");
        }
        return text;
    }
}
