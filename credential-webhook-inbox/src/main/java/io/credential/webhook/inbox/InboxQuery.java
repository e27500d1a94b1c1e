package io.credential.webhook.inbox;

import org.jspecify.annotations.Nullable;

/**
 * Selects stored webhooks of one status. Immutable.
 *
 * @param status the status of the webhooks
 * @param sender the configured name of the sender; null for all
 * @param limit how many a page has at most, 1 to 1000
 * @param cursor of the page before; null for the first page
 * @since 0.1.0
 */
public record InboxQuery(
        InboxStatus status,
        @Nullable String sender,
        int limit,
        @Nullable String cursor) {

    /** The default size of a page. */
    public static final int DEFAULT_LIMIT = 100;

    private static final int MAX_LIMIT = 1000;

    /** @throws IllegalArgumentException if the limit is out of range */
    public InboxQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("The limit must be 1 to " + MAX_LIMIT + ", not " + limit);
        }
    }

    /** Selects all with a status. */
    public static InboxQuery of(InboxStatus status) {
        return new InboxQuery(status, null, DEFAULT_LIMIT, null);
    }

    /** Returns the same query for one sender only. */
    public InboxQuery withSender(@Nullable String newSender) {
        return new InboxQuery(status, newSender, limit, cursor);
    }

    /** Returns the same query with another size of the pages. */
    public InboxQuery withLimit(int newLimit) {
        return new InboxQuery(status, sender, newLimit, cursor);
    }

    /** Returns the query for the page after a cursor. */
    public InboxQuery after(@Nullable String newCursor) {
        return new InboxQuery(status, sender, limit, newCursor);
    }
}
