package io.credential.webhook.inbox.internal;

import java.sql.Types;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;
import io.credential.webhook.inbox.InboxPage;
import io.credential.webhook.inbox.InboxQuery;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.signature.VerifiedWebhook;

/** The inbox in a database, for every node that shares it, by the database's clock. Thread-safe. */
public final class JdbcWebhookInbox implements WebhookInbox {

    /** The table of the inbox. */
    public static final SchemaScripts SCHEMA =
            SchemaScripts.of("io/credential/webhook/inbox/internal/migration", "_credential_webhook_inbox");

    private static final String RETRIED = "webhook.inbox.retry";
    private static final int MAX_LENGTH = 1024;
    private static final int RETRY_BATCH = 500;

    /**
     * Waits for another transaction that inserts or changes the same row, and then sees its outcome. One that is not processed,
     * although it is stored, is processed here.
     */
    private static final String INSERT_PROCESSED = """
            INSERT INTO _credential_webhook_inbox (
                webhook_id, sender, event_id, event_type, deduplication_id, status, attempts,
                received_at, next_attempt_at, finished_at)
            VALUES (
                :id, :sender, :eventId, :eventType, :deduplicationId, 'processed', 0,
                {now}, {now}, {now})
            ON CONFLICT (webhook_id) DO UPDATE
            SET status = 'processed', finished_at = {now}, body = NULL
            WHERE _credential_webhook_inbox.status <> 'processed'""";

    private static final String MAKE_PENDING =
            "SET status = 'pending', attempts = 0, next_attempt_at = {now}, finished_at = NULL";

    /** If the sender repeats a dead webhook, it is tried again. */
    private static final String INSERT_PENDING = """
            INSERT INTO _credential_webhook_inbox (
                webhook_id, sender, scheme, algorithm, kid, signed_at, event_id, event_type, signed_parts,
                deduplication_id, body, status, attempts, received_at, next_attempt_at)
            VALUES (
                :id, :sender, :scheme, :algorithm, :kid, :signedAt, :eventId, :eventType, :signedParts,
                :deduplicationId, :body, 'pending', 0, {now}, {now})
            ON CONFLICT (webhook_id) DO UPDATE
            {make_pending}
            WHERE _credential_webhook_inbox.status = 'dead'""".replace("{make_pending}", MAKE_PENDING);

    private static final String SEARCH = "SELECT " + InboxRows.STORED
            + " FROM _credential_webhook_inbox WHERE status = :status AND webhook_id > :after{of_sender}"
            + " ORDER BY webhook_id LIMIT :limit";

    private static final String GET =
            "SELECT " + InboxRows.STORED + " FROM _credential_webhook_inbox WHERE webhook_id = :id";

    private static final String RETRY =
            "UPDATE _credential_webhook_inbox " + MAKE_PENDING + " WHERE status = 'dead' AND ";

    private static final String DEAD_BEFORE = """
            SELECT webhook_id FROM _credential_webhook_inbox
            WHERE status = 'dead' AND sender = :sender AND finished_at <= :before
            ORDER BY webhook_id
            LIMIT :limit""";

    private final InboxDatabase database;
    private final AuditTrail audit;
    private final InboxWorker worker;
    private final CurrentWebhook current = new CurrentWebhook();
    private final String insertPending;
    private final String insertProcessed;
    private final String retry;
    private final String retryBatch;

    /**
     * @param clock replaces the clock of the database in tests; null for that of the database
     * @param handler processes what was stored
     */
    public JdbcWebhookInbox(
            CredentialDatabase database,
            @Nullable InstantSource clock,
            InboxOptions options,
            InboxHandler handler,
            AuditTrail audit) {
        this.database = new InboxDatabase(database, clock);
        this.audit = audit;
        this.worker = new InboxWorker(
                new InboxQueue(this.database), this.database.dialect(), options, processing(handler), audit);
        this.insertPending = this.database.sql(INSERT_PENDING);
        this.insertProcessed = this.database.sql(INSERT_PROCESSED);
        this.retry = this.database.sql(RETRY + "webhook_id = :id");
        this.retryBatch =
                this.database.sql(RETRY + "webhook_id " + database.dialect().isOneUnlockedOf(DEAD_BEFORE));
    }

    private InboxHandler processing(InboxHandler handler) {
        return message ->
                current.during(InboxRows.id(message.sender(), message.webhook().deduplicationId()), handler, message);
    }

    @Override
    public boolean once(VerifiedWebhook webhook, Runnable work) {
        return once(requireSender(webhook), webhook.deduplicationId(), webhook.id(), webhook.type(), work);
    }

