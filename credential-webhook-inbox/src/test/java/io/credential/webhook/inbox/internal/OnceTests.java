package io.credential.webhook.inbox.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.inbox.InboxQuery;
import io.credential.webhook.inbox.InboxStatus;
import io.credential.webhook.inbox.StoredWebhook;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.signature.VerifiedWebhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Work and id are committed together. */
@BothDatabases
class OnceTests {

    private static final InboxHandler NONE = message -> {};

    private final TestDatabase testDatabase;
    private InboxFixture fixture;
    private WebhookInbox inbox;

    OnceTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
    }

    @BeforeEach
    void create() {
        fixture = new InboxFixture(testDatabase);
        inbox = fixture.inbox(NONE);
    }

    @Test
    void onceWhenRepeatedThenTheWorkIsDoneOnce() {
        VerifiedWebhook webhook = InboxFixture.webhook("stripe", "evt_1");

        assertThat(inbox.once(webhook, () -> fixture.grant("evt_1"))).isTrue();
        assertThat(inbox.once(webhook, () -> fixture.grant("evt_1"))).isFalse();

        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    @Test
    void onceWhenTheWorkFailsThenTheRetryIsDone() {
        VerifiedWebhook webhook = InboxFixture.webhook("stripe", "evt_1");

        assertThatIllegalStateException()
                .isThrownBy(() -> inbox.once(webhook, () -> {
                    fixture.grant("evt_1");
                    throw new IllegalStateException("no credit");
                }));

        assertThat(fixture.grants()).isEmpty();
        assertThat(inbox.once(webhook, () -> fixture.grant("evt_1"))).isTrue();
        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    @Test
    void onceWhenInATransactionThenJoinsIt() {
        VerifiedWebhook webhook = InboxFixture.webhook("stripe", "evt_1");

        assertThatIllegalStateException()
                .isThrownBy(() -> fixture.database.inTransaction(() -> {
                    assertThat(inbox.once(webhook, () -> fixture.grant("evt_1")))
                            .isTrue();
                    throw new IllegalStateException("the caller fails later");
                }));

        assertThat(fixture.grants()).isEmpty();
        assertThat(inbox.once(webhook, () -> fixture.grant("evt_1"))).isTrue();
    }

    @Test
    void onceWhenSendersUseTheSameIdThenEachIsDone() {
        assertThat(inbox.once(InboxFixture.webhook("stripe", "1"), () -> {})).isTrue();
        assertThat(inbox.once(InboxFixture.webhook("shop", "1"), () -> {})).isTrue();
    }

    @Test
    void onceWhenTheIdIsGivenThenItCounts() {
        assertThat(inbox.once("stripe", "in_1", () -> {})).isTrue();
        assertThat(inbox.once("stripe", "in_1", () -> {})).isFalse();
        assertThat(inbox.once("stripe", "in_2", () -> {})).isTrue();
        assertThat(inbox.once(InboxFixture.webhook("stripe", "in_1"), () -> {})).isFalse();
    }

    @Test
    void onceWhenTheIdCannotBeUsedThenRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> inbox.once("stripe", "", () -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> inbox.once("", "in_1", () -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> inbox.once("stripe", "x".repeat(1025), () -> {}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inbox.once(new VerifiedWebhook("hmac-sha3-512", "v1", 1, "id"), () -> {}))
                .withMessageContaining("name");
    }

    @Test
    void onceWhenDoneThenTheIdIsRetained() {
        inbox.once(InboxFixture.webhook("stripe", "evt_1"), () -> {});

        assertThat(inbox.search(InboxQuery.of(InboxStatus.PROCESSED)).webhooks())
                .extracting(StoredWebhook::sender, StoredWebhook::eventId, StoredWebhook::type)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("stripe", "evt_1", "charge.succeeded"));
    }

    @Test
    void onceWhenItsRetentionEndsThenDoneAgain() {
        JdbcWebhookInbox expiring = fixture.inbox(NONE);
        VerifiedWebhook webhook = InboxFixture.webhook("stripe", "evt_1");
        expiring.once(webhook, () -> {});

        fixture.clock.advance(InboxFixture.OPTIONS.retention().minus(Duration.ofMillis(1)));
        expiring.worker().removeExpired();
        assertThat(expiring.once(webhook, () -> {})).isFalse();

        fixture.clock.advance(Duration.ofMillis(1));
        expiring.worker().removeExpired();
        assertThat(expiring.once(webhook, () -> {})).isTrue();
    }

    /** Three nodes share the database. */
    @Test
    void onceWhenConcurrentThenTheWorkIsDoneOnce() {
        List<Callable<Boolean>> deliveries = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            CredentialDatabase database = CredentialDatabase.of(testDatabase.dataSource());
            WebhookInbox ofNode = fixture.inbox(database, NONE);
            for (int i = 0; i < 5; i++) {
                deliveries.add(() -> ofNode.once(
                        InboxFixture.webhook("stripe", "evt_1"), () -> InboxFixture.grant(database, "evt_1")));
            }
        }

        assertThat(InParallel.run(deliveries)).containsOnlyOnce(true);
        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    @Test
    void onceThenNeedsOneStatement() {
        RecordedStatements recorded = new RecordedStatements(testDatabase.dataSource());
        WebhookInbox counted = fixture.inbox(recorded, NONE);
        recorded.clear();

        counted.once(InboxFixture.webhook("stripe", "evt_1"), () -> {});

        assertThat(recorded.statements())
                .filteredOn(sql -> sql.contains("_credential"))
                .hasSize(1);
    }
}
