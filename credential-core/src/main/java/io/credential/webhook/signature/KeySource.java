package io.credential.webhook.signature;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** A key as it was given to a builder, before it is known what it is for. Immutable. */
final class KeySource {

    private static final Logger LOG = LoggerFactory.getLogger(KeySource.class);

    private static final int SHORT_BYTES = 16;
    private static final String BASE64 = "base64:";

    private final String what;
    private final SecretBytes bytes;
    private final boolean text;

    private KeySource(String what, SecretBytes bytes, boolean text) {
        this.what = what;
        this.bytes = bytes;
        this.text = text;
    }

    /**
     * A key as text, or the bytes of the resource that the text names.
     *
     * @param what names the key in messages
     * @throws WebhookException {@code webhook/bad-secret} when there is none, or the resource cannot be read
     */
    static KeySource ofText(String what, @Nullable String text) {
        if (text != null && KeyResource.isLocation(text)) {
            return new KeySource(what, wiping(read(what, text)), false);
        }
        return new KeySource(what, utf8(what, text), true);
    }

    /**
     * The UTF-8 bytes of a text, whatever it looks like.
     *
     * @param what names the key in messages
     * @throws WebhookException {@code webhook/bad-secret} when there is none
     */
    static KeySource ofVerbatim(String what, @Nullable String text) {
        return new KeySource(what, utf8(what, text), false);
    }

    /**
     * @param what names the key in messages
     * @throws WebhookException {@code webhook/bad-secret} when there is none
     */
    static KeySource ofBytes(String what, byte @Nullable [] bytes) {
        if (bytes == null) {
            throw missing(what);
        }
        return new KeySource(what, SecretBytes.copyOf(bytes), false);
    }

    /** How messages call the key. */
    String what() {
        return what;
    }

    /**
     * The bytes of a PEM file; the caller's to wipe.
     */
    byte[] pem() {
        return bytes.toByteArray();
    }

    /**
     * The key of an HMAC: a text stands for its UTF-8 bytes, or for those that follow {@code base64:}.
     *
     * @throws WebhookException {@code webhook/bad-secret} when it is empty or malformed
     */
    SecretBytes hmacKey() {
        if (!text) {
            return usable(bytes);
        }
        byte[] utf8 = bytes.toByteArray();
        try {
            return usable(startsWith(utf8, BASE64) ? decoded(utf8) : bytes);
        } finally {
            Arrays.fill(utf8, (byte) 0);
        }
    }

    private SecretBytes decoded(byte[] utf8) {
        byte[] encoded = Arrays.copyOfRange(utf8, BASE64.length(), utf8.length);
        byte[] decoded = {};
        try {
            decoded = Base64.getDecoder().decode(encoded);
            return SecretBytes.copyOf(decoded);
        } catch (IllegalArgumentException e) {
            // Not as the cause: its message quotes the text.
            throw bad("is not base64 after 'base64:'", null);
        } finally {
            Arrays.fill(encoded, (byte) 0);
            Arrays.fill(decoded, (byte) 0);
        }
    }

    private SecretBytes usable(SecretBytes key) {
        if (key.length() == 0) {
            throw bad("is empty", null);
        }
        if (key.length() < SHORT_BYTES) {
            LOG.warn("{} has {} bytes only; use {} or more, chosen at random", what, key.length(), SHORT_BYTES);
        }
        return key;
    }

    WebhookException bad(String why, @Nullable Throwable cause) {
        return new WebhookException(WebhookErrorCode.BAD_SECRET, what + " " + why, cause);
    }

    private static byte[] read(String what, String location) {
        try {
            return KeyResource.read(location);
        } catch (IOException e) {
            throw new WebhookException(WebhookErrorCode.BAD_SECRET, what + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static SecretBytes utf8(String what, @Nullable String text) {
        if (text == null) {
            throw missing(what);
        }
        return wiping(text.getBytes(StandardCharsets.UTF_8));
    }

    private static SecretBytes wiping(byte[] bytes) {
        try {
            return SecretBytes.copyOf(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static WebhookException missing(String what) {
        return new WebhookException(WebhookErrorCode.BAD_SECRET, what + " is missing");
    }

    private static boolean startsWith(byte[] utf8, String head) {
        byte[] wanted = head.getBytes(StandardCharsets.US_ASCII);
        return utf8.length >= wanted.length && MessageDigest.isEqual(Arrays.copyOf(utf8, wanted.length), wanted);
    }
}
