package io.credential.webhook.inbox.internal;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.audit.AuditEvent;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.inbox.InboxPage;
import io.credential.webhook.inbox.InboxQuery;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.inbox.WebhookInbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Webhooks that are stored first, and processed later. */
@BothDatabases
class StoredFirstTests {

    private static final String BODY = "{\"id\":\"evt_1\"}";

    private final TestDatabase testDatabase;
    private InboxFixture fixture;

    StoredFirstTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
    }

    @BeforeEach
    void create() {
        fixture = new InboxFixture(testDatabase);
    }

    @Test
    void processThenTheHandlerGetsWhatWasReceived() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            assertThat(message.webhook()).isEqualTo(InboxFixture.webhook("stripe", "evt_1"));
            fixture.grant(message.text());
        });
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        assertThat(fixture.grants()).isEmpty();

        assertThat(inbox.worker().processOne()).isTrue();

        assertThat(fixture.grants()).containsExactly(BODY);
        assertThat(inbox.worker().processOne()).isFalse();
        assertThat(sole(inbox, InboxStatus.PROCESSED).attempts()).isEqualTo(1);
        assertThat(inbox.worker().processed()).isEqualTo(1);
    }

    @Test
    void receiveWhenRepeatedThenProcessedOnce() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        inbox.worker().processOne();
        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        assertThat(inbox.worker().processOne()).isFalse();
        assertThat(fixture.grants()).hasSize(1);
    }

    /** Code of a controller may have moved to the method. */
    @Test
    void onceWhenByTheHandlerThenTheWorkIsDone() {
        AtomicReference<WebhookInbox> own = new AtomicReference<>();
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            assertThat(own.get().once(message.webhook(), () -> fixture.grant("once")))
                    .isTrue();
            assertThat(own.get().once(message.webhook(), () -> fixture.grant("twice")))
                    .isFalse();
            assertThat(own.get().once("stripe", "another", () -> fixture.grant("another")))
                    .isTrue();
        });
        own.set(inbox);
        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        inbox.worker().processOne();

        assertThat(fixture.grants()).containsExactly("another", "once");
        assertThat(inbox.once(InboxFixture.webhook("stripe", "evt_1"), () -> {}))
                .isFalse();
    }

    @Test
    void onceWhenStoredButNotProcessedThenProcessedHere() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant("by the worker"));
        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        assertThat(inbox.once(InboxFixture.webhook("stripe", "evt_1"), () -> fixture.grant("here")))
                .isTrue();

        assertThat(inbox.worker().processOne()).isFalse();
        assertThat(fixture.grants()).containsExactly("here");
    }

    @Test
    void receiveWhenDeadThenPendingAgain() {
        dead("evt_1");
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));

        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        assertThat(inbox.worker().processOne()).isTrue();
        assertThat(fixture.grants()).containsExactly(BODY);
    }

    @Test
    void receiveWhenAnotherVariantThenProcessedToo() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));
        inbox.receive(InboxFixture.message("evt_1", BODY), "orders/create");
        inbox.receive(InboxFixture.message("evt_1", BODY), "orders/paid");
        inbox.receive(InboxFixture.message("evt_1", BODY), "orders/paid");

        assertThat(inbox.worker().processOne()).isTrue();
        assertThat(inbox.worker().processOne()).isTrue();
        assertThat(inbox.worker().processOne()).isFalse();
    }

    /** On SQLite, nothing ends a transaction whose thread waits. */
    @Test
    void processWhenTheAttemptBeforeHangsThenInterruptsIt() throws Exception {
        assumeTrue(testDatabase.kind() == DatabaseKind.POSTGRESQL);
        BlockingQueue<Integer> sessions = new LinkedBlockingQueue<>();
        CountDownLatch interrupted = new CountDownLatch(1);
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            sessions.add(fixture.database
                    .jdbc()
                    .sql("SELECT pg_backend_pid()")
                    .query(Integer.class)
                    .single());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        Thread hanging = new Thread(inbox.worker()::processOne);
        hanging.start();
        Patience.until(() -> !sessions.isEmpty());
        fixture.database
                .jdbc()
                .sql("SELECT pg_terminate_backend(:session)")
                .param("session", sessions.element())
                .query(Boolean.class)
                .single();
        fixture.clock.advance(Duration.ofMinutes(1));

        Patience.until(inbox.worker()::processOne);

        Patience.await(interrupted);
        Patience.join(hanging);
        assertThat(sessions).hasSize(1);
        assertThat(sole(inbox, InboxStatus.PENDING).attempts()).isEqualTo(2);
    }

    /** There are two threads. */
    @Test
    void workerWhenHandlersInterruptItThenGoesOn() {
        CountDownLatch done = new CountDownLatch(5);
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            Thread.currentThread().interrupt();
            done.countDown();
        });
        for (int i = 0; i < 5; i++) {
            inbox.receive(InboxFixture.message("evt_" + i, BODY), null);
        }
        inbox.worker().start();
        try {
            Patience.await(done);
        } finally {
            inbox.worker().stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void receiveWhenDoneByOnceThenNotProcessed() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));
        inbox.once(InboxFixture.webhook("stripe", "evt_1"), () -> {});

        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        assertThat(inbox.worker().processOne()).isFalse();
    }

    @Test
    void processWhenDoneThenTheBodyIsGone() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {});
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        inbox.worker().processOne();

        assertThat(fixture.database
                        .jdbc()
                        .sql("SELECT count(*) FROM _credential_webhook_inbox WHERE body IS NULL")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void processWhenTheHandlerFailsThenRetriedAfterAPause() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            fixture.grant("rolled back");
            throw new IOException("secret of the application");
        });
        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        inbox.worker().processOne();

        assertThat(fixture.grants()).isEmpty();
        StoredWebhook pending = sole(inbox, InboxStatus.PENDING);
        assertThat(pending.lastError()).isEqualTo("java.io.IOException");
        assertThat(pending.nextAttemptAt()).isEqualTo(fixture.clock.instant().plusSeconds(10));
        assertThat(inbox.worker().failed()).isEqualTo(1);
        fixture.clock.advance(Duration.ofSeconds(10).minusMillis(1));
        assertThat(inbox.worker().processOne()).isFalse();
        fixture.clock.advance(Duration.ofMillis(1));
        assertThat(inbox.worker().processOne()).isTrue();
        assertThat(sole(inbox, InboxStatus.PENDING).nextAttemptAt())
                .isEqualTo(fixture.clock.instant().plusSeconds(20));
    }

    @Test
    void processWhenAllAttemptsFailThenDead() {
        JdbcWebhookInbox inbox = dead("evt_1");

        StoredWebhook dead = sole(inbox, InboxStatus.DEAD);
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.lastError()).isEqualTo("java.lang.IllegalStateException");
        fixture.clock.advance(Duration.ofDays(1));
        assertThat(inbox.worker().processOne()).isFalse();
        AuditEvent audited = fixture.audited.get(0);
        assertThat(audited.name()).isEqualTo("webhook.inbox.dead");
        assertThat(audited.resourceId()).isEqualTo(dead.id());
        assertThat(audited.attributes()).isEqualTo(Map.of("sender", "stripe", "attempts", 3));
    }

    @Test
    void retryWhenDeadThenProcessedAgain() {
        String id = sole(dead("evt_1"), InboxStatus.DEAD).id();
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));

        assertThat(inbox.retry(id)).get().extracting(StoredWebhook::attempts).isEqualTo(0);

        inbox.worker().processOne();
        assertThat(fixture.grants()).containsExactly(BODY);
        assertThat(fixture.audited).extracting(AuditEvent::name).endsWith("webhook.inbox.retry");
    }

    @Test
    void retryWhenNotDeadThenEmpty() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {});
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        String id = sole(inbox, InboxStatus.PENDING).id();

        assertThat(inbox.retry(id)).isEmpty();
        assertThat(inbox.retry("unknown")).isEmpty();
        assertThat(fixture.audited).isEmpty();
    }

    @Test
    void retryAllThenThoseOfTheSender() {
        dead("evt_1");
        JdbcWebhookInbox inbox = dead("evt_2");

        assertThat(inbox.retryAll("another")).isZero();
        assertThat(inbox.retryAll("stripe")).isEqualTo(2);

        assertThat(inbox.search(InboxQuery.of(InboxStatus.PENDING)).webhooks()).hasSize(2);
        assertThat(fixture.audited.get(fixture.audited.size() - 1).attributes())
                .isEqualTo(Map.of("sender", "stripe", "count", 2));
    }

    /** A claim without an outcome is that of a node that has stopped. */
    @Test
    void processWhenTheNodeStoppedThenTriedAgain() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        assertThat(queue().claim()).isPresent();

        assertThat(inbox.worker().processOne()).isFalse();
        fixture.clock.advance(Duration.ofMinutes(1));
        assertThat(inbox.worker().processOne()).isTrue();

        assertThat(fixture.grants()).containsExactly(BODY);
    }

    @Test
    void processWhenEachAttemptStopsTheNodeThenDead() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant("must not run"));
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(queue().claim()).isPresent();
            fixture.clock.advance(Duration.ofMinutes(1));
        }

        inbox.worker().processOne();

        assertThat(fixture.grants()).isEmpty();
        assertThat(sole(inbox, InboxStatus.DEAD).lastError()).isNull();
    }

    @Test
    void finishWhenClaimedAgainSinceThenNothingIsDone() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {});
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        InboxQueue.Claim stale = queue().claim().orElseThrow();
        fixture.clock.advance(Duration.ofMinutes(1));
        queue().claim();

        assertThat(queue().finish(stale, () -> fixture.grant("twice"))).isFalse();
        queue().retryLater(stale, 0, "late");
        assertThat(queue().bury(stale, "late")).isFalse();

        assertThat(fixture.grants()).isEmpty();
        assertThat(sole(inbox, InboxStatus.PENDING).lastError()).isNull();
    }

    @Test
    void workerWhenStartedThenProcessesUntilStopped() {
        CountDownLatch done = new CountDownLatch(20);
        JdbcWebhookInbox inbox = fixture.inbox(message -> done.countDown());
        inbox.receive(InboxFixture.message("before", BODY), null);
        inbox.worker().start();
        for (int i = 1; i < 20; i++) {
            inbox.receive(InboxFixture.message("evt_" + i, BODY), null);
        }

        Patience.await(done);
        inbox.worker().stop(Duration.ofSeconds(10));

        LiveThreads.awaitNone("credential-webhook-inbox");
        Patience.until(() -> inbox.worker().backlog().pending() == 0);
    }

    @Test
    void workerWhenTheDatabaseFailsThenGoesOnLater() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> fixture.grant(message.text()));
        inbox.receive(InboxFixture.message("evt_1", BODY), null);
        rename("_credential_webhook_inbox", "elsewhere");
        try (CapturedLog log = CapturedLog.of(InboxWorker.class)) {
            inbox.worker().start();
            Patience.until(() -> !log.lines().isEmpty());
            rename("elsewhere", "_credential_webhook_inbox");
            Patience.until(() -> !fixture.grants().isEmpty());
            assertThat(log.lines()).hasSize(1);
        } finally {
            inbox.worker().stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void workerWhenAnErrorIsThrownThenGoesOn() {
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger errors = new AtomicInteger(InboxFixture.OPTIONS.threads());
        JdbcWebhookInbox inbox = fixture.inbox(
                new DelegatingDataSource(testDatabase.dataSource()) {

                    @Override
                    public Connection getConnection() throws SQLException {
                        if (Thread.currentThread().getName().startsWith("credential-webhook-inbox")
                                && errors.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("as if a body were too large");
                        }
                        return super.getConnection();
                    }
                },
                message -> done.countDown());
        inbox.receive(InboxFixture.message("evt_1", BODY), null);

        inbox.worker().start();
        try {
            Patience.await(done);
        } finally {
            inbox.worker().stop(Duration.ofSeconds(10));
        }
    }

    @Test
    void searchThenInPages() {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {});
        for (int i = 0; i < 5; i++) {
            inbox.receive(InboxFixture.message("evt_" + i, BODY), null);
        }
        InboxQuery query =
                InboxQuery.of(InboxStatus.PENDING).withSender("stripe").withLimit(2);

        InboxPage first = inbox.search(query);
        InboxPage second = inbox.search(query.after(first.nextCursor()));
        InboxPage third = inbox.search(query.after(second.nextCursor()));

        assertThat(List.of(first, second, third))
                .flatExtracting(InboxPage::webhooks)
                .extracting(StoredWebhook::id)
                .doesNotHaveDuplicates()
                .hasSize(5);
        assertThat(third.nextCursor()).isNull();
        assertThat(inbox.search(query.withSender("another")).webhooks()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> query.withLimit(0));
        assertThatIllegalArgumentException().isThrownBy(() -> query.withLimit(1001));
    }

    @Test
    void backlogThenCountsWhatIsNotProcessed() {
        JdbcWebhookInbox inbox = dead("evt_1");
        inbox.receive(InboxFixture.message("evt_2", BODY), null);
        fixture.clock.advance(Duration.ofSeconds(5));

        assertThat(inbox.worker().backlog()).isEqualTo(new InboxBacklog(1, 1, 5000));
    }

    @Test
    void removeExpiredThenKeepsWhatIsPending() {
        JdbcWebhookInbox inbox = dead("evt_1");
        inbox.receive(InboxFixture.message("evt_2", BODY), null);
        fixture.clock.advance(Duration.ofDays(31));

        inbox.worker().removeExpired();

        assertThat(inbox.worker().backlog())
                .extracting(InboxBacklog::pending, InboxBacklog::dead)
                .containsExactly(1, 0);
    }

    private JdbcWebhookInbox dead(String id) {
        JdbcWebhookInbox inbox = fixture.inbox(message -> {
            throw new IllegalStateException("always");
        });
        inbox.receive(InboxFixture.message(id, BODY), null);
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(inbox.worker().processOne()).isTrue();
            fixture.clock.advance(Duration.ofMinutes(1));
        }
        return inbox;
    }

    private InboxQueue queue() {
        return new InboxQueue(new InboxDatabase(fixture.database, fixture.clock));
    }

    private void rename(String from, String to) {
        fixture.database.jdbc().sql("ALTER TABLE " + from + " RENAME TO " + to).update();
    }

    private static StoredWebhook sole(JdbcWebhookInbox inbox, InboxStatus status) {
        List<StoredWebhook> found = inbox.search(InboxQuery.of(status)).webhooks();
        assertThat(found).hasSize(1);
        assertThat(inbox.get(found.get(0).id())).contains(found.get(0));
        return found.get(0);
    }
}
