package io.credential.webhook.delivery.queue;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import io.credential.storage.JsonText;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * The body of an event's webhooks; nobody changes its bytes.
 *
 * @since 0.1.0
 */
public final class Payload {

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * @param maxBytes the longest that is allowed
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null or cannot be written as
     *     JSON, {@code webhook-dispatcher/payload-too-large}
     */
    public static Payload of(@Nullable Object payload, int maxBytes) {
        if (payload == null) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "payload must not be null; for JSON null pass the text \"null\"");
        }
        byte[] bytes = bytes(payload);
        if (bytes.length > maxBytes) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.PAYLOAD_TOO_LARGE,
                    "The payload has " + bytes.length + " bytes; " + maxBytes + " are allowed");
        }
        return new Payload(bytes);
    }

    /** The bytes of a stored event. */
    public static Payload stored(byte[] bytes) {
        return new Payload(bytes);
    }

    /** Not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    private static byte[] bytes(Object payload) {
        if (payload instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (payload instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        String json = written(payload);
        JsonValidator.problem(json).ifPresent(problem -> {
            throw notJson(payload, ": " + problem, null);
        });
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String written(Object payload) {
        try {
            return JsonText.write(payload);
        } catch (IllegalArgumentException e) {
            throw notJson(payload, "", e);
        }
    }

    private static WebhookDispatcherException notJson(Object payload, String why, @Nullable Throwable cause) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.BAD_OPTS,
                "The payload, a " + payload.getClass().getName() + ", cannot be written as JSON" + why,
                cause);
    }
}
