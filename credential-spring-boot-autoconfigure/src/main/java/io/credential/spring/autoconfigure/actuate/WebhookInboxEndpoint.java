package io.credential.spring.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

import io.credential.spring.autoconfigure.inbox.internal.InboxWatch;
import io.credential.webhook.inbox.InboxPage;
import io.credential.webhook.inbox.InboxQuery;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.inbox.internal.InboxBacklog;

/** Shows the webhooks in the inbox, never their bodies, and retries dead ones. Thread-safe. */
@Endpoint(id = "webhookinbox", defaultAccess = Access.READ_ONLY)
final class WebhookInboxEndpoint {

    private final WebhookInbox inbox;
    private final InboxWatch watch;

    WebhookInboxEndpoint(WebhookInbox inbox, InboxWatch watch) {
        this.inbox = inbox;
        this.watch = watch;
    }

    /** Returns the backlog as it was last read; reads nothing from the database. */
    @ReadOperation
    Summary summary() {
        return watch.backlog().map(Summary::of).orElseGet(() -> new Summary(null, null, null));
    }

    /**
     * Returns one page of webhooks in the order of their ids.
     *
     * @param status {@code pending}, {@code processed} or {@code dead}
     * @param sender only those of this sender; null for all
     */
    @ReadOperation
    Page list(@Selector String status, @Nullable String sender, @Nullable Integer limit, @Nullable String cursor) {
        try {
            InboxQuery query = InboxQuery.of(statusOf(status))
                    .withSender(sender)
                    .withLimit(limit == null ? InboxQuery.DEFAULT_LIMIT : limit)
                    .after(cursor);
            return Page.of(inbox.search(query));
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    /** Makes all dead webhooks of a sender pending again. */
    @WriteOperation
    Retried retryAll(@Selector String status, String sender) {
        requireDead(status);
        return new Retried(inbox.retryAll(sender));
    }

    /** Makes a dead webhook pending again. */
    @WriteOperation
    Stored retry(@Selector String status, @Selector String id) {
        requireDead(status);
        return inbox.retry(id).map(Stored::of).orElseThrow(() -> bad("No dead webhook has this id"));
    }

    private static void requireDead(String status) {
        if (statusOf(status) != InboxStatus.DEAD) {
            throw bad("Only dead webhooks can be retried; send the request to webhookinbox/dead");
        }
    }

    private static InboxStatus statusOf(String text) {
        return InboxStatus.ofText(text).orElseThrow(() -> bad("The status must be one of: pending, processed, dead"));
    }

    private static InvalidEndpointRequestException bad(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    /**
     * All null if the backlog was not read, or the last read failed.
     *
     * @param oldestDueSeconds for how long the oldest pending webhook has been due; 0 if none is
     */
    record Summary(
            @Nullable Integer pending,
            @Nullable Integer dead,
            @Nullable Double oldestDueSeconds) implements OperationResponseBody {

        static Summary of(InboxBacklog backlog) {
            return new Summary(backlog.pending(), backlog.dead(), backlog.oldestDueMillis() / 1e3);
        }
    }

    record Page(List<Stored> webhooks, @Nullable String nextCursor) implements OperationResponseBody {

        static Page of(InboxPage page) {
            return new Page(page.webhooks().stream().map(Stored::of).toList(), page.nextCursor());
        }
    }

    record Stored(
            String id,
            String sender,
            @Nullable String eventId,
            @Nullable String type,
            String status,
            int attempts,
            Instant receivedAt,
            @Nullable Instant nextAttemptAt,
            @Nullable Instant finishedAt,
            @Nullable String lastError)
            implements OperationResponseBody {

        static Stored of(StoredWebhook webhook) {
            return new Stored(
                    webhook.id(),
                    webhook.sender(),
                    webhook.eventId(),
                    webhook.type(),
                    webhook.status().text(),
                    webhook.attempts(),
                    webhook.receivedAt(),
                    webhook.nextAttemptAt(),
                    webhook.finishedAt(),
                    webhook.lastError());
        }
    }

    /** @param retried how many webhooks are pending again */
    record Retried(int retried) implements OperationResponseBody {}
}
