package io.credential.webhook.delivery.internal.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.TestDispatcherOptions;
import io.credential.webhook.delivery.internal.engine.Lanes.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** What endpoints that do not answer may take from the others. */
class LanesTests {

    private static final int MAX_IN_FLIGHT = 256;
    private static final int PER_ENDPOINT = 16;
    private static final int BATCH = 100;

    private int toldOfCapacity;
    private Lanes lanes = lanes(MAX_IN_FLIGHT);
    private final List<Attempt> begun = new ArrayList<>();
    private final Set<Attempt> abandoned = new HashSet<>();

    @Test
    void beginWhenOneEndpointThenGetsAllItsPlaces() {
        fill("a");

        assertThat(begun).hasSize(PER_ENDPOINT);
    }

    @Test
    void beginWhenPlacesAreFewThenOneEndpointGetsAll() {
        lanes = lanes(PER_ENDPOINT);

        fill("a");

        assertThat(begun).hasSize(PER_ENDPOINT);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void beginWhenManyNewOnesHangThenAnotherIsAttempted(int hanging) {
        for (int i = 0; i < hanging; i++) {
            fill("hangs-" + i);
        }

        assertThat(begin("new")).isTrue();
        assertThat(begun).extracting(Attempt::endpointId).contains("new");
    }

    @Test
    void beginWhenManyNewOnesHangThenAnsweringKeepPlaces() {
        answered("a");
        for (int i = 0; i < 300; i++) {
            fill("hangs-" + i);
        }
        assertThat(begun).hasSizeLessThanOrEqualTo(MAX_IN_FLIGHT * 3 / 4);

        fill("a");

        assertThat(begun.stream().filter(attempt -> attempt.endpointId.equals("a")))
                .hasSize(PER_ENDPOINT);
    }

    @Test
    void capacityWhenNewOnesWaitThenKnownOnesHaveCapacity() {
        answered("a");

        fillWithNewEndpoints();

        assertThat(lanes.capacity()).isPositive();
        assertThat(lanes.capacity("a")).isPositive();
    }

    @Test
    void endWhenNewEndpointsNoLongerWaitThenReportsCapacity() {
        fillWithNewEndpoints();
        assertThat(lanes.capacity("hangs-0")).isZero();

        for (Attempt attempt : List.copyOf(begun)) {
            end(attempt, Answer.TIMED_OUT);
        }

        assertThat(toldOfCapacity).isPositive();
        assertThat(lanes.capacity("new")).isPositive();
    }

    @Test
    void beginWhenSixteenStopAnsweringThenAnotherMayBegin() {
        for (int i = 0; i < 17; i++) {
            answered("e-" + i);
        }
        for (int i = 0; i < 16; i++) {
            fill("e-" + i);
        }

        begin("e-16");

        assertThat(begun).extracting(Attempt::endpointId).contains("e-16");
    }

    @Test
    void beginWhenEndpointTimedOutThenProbedOneAtATime() {
        fill("a");
        List<Attempt> first = List.copyOf(begun);
        first.forEach(attempt -> end(attempt, Answer.TIMED_OUT));
        begun.clear();

        assertThat(abandoned).as("what waited is given back").isNotEmpty();
        assertThat(lanes.isSilent("a")).isTrue();
        assertThat(begin("a")).isTrue();
        assertThat(begin("a")).isFalse();
        assertThat(lanes.full()).containsExactly("a");
        assertThat(lanes.capacity("a")).isZero();
        assertThat(begun).hasSize(1);
    }

    @Test
    void endWhenManyTimedOutThenOnlyTheLatestAreRemembered() {
        int remembered = 10_000;
        for (int i = 0; i <= remembered; i++) {
            begin("e-" + i);
            end(begun.get(i), Answer.TIMED_OUT);
        }

        assertThat(lanes.isSilent("e-0")).isFalse();
        assertThat(lanes.isSilent("e-1")).isTrue();
        assertThat(begin("e-1")).isTrue();
        assertThat(begin("e-1")).isFalse();
    }

    @Test
    void endWhenAnsweredThenDoublesHowManyMayGoOut() {
        begin("a");
        end(begun.get(0), Answer.TIMED_OUT);
        begun.clear();
        for (int most : new int[] {1, 2, 4, 8, PER_ENDPOINT, PER_ENDPOINT}) {
            fill("a");
            assertThat(begun).hasSize(most);
            end(begun.remove(0), Answer.ANSWERED);
        }
    }

    @Test
    void beginWhenManyTimedOutThenShareAQuarterOfPlaces() {
        for (int i = 0; i < 100; i++) {
            begin("a-" + i);
            end(begun.remove(0), Answer.TIMED_OUT);
        }

        for (int i = 0; i < 100; i++) {
            begin("a-" + i);
        }

        assertThat(begun).hasSize(MAX_IN_FLIGHT / 4);
    }

    @Test
    void endWhenFailedAtOnceThenSaysNothingOfTheEndpoint() {
        begin("a");
        end(begun.remove(0), Answer.NONE);

        fill("a");

        assertThat(begun).hasSize(PER_ENDPOINT);
    }

    private void answered(String endpointId) {
        begin(endpointId);
        end(begun.remove(begun.size() - 1), Answer.ANSWERED);
    }

    /** Begins more attempts than may go out at once. */
    private void fill(String endpointId) {
        for (int i = 0; i <= PER_ENDPOINT; i++) {
            begin(endpointId);
        }
    }

    /** As claims do, which ask for capacity before. */
    private void fillWithNewEndpoints() {
        for (int i = 0; i < 300; i++) {
            while (lanes.capacity() > 0 && lanes.capacity("hangs-" + i) > 0) {
                begin("hangs-" + i);
            }
        }
    }

    @Test
    void endWhenSilentEndpointMayProbeThenReportsCapacity() {
        for (int i = 0; i <= MAX_IN_FLIGHT / 4; i++) {
            begin("silent-" + i);
            end(begun.get(i), Answer.TIMED_OUT);
        }
        begun.clear();
        for (int i = 0; i < MAX_IN_FLIGHT / 4; i++) {
            assertThat(begin("silent-" + i)).isTrue();
        }
        assertThat(lanes.capacity("silent-" + MAX_IN_FLIGHT / 4)).isZero();
        assertThat(lanes.full()).contains("silent-" + MAX_IN_FLIGHT / 4);
        int toldBefore = toldOfCapacity;

        end(begun.get(0), Answer.TIMED_OUT);

        assertThat(toldOfCapacity).isGreaterThan(toldBefore);
        assertThat(lanes.capacity("silent-" + MAX_IN_FLIGHT / 4)).isEqualTo(1);
    }

    @Test
    void capacitiesOfOneClaimThenOnlySilentThatMayBegin() {
        for (int i = 0; i <= MAX_IN_FLIGHT / 4; i++) {
            begin("silent-" + i);
            end(begun.get(i), Answer.TIMED_OUT);
        }
        begun.clear();
        for (int i = 0; i < MAX_IN_FLIGHT / 4 - 1; i++) {
            assertThat(begin("silent-" + i)).isTrue();
        }
        int toldBefore = toldOfCapacity;

        ToIntFunction<String> capacities = lanes.capacitiesOfOneClaim();

        assertThat(capacities.applyAsInt("silent-" + (MAX_IN_FLIGHT / 4 - 1))).isEqualTo(1);
        assertThat(capacities.applyAsInt("silent-" + MAX_IN_FLIGHT / 4)).isZero();
        assertThat(capacities.applyAsInt("another")).isPositive();
        end(begun.get(0), Answer.TIMED_OUT);
        assertThat(toldOfCapacity).isGreaterThan(toldBefore);
    }

    @Test
    void capacityWhenNewThenIsNoMoreThanCanBeginOrWait() {
        lanes = new Lanes(
                TestDispatcherOptions.withCapacity(1000, MAX_IN_FLIGHT, PER_ENDPOINT, 64 * 1024 * 1024),
                Runnable::run,
                () -> {});
        int capacity = lanes.capacity("new");

        for (int i = 0; i < capacity; i++) {
            assertThat(begin("new")).isTrue();
        }
        assertThat(abandoned).isEmpty();
    }

    @Test
    void beginWhenLaneIsFullThenRefused() {
        answered("a");

        assertThat(beginUntilRefused("a")).isEqualTo(PER_ENDPOINT + BATCH);
        assertThat(lanes.hasCapacity()).isTrue();
    }

    @Test
    void isAnyFullWhenLaneIsFullThenTrue() {
        answered("a");
        assertThat(lanes.isAnyFull(List.of("a", "b"))).isFalse();

        beginUntilRefused("a");

        assertThat(lanes.isAnyFull(List.of("b", "a"))).isTrue();
        assertThat(lanes.isAnyFull(List.of("b"))).isFalse();
    }

    @Test
    void isAnyFullWhenEndpointTimedOutThenFalse() {
        begin("a");
        end(begun.get(0), Answer.TIMED_OUT);
        begin("a");

        assertThat(lanes.full()).containsExactly("a");
        assertThat(lanes.isAnyFull(List.of("a"))).isFalse();
    }

    @Test
    void beginWhenAllPlacesAreTakenThenRefused() {
        for (int i = 0; i < 100; i++) {
            answered("a-" + i);
        }

        int taken = 0;
        for (int i = 0; i < 100; i++) {
            taken += beginUntilRefused("a-" + i);
        }

        assertThat(taken).isEqualTo(lanes.size());
        assertThat(lanes.hasCapacity()).isFalse();
    }

    @Test
    void beginWhenAnotherWaitsForBytesThenWaitsBehindIt() {
        lanes = lanesThatMayLoad(100);
        begin("a", 60);
        begin("b", 80);

        begin("c", 30);
        assertThat(begun).extracting(Attempt::endpointId).containsExactly("a");

        end(begun.get(0), Answer.ANSWERED);
        assertThat(begun).extracting(Attempt::endpointId).containsExactly("a", "b");
    }

    @Test
    void endWhenFirstDoesNotFitThenNoSmallerOneOvertakes() {
        lanes = lanesThatMayLoad(100);
        begin("a", 60);
        begin("b", 30);
        begin("c", 80);
        begin("d", 30);

        end(begun.get(1), Answer.ANSWERED);
        assertThat(begun).extracting(Attempt::endpointId).containsExactly("a", "b");

        begin("e", 0);
        assertThat(begun).extracting(Attempt::endpointId).containsExactly("a", "b", "e");
    }

    @Test
    void endWhenSaturatedThenSilentEndpointIsProbed() {
        saturateBesides("silent");
        assertThat(lanes.capacitiesOfOneClaim().applyAsInt("silent")).isZero();

        end(begun.get(0), Answer.ANSWERED);
        end(begun.get(1), Answer.ANSWERED);

        assertThat(toldOfCapacity).isPositive();
        assertThat(lanes.capacitiesOfOneClaim().applyAsInt("silent")).isEqualTo(1);
        end(begun.get(2), Answer.ANSWERED);
        begin("silent");
        assertThat(begun).extracting(Attempt::endpointId).endsWith("silent");
    }

    @Test
    void endWhenSilentIsNoLongerDueThenOthersTakeItsPlace() {
        saturateBesides("silent");
        assertThat(lanes.capacitiesOfOneClaim().applyAsInt("silent")).isZero();
        end(begun.get(0), Answer.ANSWERED);

        lanes.capacitiesOfOneClaim();
        lanes.capacitiesOfOneClaim();
        end(begun.get(1), Answer.ANSWERED);

        assertThat(begun).hasSize(6);
    }

    @Test
    void beginWhenPlaceIsKeptAndNothingRunsThenBegins() {
        lanes = lanes(1, 1);
        begin("silent");
        end(begun.get(0), Answer.TIMED_OUT);
        assertThat(lanes.capacitiesOfOneClaim().applyAsInt("silent")).isEqualTo(1);

        begin("a");

        assertThat(begun).extracting(Attempt::endpointId).endsWith("a");
    }

    @Test
    void beginWhenSilentIsAttemptedThenNoPlaceIsKept() {
        lanes = lanes(8, 1);
        begin("silent");
        end(begun.get(0), Answer.TIMED_OUT);
        for (int i = 0; i < 7; i++) {
            answered("e-" + i);
        }
        begun.clear();
        begin("silent");
        assertThat(lanes.capacitiesOfOneClaim().applyAsInt("silent")).isZero();

        for (int i = 0; i < 7; i++) {
            begin("e-" + i);
        }

        assertThat(begun).hasSize(8);
    }

    /** Attempts of four others run, and those of five wait. */
    private void saturateBesides(String silent) {
        lanes = lanes(4, 1);
        begin(silent);
        end(begun.get(0), Answer.TIMED_OUT);
        for (int i = 0; i < 9; i++) {
            answered("e-" + i);
        }
        begun.clear();
        for (int i = 0; i < 9; i++) {
            begin("e-" + i);
        }
        assertThat(begun).hasSize(4);
    }

    private int beginUntilRefused(String endpointId) {
        int begun = 0;
        while (begin(endpointId)) {
            begun++;
        }
        return begun;
    }

    private boolean begin(String endpointId) {
        return begin(endpointId, 0);
    }

    private boolean begin(String endpointId, int bytesToLoad) {
        return lanes.begin(endpointId, new Attempt(endpointId, bytesToLoad));
    }

    private void end(Attempt attempt, Answer answer) {
        lanes.end(attempt.endpointId, attempt, answer);
    }

    private Lanes lanes(int maxInFlight) {
        return lanes(maxInFlight, PER_ENDPOINT);
    }

    private Lanes lanes(int maxInFlight, int perEndpoint) {
        DispatcherOptions options =
                TestDispatcherOptions.withCapacity(BATCH, maxInFlight, perEndpoint, 64 * 1024 * 1024);
        return new Lanes(options, Runnable::run, () -> toldOfCapacity++);
    }

    /** Half of the bytes are for payloads that are loaded when their attempt begins. */
    private static Lanes lanesThatMayLoad(int bytes) {
        return new Lanes(
                TestDispatcherOptions.withCapacity(BATCH, MAX_IN_FLIGHT, PER_ENDPOINT, 2L * bytes),
                Runnable::run,
                () -> {});
    }

    private final class Attempt implements Lanes.Task {

        private final String endpointId;
        private final int bytesToLoad;

        Attempt(String endpointId, int bytesToLoad) {
            this.endpointId = endpointId;
            this.bytesToLoad = bytesToLoad;
        }

        String endpointId() {
            return endpointId;
        }

        @Override
        public long bytesToLoad() {
            return bytesToLoad;
        }

        @Override
        public void begin() {
            begun.add(this);
        }

        @Override
        public void abandon() {
            abandoned.add(this);
        }
    }
}
