package io.credential.spring.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.spring.webhook.WebhookHandshake;
import io.credential.storage.internal.JsonText;

/**
 * Answers the signed request by which Slack checks a URL: <code>{"type":"url_verification","challenge":"..."}</code>.
 *
 * @param sender the name of the sender
 */
public record SlackUrlVerification(String sender) implements WebhookHandshake {

    /** Such a body has about 150 bytes. Longer ones are events, which are not parsed twice. */
    private static final int MAX_BYTES = 1024;

    @Override
    public Set<String> methods() {
        return Set.of();
    }

    @Override
    public @Nullable Answer answerVerified(byte[] body) {
        if (body.length > MAX_BYTES) {
            return null;
        }
        Map<String, Object> event;
        try {
            event = JsonText.readObject(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return null; // a slash command, for example, is a form
        }
        return "url_verification".equals(event.get("type")) && event.get("challenge") instanceof String challenge
                ? Answer.text(challenge)
                : null;
    }
}
