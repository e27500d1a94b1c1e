package io.credential.webhook.delivery.internal.queue;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.exc.StreamConstraintsException;

import io.credential.storage.internal.JsonLimits;
import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** The payload of an event. Its bytes must not be changed. */
public final class Payload {

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the bytes of a {@code byte[]} or {@code String} as they are, and anything else as JSON.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or cannot be written as
     *     JSON, or is nested too deeply for JSON; {@code webhook-dispatcher/payload-too-large} if it has more than
     *     {@code maxBytes}
     */
    public static Payload of(@Nullable Object payload, int maxBytes) {
        if (payload == null) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "payload must not be null; for JSON null, pass the text \"null\"");
        }
        byte[] bytes = bytes(payload);
        if (bytes.length > maxBytes) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.PAYLOAD_TOO_LARGE,
                    "The payload has " + bytes.length + " bytes; " + maxBytes + " are allowed");
        }
        if (JsonValidator.isTooDeep(bytes)) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "The payload has more than " + JsonLimits.MAX_DEPTH
                            + " levels of objects and arrays; nest them less deeply");
        }
        return new Payload(bytes);
    }

    public static Payload stored(byte[] bytes) {
        return new Payload(bytes);
    }

    /** Returns the bytes, not a copy. */
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
        byte[] json = json(payload).getBytes(StandardCharsets.UTF_8);
        JsonValidator.problem(json).ifPresent(problem -> {
            throw notJson(payload, ": " + problem, null);
        });
        return json;
    }

    private static String json(Object payload) {
        try {
            return JsonText.write(payload);
        } catch (IllegalArgumentException e) {
            throw notJson(
                    payload,
                    e.getCause() instanceof StreamConstraintsException
                            ? ": it has more than " + JsonLimits.MAX_DEPTH + " levels of objects and arrays"
                            : "",
                    e);
        }
    }

    private static WebhookDispatcherException notJson(Object payload, String why, @Nullable Throwable cause) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.BAD_OPTS,
                "The payload, a " + payload.getClass().getName() + ", cannot be written as JSON" + why,
                cause);
    }
}
