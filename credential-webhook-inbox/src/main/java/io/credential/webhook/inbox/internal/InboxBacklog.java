package io.credential.webhook.inbox.internal;

/**
 * How many webhooks have not been processed.
 *
 * @param pending waiting or being processed
 * @param dead given up
 * @param oldestDueMillis how long the oldest pending one has been due; 0 if none is
 */
public record InboxBacklog(int pending, int dead, long oldestDueMillis) {

    /** No more are counted. */
    public static final int MOST = 100_000;
}
