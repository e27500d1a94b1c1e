package io.credential.storage.internal.sqlite;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import io.credential.testing.InParallel;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriteGateTests {

    private static final Duration NO_WAIT = Duration.ZERO;
    private static final Duration LONG = Patience.LIMIT;

    @Test
    void enterWhenFreeThenTheNextOneWaitsUntilItIsLeft() throws Exception {
        WriteGate gate = new WriteGate(NO_WAIT);
        gate.enter();

        assertThat(InParallel.elsewhere(() -> entersOf(gate))).isEqualTo("SQLTransientException");

        gate.leave();
        assertThat(InParallel.elsewhere(() -> entersOf(gate))).isEqualTo("entered");
    }

    @Test
    void enterWhenInsideThenRefusedWithoutWaiting() throws SQLException {
        WriteGate gate = new WriteGate(LONG);
        gate.enter();

        assertThatThrownBy(gate::enter)
                .isInstanceOf(SQLException.class)
                .isNotInstanceOf(SQLTransientException.class)
                .hasMessageContaining("Join the open transaction");
    }

    @Test
    void enterWhenInterruptedThenFailsAndKeepsTheInterrupt() {
        WriteGate gate = new WriteGate(LONG);
        Thread.currentThread().interrupt();

        assertThatThrownBy(gate::enter).isInstanceOf(SQLTransientException.class);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void leaveWhenOnAnotherThreadThenNextMayEnter() throws Exception {
        WriteGate gate = new WriteGate(NO_WAIT);
        gate.enter();

        InParallel.elsewhere(() -> {
            gate.leave();
            return "left";
        });

        gate.enter();
        gate.leave();
    }

    @Test
    void enterWhenSeveralWaitThenInOrderOfArrival() throws Exception {
        WriteGate gate = new WriteGate(LONG);
        List<Integer> order = new CopyOnWriteArrayList<>();
        gate.enter();
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 1; i <= 3; i++) {
            int number = i;
            Thread writer = new Thread(
                    () -> {
                        try {
                            gate.enter();
                            order.add(number);
                            gate.leave();
                            done.countDown();
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    "writer-" + number);
            writer.start();
            awaitWaiting(writer);
        }

        gate.leave();
        Patience.await(done);

        assertThat(order).containsExactly(1, 2, 3);
    }

    private static void awaitWaiting(Thread thread) {
        Patience.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private static String entersOf(WriteGate gate) throws SQLException {
        try {
            gate.enter();
            gate.leave();
            return "entered";
        } catch (SQLTransientException e) {
            return "SQLTransientException";
        }
    }
}
