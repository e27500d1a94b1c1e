package io.credential.benchmarks.takeover;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.credential.benchmarks.takeover.HoldingReceiver.Arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Arrivals made by hand. The times are seconds; the node fails at 10. */
class TakeoverTests {

    private static final String FAILED = "node-1.1";
    private static final String OTHER = "node-2.1";
    private static final String THIRD = "node-3.1";
    private static final long SECOND = 1_000_000_000;

    private final List<Arrival> arrivals = new ArrayList<>();

    @Test
    void evaluateWhenTakenOverThenTimesOfFirstAndLast() {
        arrived("a", FAILED, 9);
        arrived("a", OTHER, 22);
        arrived("b", THIRD, 21);
        arrived("c", OTHER, 12);

        assertThat(evaluated(Set.of("a", "b", "c"))).isEqualTo(new Takeover(2, 1, 11, 12, 1, 0, 0));
    }

    @Test
    void evaluateWhenAttemptedTwiceMoreThenFirstCounts() {
        arrived("a", OTHER, 22);
        arrived("a", THIRD, 30);
        arrived("b", OTHER, 21);

        assertThat(evaluated(Set.of("a", "b")).lastSeconds()).isEqualTo(12);
    }

    @Test
    void evaluateWhenFailedNodeGoesOnThenBegun() {
        arrived("a", FAILED, 12);
        arrived("a", OTHER, 21);
        arrived("b", OTHER, 21);

        Takeover takeover = evaluated(Set.of("a", "b"));

        assertThat(takeover.started()).isEqualTo(1);
        assertThat(takeover.unexplained()).isZero();
    }

    @Test
    void evaluateWhenTwiceWithoutBeginningThenUnexplained() {
        arrived("a", OTHER, 21);
        arrived("a", THIRD, 22);
        arrived("b", OTHER, 21);
        arrived("c", FAILED, 5);
        arrived("c", OTHER, 6);

        Takeover takeover = evaluated(Set.of("a", "b", "c"));

        assertThat(takeover.repeated()).isEqualTo(2);
        assertThat(takeover.unexplained()).isEqualTo(2);
    }

    @Test
    void evaluateWhenThreeTimesThenUnexplained() {
        arrived("a", FAILED, 9);
        arrived("a", OTHER, 21);
        arrived("a", THIRD, 22);
        arrived("b", OTHER, 21);

        assertThat(evaluated(Set.of("a", "b")).unexplained()).isEqualTo(1);
    }

    @Test
    void evaluateWhenNotReceivedOrNotDeliveredThenLost() {
        arrived("a", OTHER, 21);
        arrived("b", OTHER, 21);
        arrived("c", OTHER, 5);

        assertThat(evaluated(Set.of("a", "b", "d")).lost()).as("c and d").isEqualTo(2);
    }

    @Test
    void evaluateWhenNotTakenOverThenThrows() {
        arrived("a", OTHER, 21);
        arrived("b", FAILED, 9);

        assertThatIllegalStateException()
                .isThrownBy(() -> evaluated(Set.of("a", "b")))
                .withMessage("Only 1 of 2 stranded deliveries were taken over");
    }

    private void arrived(String deliveryId, String node, int second) {
        arrivals.add(new Arrival(deliveryId, node, second * SECOND));
    }

    /** A round of a, b and everything else that arrived or was delivered; a and b are stranded. */
    private Takeover evaluated(Set<String> delivered) {
        Set<String> all = new HashSet<>(delivered);
        arrivals.forEach(arrival -> all.add(arrival.deliveryId()));
        return Takeover.of(all, delivered, Set.of("a", "b"), FAILED, 10 * SECOND, arrivals);
    }
}
