package io.credential.webhook.inbox.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/** An inbox with a table of the application beside it. */
final class InboxFixture {

    static final InboxOptions OPTIONS =
            new InboxOptions(2, 3, Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofDays(30));

    final MutableClock clock = MutableClock.atNewYear();
    final List<AuditEvent> audited = new ArrayList<>();
    final CredentialDatabase database;

    InboxFixture(TestDatabase testDatabase) {
        this.database = testDatabase.migrate(JdbcWebhookInbox.SCHEMA);
        database.jdbc().sql("DELETE FROM _credential_webhook_inbox").update();
        database.jdbc()
                .sql("CREATE TABLE IF NOT EXISTS grants (event text not null)")
                .update();
        database.jdbc().sql("DELETE FROM grants").update();
    }

    JdbcWebhookInbox inbox(InboxHandler handler) {
        return inbox(database, handler);
    }

    JdbcWebhookInbox inbox(CredentialDatabase other, InboxHandler handler) {
        AuditTrail audit = new AuditTrail(audited::add, () -> "operator", clock, "webhook-inbox", true, true);
        return new JdbcWebhookInbox(other, clock, OPTIONS, handler, audit);
    }

    JdbcWebhookInbox inbox(DataSource dataSource, InboxHandler handler) {
        return inbox(CredentialDatabase.of(dataSource), handler);
    }

    /** Does what a webhook asks for. */
    void grant(String event) {
        grant(database, event);
    }

    static void grant(CredentialDatabase database, String event) {
        database.jdbc()
                .sql("INSERT INTO grants (event) VALUES (:event)")
                .param("event", event)
                .update();
    }

    List<@Nullable String> grants() {
        return database.jdbc()
                .sql("SELECT event FROM grants ORDER BY event")
                .query(String.class)
                .list();
    }

    static InboxMessage message(String id, String body) {
        return new InboxMessage(webhook("stripe", id), body.getBytes(StandardCharsets.UTF_8));
    }

    static VerifiedWebhook webhook(String sender, String id) {
        return new VerifiedWebhook(
                "hmac-sha256",
                "v1",
                1767225600L,
                id,
                sender,
                "stripe",
                "charge.succeeded",
                Set.of(Part.ID, Part.TYPE, Part.TIMESTAMP),
                id);
    }
}
