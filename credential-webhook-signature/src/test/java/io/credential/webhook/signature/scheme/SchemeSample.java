package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request of a sender.
 *
 * @param scheme the name of its scheme
 * @param key as the sender shows it
 * @param seconds when it was signed; the time of the test for schemes without one
 * @param headers one line each
 */
record SchemeSample(String scheme, String key, long seconds, Map<String, String> headers, String body) {

    /** From the specification of Standard Webhooks and the documentation of GitHub and Slack; the others are computed. */
    static final List<SchemeSample> ALL = List.of(
            new SchemeSample(
                    "standard-webhooks",
                    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                    1614265330,
                    Map.of(
                            "webhook-id",
                            "msg_p5jXN8AQM9LWM0D4loKWxJek",
                            "webhook-timestamp",
                            "1614265330",
                            "webhook-signature",
                            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
                    "{\"test\": 2432232314}"),
            new SchemeSample(
                    "github",
                    "It's a Secret to Everybody",
                    1614265330,
                    Map.of(
                            "X-Hub-Signature-256",
                            "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
                    "Hello, World!"),
            new SchemeSample(
                    "slack",
                    "8f742231b10e8888abcd99yyyzzz85a5",
                    1531420618,
                    Map.of(
                            "X-Slack-Request-Timestamp",
                            "1531420618",
                            "X-Slack-Signature",
                            "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"),
                    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
                            + "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
                            + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
                            + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
                            + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"),
            Signed.shopify(),
            Signed.stripe());

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
