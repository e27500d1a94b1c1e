package io.credential.webhook.signature.scheme;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.UnixSeconds;

/**
 * What the headers of a webhook say about it. Immutable.
 *
 * @param id the id; null if there is none
 * @param type the type of the event; null if there is none
 * @param timestamp when it was signed, in Unix seconds; null if there is none
 * @param signed which of them the signature covers: anyone who has one valid request can change the others
 * @since 0.1.0
 */
public record WebhookClaims(
        @Nullable String id,
        @Nullable String type,
        @Nullable Long timestamp,
        Set<Part> signed) {

    /** Of an id or a type, in characters. */
    static final int MAX_LENGTH = 256;

    /**
     * @throws WebhookException {@code webhook/bad-header-format} if the id or the type is not 1 to 256 visible ASCII
     *     characters, as which audit events show them; {@code webhook/bad-timestamp} if the timestamp is negative or too large
     */
    public WebhookClaims {
        requireVisible("id", id);
        requireVisible("type", type);
        if (timestamp != null) {
            UnixSeconds.requireValid(timestamp);
        }
        signed = Set.copyOf(signed);
    }

    static void requireVisible(String what, @Nullable String text) {
        if (text != null && !isVisible(text)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_HEADER_FORMAT,
                    "The " + what + " must be 1 to " + MAX_LENGTH + " visible ASCII characters");
        }
    }

    /** Returns whether a text can be an id or a type. */
    static boolean isVisible(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_LENGTH
                && text.chars().allMatch(character -> character > ' ' && character <= '~');
    }

    /** What a signature can cover in addition to the body. */
    public enum Part {
        ID("id"),
        TYPE("type"),
        TIMESTAMP("timestamp");

        private final String text;

        Part(String text) {
            this.text = text;
        }

        /** Returns the text, as in JSON. */
        public String text() {
            return text;
        }
    }
}
