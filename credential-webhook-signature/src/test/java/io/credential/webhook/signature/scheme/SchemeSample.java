package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.credential.testing.RecordedWebhook;

/**
 * A request of a sender.
 *
 * @param scheme the name of its scheme
 * @param key as the sender shows it
 * @param seconds when it was signed; the time of the test for schemes without one
 * @param headers one line each
 */
record SchemeSample(String scheme, String key, long seconds, Map<String, String> headers, String body) {

    static final List<SchemeSample> ALL =
            RecordedWebhook.ALL.stream().map(SchemeSample::of).toList();

    private static SchemeSample of(RecordedWebhook recorded) {
        Map<String, String> headers = new HashMap<>(recorded.headers());
        headers.putAll(recorded.unsigned());
        return new SchemeSample(recorded.scheme(), recorded.key(), recorded.seconds(), headers, recorded.body());
    }

    /** Returns the first of a scheme. */
    static SchemeSample of(String scheme) {
        return ALL.stream()
                .filter(sample -> sample.scheme.equals(scheme))
                .findFirst()
                .orElseThrow();
    }

    WebhookScheme webhookScheme() {
        return WebhookSchemes.all().stream()
                .filter(known -> known.name().equals(scheme))
                .findFirst()
                .orElseThrow();
    }

    SchemeSample withKey(String another) {
        return new SchemeSample(scheme, another, seconds, headers, body);
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    RequestHead head() {
        return new RequestHead("https://shop.example/hooks", lines());
    }

    SchemeSample with(String name, String value) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.put(name, value);
        return new SchemeSample(scheme, key, seconds, changed, body);
    }

    SchemeSample without(String name) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.remove(name);
        return new SchemeSample(scheme, key, seconds, changed, body);
    }

    private Map<String, List<String>> lines() {
        Map<String, List<String>> lines = new HashMap<>();
        headers.forEach((name, line) -> lines.put(name, List.of(line)));
        return lines;
    }

    @Override
    public String toString() {
        return scheme;
    }
}