    @Override
    public boolean once(String sender, String id, Runnable work) {
        requireLength("sender", sender);
        requireLength("id", id);
        return once(sender, id, id, null, work);
    }

    private boolean once(
            String sender, String deduplicationId, @Nullable String eventId, @Nullable String type, Runnable work) {
        String id = InboxRows.id(sender, deduplicationId);
        return database.inTransaction(() -> {
            // The worker has made it processed in this transaction.
            boolean isFirst = current.take(id)
                    || database.statement(insertProcessed)
                                    .param("id", id)
                                    .param("sender", sender)
                                    .param("eventId", eventId, Types.VARCHAR)
                                    .param("eventType", type, Types.VARCHAR)
                                    .param("deduplicationId", deduplicationId)
                                    .update()
                            == 1;
            if (isFirst) {
                work.run();
            }
            return isFirst;
        });
    }

    /**
     * Stores a webhook to be processed; does nothing if it is pending or was processed.
     *
     * @param variant distinguishes webhooks with the same deduplication id; null for none
     * @throws IllegalArgumentException if the webhook was verified by a verifier without a name
     */
    public void receive(InboxMessage message, @Nullable String variant) {
        VerifiedWebhook webhook = message.webhook();
        String sender = requireSender(webhook);
        database.inTransaction(() -> {
            int inserted = database.statement(insertPending)
                    .param("id", InboxRows.id(sender, webhook.deduplicationId(), variant))
                    .param("sender", sender)
                    .param("scheme", webhook.scheme())
                    .param("algorithm", webhook.algorithm())
                    .param("kid", webhook.kid())
                    .param("signedAt", webhook.timestamp(), Types.BIGINT)
                    .param("eventId", webhook.id(), Types.VARCHAR)
                    .param("eventType", webhook.type(), Types.VARCHAR)
                    .param("signedParts", InboxRows.text(webhook.signed()))
                    .param("deduplicationId", webhook.deduplicationId())
                    .param("body", message.body())
                    .update();
            if (inserted == 1) {
                database.afterCommit(worker::wake);
            }
            return null;
        });
    }

    private static String requireSender(VerifiedWebhook webhook) {
        String sender = webhook.sender();
        if (sender == null) {
            throw new IllegalArgumentException("The webhook has no sender: give its verifier a name");
        }
        return sender;
    }

    private static void requireLength(String what, String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "The " + what + " must be 1 to " + MAX_LENGTH + " characters, not " + text.length());
        }
    }

    @Override
    public InboxPage search(InboxQuery query) {
        StatementSpec statement = database.statement(
                        SEARCH.replace("{of_sender}", query.sender() == null ? "" : " AND sender = :sender"))
                .param("status", query.status().text())
                .param("after", query.cursor() == null ? "" : query.cursor())
                .param("limit", query.limit());
        if (query.sender() != null) {
            statement = statement.param("sender", query.sender());
        }
        List<StoredWebhook> page = statement.query(InboxRows::storedWebhook).list();
        return new InboxPage(
                page,
                page.size() < query.limit() ? null : page.get(page.size() - 1).id());
    }

    @Override
    public Optional<StoredWebhook> get(String id) {
        return database.statement(GET)
                .param("id", id)
                .query(InboxRows::storedWebhook)
                .optional();
    }

    @Override
    public Optional<StoredWebhook> retry(String id) {
        return database.inTransaction(() -> {
            if (database.statement(retry).param("id", id).update() == 0) {
                return Optional.empty();
            }
            database.afterCommit(audit.successReport(RETRIED, id, Map.of()));
            database.afterCommit(worker::wake);
            return get(id);
        });
    }

    @Override
    public int retryAll(String sender) {
        long before = database.statement(database.sql("SELECT {now}"))
                .query(Long.class)
                .single();
        int total = 0;
        int retried = RETRY_BATCH;
        try {
            while (retried == RETRY_BATCH) {
                retried = database.write(() -> database.statement(retryBatch)
                        .param("sender", sender)
                        .param("before", before)
                        .param("limit", RETRY_BATCH)
                        .update());
                total += retried;
            }
        } finally {
            if (total > 0) {
                database.afterCommit(audit.successReport(RETRIED, null, Map.of("sender", sender, "count", total)));
                database.afterCommit(worker::wake);
            }
        }
        return total;
    }

    /** Returns what processes stored webhooks. */
    public InboxWorker worker() {
        return worker;
    }
}
