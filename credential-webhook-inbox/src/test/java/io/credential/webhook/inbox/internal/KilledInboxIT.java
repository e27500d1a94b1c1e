package io.credential.webhook.inbox.internal;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.ChildProcess;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Nodes are really killed: only the database then decides what has happened. */
@BothDatabases
class KilledInboxIT {

    private static final int MEGABYTES = 64;

    /** An id, the work, the commit, and afterwards. */
    private static final int STEPS_OF_ONCE = 4;

    private final TestDatabase testDatabase;
    private final InboxFixture fixture;

    KilledInboxIT(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
        this.fixture = new InboxFixture(testDatabase);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void onceWhenKilledThenTheRetryCompletesIt(int step) {
        assertThat(run("once", 1, step)).isEqualTo(InboxNode.GONE);

        assertThat(fixture.grants()).hasSize(step == STEPS_OF_ONCE ? 1 : 0);
        assertThat(run("once", 1, 0)).isZero();

        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    /** The webhook is claimed, made processed, and the work is done; each but the last is followed by a commit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void storedFirstWhenKilledThenProcessedOnce(int step) {
        assertThat(run("receive", 1, 0)).isZero();
        int exit = run("process", 1, step);
        assertThat(exit).isIn(0, InboxNode.GONE);

        fixture.database
                .jdbc()
                .sql("UPDATE _credential_webhook_inbox SET next_attempt_at = 0")
                .update();
        assertThat(run("process", 1, 0)).isZero();

        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    /** Three nodes get the same webhook sixteen times; one is killed after its work, before the commit. */
    @Test
    void onceWhenThreeNodesThenTheWorkIsDoneOnce() {
        List<ChildProcess> nodes = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            nodes.add(start("once", node == 0 ? 6 : 5, node == 0 ? 7 : 0));
        }
        nodes.forEach(node -> {
            try (node) {
                assertThat(node.awaitEnd()).as(node.text()).isIn(0, InboxNode.GONE);
            }
        });

        assertThat(fixture.grants()).containsExactly("evt_1");
    }

    private int run(String what, int threads, int step) {
        try (ChildProcess node = start(what, threads, step)) {
            int exit = node.awaitEnd();
            assertThat(exit).as(node.text()).isIn(0, InboxNode.GONE);
            return exit;
        }
    }

    private ChildProcess start(String what, int threads, int step) {
        return ChildProcess.start(
                MEGABYTES,
                InboxNode.class,
                testDatabase.jdbcUrl(),
                what,
                Integer.toString(threads),
                Integer.toString(step));
    }
}
