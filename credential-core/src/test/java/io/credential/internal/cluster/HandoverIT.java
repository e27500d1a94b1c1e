package io.credential.internal.cluster;

import org.junit.jupiter.api.Test;

import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The lease is renewed so seldom that only the notification of its release can explain that another node takes over. */
class HandoverIT {

    private static final int HEAP_MEGABYTES = 128;

    @Test
    void stopWhenNodeLeadsThenAnotherTakesOverAtOnce() {
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            database.database();
            try (ChildProcess first = node(database, "first")) {
                first.awaitLines(1, ElectionNode.LEADS::equals);
                try (ChildProcess second = node(database, "second");
                        ChildProcess third = node(database, "third")) {
                    second.awaitLines(1, ElectionNode.STARTED::equals);
                    third.awaitLines(1, ElectionNode.STARTED::equals);

                    assertThat(first.stop()).isZero();
                    third.stop();

                    second.awaitLines(1, ElectionNode.LEADS::equals);
                }
            }
        }
    }

    private static ChildProcess node(TestDatabase database, String id) {
        return ChildProcess.start(HEAP_MEGABYTES, ElectionNode.class, database.jdbcUrl(), id);
    }
}
