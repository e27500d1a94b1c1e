package io.credential.spring.test;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.signature.VerifiedWebhook;

/**
 * A webhook whose signature a {@link WebhookReceiver} has verified. Immutable.
 *
 * @param path the path of the request, without the query
 * @param headers all lines of each header by its name, in any case; unmodifiable
 * @param body the body as text, decoded as UTF-8
 * @param eventType the type of the event; null if the dispatcher did not send the request
 * @param verified what the signature covers
 * @since 0.1.0
 */
public record ReceivedWebhook(
        String path,
        Map<String, List<String>> headers,
        String body,
        @Nullable String eventType,
        VerifiedWebhook verified) {

    public ReceivedWebhook {
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        copy.putAll(headers);
        headers = Collections.unmodifiableMap(copy);
    }

    /** Returns the first line of a header, or null if the request has none of this name. */
    public @Nullable String header(String name) {
        List<String> lines = headers.get(name);
        return lines == null || lines.isEmpty() ? null : lines.get(0);
    }
}
