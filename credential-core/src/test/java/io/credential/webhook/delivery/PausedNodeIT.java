package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntConsumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.credential.testing.DatabaseKind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A node stands still in the middle of its work, as in a long pause of its machine, and goes on when it is too late. */
@Timeout(120)
class PausedNodeIT {

    private static final String PATH = "/endpoint";
    private static final int EVENTS = 12;
    private static final int UNDER_WAY = 4;
    private static final int ANSWER_TO_THE_PAUSED = 200;
    private static final int ANSWER_TO_THE_OTHER = 202;

    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);
    private final Queue<IntConsumer> held = fixture.receiver.hold(PATH);

    @BeforeEach
    void register() {
        fixture.endpoint("endpoint", "*");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aNodePausedPastItsLeaseChangesNothingOfWhatAnotherHasTakenOver() {
        String[] options = {"maxInFlight=" + UNDER_WAY, "requestTimeout=PT1M"};
        ChildProcess paused = pausedInTheMiddle(options);
        takeOver(options);

        wakeAndAssertThatItChangesNothing(paused);
        assertThatItGoesOn(paused);
    }

    @Test
    void aNodePausedPastTheTimeOfItsClaimsChangesNothingOfWhatAnotherHasTakenOver() {
        String[] options = {"maxInFlight=" + UNDER_WAY, "requestTimeout=PT4S", "claimReclaimAfter=PT8S"};
        ChildProcess paused = pausedInTheMiddle(options);
        fixture.rows
                .sql("UPDATE _credential_leases SET expires_at = expires_at + 3600000")
                .update();
        takeOver(options);

        wakeAndAssertThatItChangesNothing(paused);
        assertThatItGoesOn(paused);
    }

    /** A node with some attempts under way, and claims that wait for them to end. */
    private ChildProcess pausedInTheMiddle(String... options) {
        for (int i = 0; i < EVENTS; i++) {
            fixture.dispatcher.enqueue("event", "{\"number\":" + i + "}");
        }
        ChildProcess node = fixture.node(options);
        await().atMost(NodesFixture.PATIENCE).until(() -> held.size() == UNDER_WAY);
        node.pause();
        assertThat(fixture.count("{deliveries} WHERE status = 'in-flight'")).isEqualTo(EVENTS);
        return node;
    }

    private void takeOver(String... options) {
        fixture.receiver.answer(PATH, ANSWER_TO_THE_OTHER);
        try (JdbcWebhookDispatcher other = fixture.dispatcher(options)) {
            other.start();
            await().atMost(NodesFixture.PATIENCE)
                    .until(() -> fixture.count("{deliveries} WHERE status = 'delivered' AND attempts = 2"
                                    + " AND response_status = " + ANSWER_TO_THE_OTHER)
                            == EVENTS);
        }
    }

    private void wakeAndAssertThatItChangesNothing(ChildProcess paused) {
        List<String> before = everythingStored();
        held.forEach(answer -> answer.accept(ANSWER_TO_THE_PAUSED));
        paused.resume();
        paused.awaitLines(EVENTS, line -> line.contains("was taken over"));

        assertThat(everythingStored()).isEqualTo(before);
        assertThat(fixture.receiver.receipts())
                .as("no attempt more than the first few of the one and all of the other")
                .hasSize(UNDER_WAY + EVENTS);
    }

    private void assertThatItGoesOn(ChildProcess woken) {
        fixture.dispatcher.enqueue("event", "{}");
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        assertThat(fixture.receiver.receipts()).hasSize(UNDER_WAY + EVENTS + 1);
        woken.stop();
    }

    private List<String> everythingStored() {
        List<String> rows = new ArrayList<>();
        for (String table : List.of("{deliveries}", "{attempts}")) {
            rows.addAll(fixture.rows
                    .sql("SELECT CAST(t AS TEXT) FROM " + table + " t ORDER BY 1")
                    .query(String.class)
                    .list());
        }
        return rows;
    }
}
