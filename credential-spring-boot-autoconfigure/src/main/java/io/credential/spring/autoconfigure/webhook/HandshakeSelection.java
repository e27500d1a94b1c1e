package io.credential.spring.autoconfigure.webhook;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.webhook.WebhookHandshake;
import io.credential.spring.webhook.internal.SlackUrlVerification;

/** Finds the handshake of a sender: beans of the application, and the one of Slack. */
final class HandshakeSelection {

    private final Map<String, WebhookHandshake> bySender = new LinkedHashMap<>();

    /** @param senders the names of those that are configured */
    HandshakeSelection(List<WebhookHandshake> beans, Set<String> senders) {
        for (WebhookHandshake handshake : beans) {
            String sender = handshake.sender();
            String bean = handshake.getClass().getName();
            if (!senders.contains(sender)) {
                throw new CredentialConfigurationException(
                        "The WebhookHandshake " + bean + " is for the sender '" + sender
                                + "', which is not configured.",
                        "Configure 'credential.webhook.inbound." + sender + "'"
                                + (senders.isEmpty()
                                        ? ""
                                        : ", or return one of " + senders + " from " + bean + ".sender()")
                                + ".");
            }
            WebhookHandshake other = bySender.put(sender, handshake);
            if (other != null) {
                throw new CredentialConfigurationException(
                        "Two WebhookHandshake beans are for the sender '" + sender + "': "
                                + other.getClass().getName() + " and " + bean + ".",
                        "Remove one of them.");
            }
        }
    }

    /** Returns null if the sender has none. */
    @Nullable WebhookHandshake select(String name, WebhookInboundProperties properties) {
        WebhookHandshake handshake = bySender.get(name);
        return handshake == null && properties.scheme().equals("slack") ? new SlackUrlVerification(name) : handshake;
    }
}
