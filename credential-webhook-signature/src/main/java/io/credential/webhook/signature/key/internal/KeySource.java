package io.credential.webhook.signature.key.internal;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * A key as it was given to a builder, before its algorithm is known. It is never read as a file name: otherwise a user
 * who can choose a secret could read a file. Immutable.
 */
public final class KeySource {

    private static final Logger LOG = LoggerFactory.getLogger(KeySource.class);

    private static final int SHORT_BYTES = 16;

    private final String what;
    private final SecretBytes bytes;

    private KeySource(String what, SecretBytes bytes) {
        this.what = what;
        this.bytes = bytes;
    }

    /**
     * Takes the UTF-8 bytes of a text.
     *
     * @param what names the key in messages
     * @throws WebhookException {@code webhook/bad-secret} if the text is null
     */
    public static KeySource ofText(String what, @Nullable String text) {
        if (text == null) {
            throw missing(what);
        }
        return new KeySource(what, SecretBytes.copyAndWipe(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Copies the bytes.
     *
     * @param what names the key in messages
     * @throws WebhookException {@code webhook/bad-secret} if they are null
     */
    public static KeySource ofBytes(String what, byte @Nullable [] bytes) {
        if (bytes == null) {
            throw missing(what);
        }
        return new KeySource(what, SecretBytes.copyOf(bytes));
    }

    /** Returns the name of the key in messages. */
    public String what() {
        return what;
    }

    /** Passes the bytes of a PEM file to the reader, and wipes them afterwards. */
    <T> T pem(Function<byte[], T> reader) {
        return bytes.use(reader);
    }

    /**
     * Returns the key of an HMAC. Logs a warning if it is short.
     *
     * @throws WebhookException {@code webhook/bad-secret} if it is empty
     */
    public SecretBytes hmacKey() {
        if (bytes.length() == 0) {
            throw bad("is empty", null);
        }
        if (bytes.length() < SHORT_BYTES) {
            LOG.warn("{} has only {} bytes; use at least {} random bytes", what, bytes.length(), SHORT_BYTES);
        }
        return bytes;
    }

    WebhookException bad(String why, @Nullable Throwable cause) {
        return new WebhookException(WebhookErrorCode.BAD_SECRET, what + " " + why, cause);
    }

    private static WebhookException missing(String what) {
        return new WebhookException(WebhookErrorCode.BAD_SECRET, what + " is missing");
    }
}
