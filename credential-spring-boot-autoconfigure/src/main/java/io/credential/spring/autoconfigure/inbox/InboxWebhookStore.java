package io.credential.spring.autoconfigure.inbox;

import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.spring.webhook.internal.WebhookStore;
import io.credential.webhook.inbox.internal.InboxMessage;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/** Stores the webhooks that methods of the application are for. Thread-safe. */
final class InboxWebhookStore implements WebhookStore {

    private static final Logger LOG = LoggerFactory.getLogger(InboxWebhookStore.class);

    private final Supplier<JdbcWebhookInbox> inbox;
    private final OnWebhookMethods methods;

    /** @param inbox asked for each webhook; throws if there is none */
    InboxWebhookStore(Supplier<JdbcWebhookInbox> inbox, OnWebhookMethods methods) {
        this.inbox = inbox;
        this.methods = methods;
    }

    @Override
    public void store(VerifiedWebhook webhook, byte[] body) {
        if (!methods.isFor(webhook)) {
            LOG.debug(
                    "A webhook of '{}' was not stored, because no method is for its type {}",
                    webhook.sender(),
                    webhook.type());
            return;
        }
        // An unsigned type is part of the id only if a method names it: anyone who has a valid request can invent
        // others.
        boolean isSigned =
                webhook.signed().contains(Part.TYPE) || webhook.signed().contains(Part.ID);
        inbox.get().receive(new InboxMessage(webhook, body), isSigned ? null : methods.namedType(webhook));
    }
}
