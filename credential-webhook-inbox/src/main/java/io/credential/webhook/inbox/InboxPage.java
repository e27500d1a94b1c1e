package io.credential.webhook.inbox;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of stored webhooks. Immutable.
 *
 * @param webhooks in the order of their ids
 * @param nextCursor for {@link InboxQuery#after}; null on the last page
 * @since 0.1.0
 */
public record InboxPage(
        List<StoredWebhook> webhooks, @Nullable String nextCursor) {

    /** Copies the list. */
    public InboxPage {
        webhooks = List.copyOf(webhooks);
    }
}
