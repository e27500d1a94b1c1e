package io.credential.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import tools.jackson.databind.json.JsonMapper;

/**
 * A request that a library or the documentation of a sender signed.
 *
 * @param signedBy which, and how
 * @param scheme the name of its scheme
 * @param key as the sender shows it
 * @param seconds when it was signed; any time for schemes that sign none
 * @param headers that the signature covers, and the signature, one line each
 * @param unsigned the other headers
 * @param claims what the headers say, and the names of those parts that are signed
 */
public record RecordedWebhook(
        String signedBy,
        String scheme,
        String key,
        long seconds,
        Map<String, String> headers,
        Map<String, String> unsigned,
        String body,
        Claims claims) {

    /** All, from {@code recorded/webhooks.json}; the first of each scheme is an example of its documentation, if it has one. */
    public static final List<RecordedWebhook> ALL = read();

    /** Null for what the format does not have. */
    public record Claims(String id, String type, Long timestamp, List<String> signed) {}

    private static List<RecordedWebhook> read() {
        try (InputStream in = RecordedWebhook.class.getResourceAsStream("/recorded/webhooks.json")) {
            return List.of(
                    JsonMapper.shared().readValue(Objects.requireNonNull(in).readAllBytes(), RecordedWebhook[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return signedBy;
    }
}
