package io.credential.webhook.delivery;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** A node stands still in the middle of its work, as in a long pause of its machine, and goes on when it is too late. */
class PausedNodeIT {

    private static final String PATH = "/endpoint";
    private static final int EVENTS = 12;
    private static final int UNDER_WAY = 4;
    /** An attempt may take so long that none ends while the node stands still. */
    private static final String[] OPTIONS = {"maxInFlight=" + UNDER_WAY, "requestTimeout=PT1H"};

    private static final Pattern TAKEN_OVER = Pattern.compile("outcomes of (\\d+) deliveries");

    private static final int ANSWER_TO_THE_PAUSED = 200;
    private static final int ANSWER_TO_THE_OTHER = 202;

    @AutoClose
    private final NodesFixture fixture = new NodesFixture(DatabaseKind.POSTGRESQL);

    private final Queue<IntConsumer> held = fixture.receiver.hold(PATH);

    @BeforeEach
    void register() {
        fixture.endpoint("endpoint", "*");
    }

    @Test
    void nodeWhenPausedPastItsLeaseThenChangesNothing() {
        ChildProcess paused = pausedInTheMiddle(EVENTS);
        takeOver(EVENTS, InstantSource.system());

        wakeAndAssertThatItChangesNothing(paused, EVENTS);
        assertThatItGoesOn(paused, EVENTS);
    }

    @Test
    void nodeWhenPausedPastItsClaimsThenChangesNothing() {
        ChildProcess paused = pausedInTheMiddle(UNDER_WAY);
        fixture.rows
                .sql("UPDATE _credential_leases SET expires_at = expires_at + 3600000")
                .update();
        takeOver(UNDER_WAY, Clock.offset(Clock.systemUTC(), Duration.ofDays(1)));

        wakeAndAssertThatItChangesNothing(paused, UNDER_WAY);
        assertThatItGoesOn(paused, UNDER_WAY);
    }

    /** A node with some attempts under way, and claims on the other events that wait for them to end. */
    private ChildProcess pausedInTheMiddle(int events) {
        for (int i = 0; i < events; i++) {
            fixture.dispatcher.enqueue("event", "{\"number\":" + i + "}");
        }
        ChildProcess node = fixture.node(OPTIONS);
        Patience.until(() -> held.size() == UNDER_WAY);
        node.pause();
        while (holdsLocks()) {
            node.resume();
            node.pause();
        }
        assertThat(fixture.count("{deliveries} WHERE status = 'in-flight'")).isEqualTo(events);
        return node;
    }

    /** Whether the node was stopped inside a transaction: others would wait for its locks. */
    private boolean holdsLocks() {
        return fixture.rows.sql("""
                                SELECT count(*) FROM pg_stat_activity
                                WHERE datname = current_database() AND pid <> pg_backend_pid()
                                  AND (state = 'active' OR state LIKE 'idle in transaction%')""").query(Long.class).single() > 0;
    }

    /** By another dispatcher, which has this clock. */
    private void takeOver(int events, InstantSource clock) {
        fixture.receiver.answer(PATH, ANSWER_TO_THE_OTHER);
        try (JdbcWebhookDispatcher other = fixture.dispatcher(clock, OPTIONS)) {
            other.start();
            Patience.until(() -> fixture.count("{deliveries} WHERE status = 'delivered' AND attempts = 2"
                            + " AND response_status = " + ANSWER_TO_THE_OTHER)
                    == events);
        }
    }

    private void wakeAndAssertThatItChangesNothing(ChildProcess paused, int events) {
        List<String> before = everythingStored();
        held.forEach(answer -> answer.accept(ANSWER_TO_THE_PAUSED));
        paused.resume();
        Patience.until(() -> takenOver(paused) == events || !paused.isAlive());

        assertThat(takenOver(paused)).isEqualTo(events);
        assertThat(everythingStored()).isEqualTo(before);
        assertThat(fixture.receiver.receipts())
                .as("no attempt more than the first few of the one and all of the other")
                .hasSize(UNDER_WAY + events);
    }

    /** How many outcomes the node could not store, as it logs them: one line for each batch. */
    private static int takenOver(ChildProcess node) {
        return node.lines(line -> line.contains("other nodes took them over")).stream()
                .map(TAKEN_OVER::matcher)
                .filter(Matcher::find)
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .sum();
    }

    private void assertThatItGoesOn(ChildProcess woken, int events) {
        fixture.dispatcher.enqueue("event", "{}");
        fixture.awaitNone("{deliveries} WHERE status <> 'delivered'");
        assertThat(fixture.receiver.receipts()).hasSize(UNDER_WAY + events + 1);
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
