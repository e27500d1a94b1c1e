package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;

import io.credential.storage.JsonText;

/** The body of an event's webhooks; nobody changes its bytes. */
final class Payload {

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * @param maxBytes the longest that is allowed
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is no JSON, {@code
     *     webhook-dispatcher/payload-too-large}
     */
    static Payload of(Object payload, int maxBytes) {
        byte[] bytes = bytes(payload);
        if (bytes.length > maxBytes) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.PAYLOAD_TOO_LARGE,
                    "The payload has " + bytes.length + " bytes; " + maxBytes + " are allowed");
        }
        return new Payload(bytes);
    }

    /** The bytes of a stored event. */
    static Payload stored(byte[] bytes) {
        return new Payload(bytes);
    }

    /** Not a copy. */
    byte[] bytes() {
        return bytes;
    }

    private static byte[] bytes(Object payload) {
        if (payload instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (payload instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return JsonText.write(payload).getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "The payload, a " + payload.getClass().getName() + ", cannot be written as JSON",
                    e);
        }
    }
}
