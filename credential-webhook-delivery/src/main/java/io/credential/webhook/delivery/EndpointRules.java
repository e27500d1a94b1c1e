package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import io.credential.ratelimit.RateLimit;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.JsonText;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.HeaderRules;

/**
 * Checks the name, the metadata, the rate limit and the headers of an endpoint. Returns the value, or throws {@link
 * WebhookDispatcherException} with {@code webhook-dispatcher/bad-opts}, whose message does not contain it.
 */
final class EndpointRules {

    static final int MAX_NAME = 128;
    static final int MAX_METADATA_BYTES = 4096;
    static final int MAX_METADATA_DEPTH = 32;

    private EndpointRules() {}

    static String requireName(String name) {
        if (name.isBlank()
                || name.length() > MAX_NAME
                || name.chars().anyMatch(Character::isISOControl)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw DispatcherRules.bad("name must have 1 to " + MAX_NAME
                    + " characters of well-formed Unicode, not all of them blank, and no control characters");
        }
        return name;
    }

    static Map<String, Object> requireMetadata(Map<String, ?> metadata) {
        DispatcherRules.require("metadata", metadata);
        if (metadata.isEmpty()) {
            return Map.of();
        }
        try {
            String json = JsonText.writeWellFormed(metadata);
            if (json.getBytes(StandardCharsets.UTF_8).length > MAX_METADATA_BYTES) {
                throw DispatcherRules.bad("metadata must have at most " + MAX_METADATA_BYTES + " bytes of JSON");
            }
            Map<String, Object> read =
                    JsonText.readObject(json); // fails for infinity, which is written, but is not JSON
            if (JsonText.depth(read) > MAX_METADATA_DEPTH) { // a page of endpoints could not be written
                throw DispatcherRules.bad(
                        "metadata must have at most " + MAX_METADATA_DEPTH + " levels of objects and arrays");
            }
            return read;
        } catch (IllegalArgumentException e) {
            throw DispatcherRules.bad("metadata must be writable as JSON of well-formed Unicode");
        }
    }

    static RateLimit requireRateLimit(int limit, Duration window) {
        try {
            return new RateLimit(limit, DispatcherRules.require("window", window));
        } catch (IllegalArgumentException e) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "rateLimit: " + e.getMessage(), e);
        }
    }

    /** Returns a copy of the headers with one more, by names in any case; unmodifiable by contract. */
    static Map<String, SecretBytes> withHeader(Map<String, SecretBytes> headers, String name, String value) {
        HeaderRules.requireName(name);
        String checked = HeaderRules.requireHeaderValue(name, value);
        Map<String, SecretBytes> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.remove(name); // so that the name is written as in this call
        more.put(name, SecretBytes.copyAndWipe(checked.getBytes(StandardCharsets.US_ASCII)));
        HeaderRules.requireLimits(more);
        return more;
    }
}
