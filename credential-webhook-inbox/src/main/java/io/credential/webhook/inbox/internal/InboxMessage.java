package io.credential.webhook.inbox.internal;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

import io.credential.webhook.signature.VerifiedWebhook;

/** A webhook that was received. Its array is shared, and must not be changed. */
public final class InboxMessage {

    private final VerifiedWebhook webhook;
    private final byte[] body;

    public InboxMessage(VerifiedWebhook webhook, byte[] body) {
        this.webhook = webhook;
        this.body = body;
    }

    /** Returns what was verified when it was received. */
    public VerifiedWebhook webhook() {
        return webhook;
    }

    public byte[] body() {
        return body;
    }

    /** Returns the body as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns the name of the sender. */
    public String sender() {
        return Objects.requireNonNull(webhook.sender());
    }
}
