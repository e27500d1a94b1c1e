package io.credential.benchmarks.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.cluster.Write.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/** Histories made by hand. The times are seconds. */
class InvariantCheckerTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String FIRST = "node-1.1";
    private static final String SECOND = "node-2.1";
    private static final String NOT_LEADER = "api-key/not-leader";
    private static final String UNAVAILABLE = "api-key/unavailable";
    private static final int AT_THE_END = 1000;

    private final List<Call> calls = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();
    private final List<FaultRound> rounds = new ArrayList<>();

    @Test
    void checkWhenEverythingIsKeptThenNothing() {
        write(Kind.TERM, FIRST, 1, null);
        issued("a");
        round(Fault.KILL, 10);
        write(Kind.TERM, SECOND, 2, null);
        call(Operation.REVOKE, SECOND, "a", 0, 22, Outcome.YES, "");
        write(Kind.REVOKE, SECOND, 2, "a");
        call(Operation.VERIFY, SECOND, "a", 0, 30, Outcome.NO, "");

        assertThat(violations()).isEmpty();
    }

    @Test
    void checkWhenTwoNodesWriteInOneTermThenViolated() {
        writes.add(new Write(Kind.TERM, FIRST, FIRST, 1, null));
        writes.add(new Write(Kind.ISSUE, SECOND, SECOND, 1, "a"));

        assertThat(violations()).containsExactly(Invariant.ONE_LEADER);
    }

    @Test
    void checkWhenWriterHasNoLeaseThenViolated() {
        writes.add(new Write(Kind.ISSUE, FIRST, SECOND, 2, "a"));

        assertThat(violations()).containsExactly(Invariant.ONE_LEADER);
    }

    @Test
    void checkWhenEarlierTermWritesLaterThenViolated() {
        write(Kind.TERM, FIRST, 1, null);
        write(Kind.TERM, SECOND, 2, null);
        write(Kind.ISSUE, FIRST, 1, "a");

        assertThat(violations()).containsExactly(Invariant.ONE_LEADER);
    }

    @Test
    void checkWhenTakeoverIsLateThenViolated() {
        round(Fault.CUT, 10);
        write(Kind.ISSUE, SECOND, 2, "a");
        call(Operation.ISSUE, SECOND, "a", 0, 24, Outcome.YES, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).containsExactly(Invariant.TAKEOVER);
    }

    @Test
    void checkWhenOnlyVictimChangesKeysThenViolated() {
        round(Fault.STALL, 10);
        write(Kind.ISSUE, FIRST, 1, "a");
        call(Operation.ISSUE, FIRST, "a", 0, 11, Outcome.YES, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).containsExactly(Invariant.TAKEOVER);
    }

    @Test
    void checkWhenNobodyTakesOverRestartThenNothing() {
        round(Fault.RESTART_FAST, 10);

        assertThat(violations()).isEmpty();
    }

    @Test
    void checkWhenCodeIsNotSpecifiedThenViolated() {
        call(Operation.ISSUE, FIRST, null, 0, 1, Outcome.REFUSED, NOT_LEADER);
        call(Operation.ISSUE, FIRST, null, 0, 1, Outcome.REFUSED, UNAVAILABLE);
        call(Operation.ISSUE, FIRST, null, 0, 1, Outcome.REFUSED, "java.lang.IllegalStateException");

        assertThat(violations()).containsExactly(Invariant.ERRORS);
    }

    @Test
    void checkWhenVerifyIsRefusedToFollowerThenViolated() {
        call(Operation.VERIFY, FIRST, "a", 0, 1, Outcome.REFUSED, UNAVAILABLE);
        call(Operation.VERIFY, FIRST, "a", 0, 1, Outcome.REFUSED, NOT_LEADER);

        assertThat(violations()).containsExactly(Invariant.ERRORS);
    }

    @Test
    void checkWhenLivingNodeDoesNotAnswerThenViolated() {
        round(Fault.RESTART_IMMEDIATE, 1);
        call(Operation.VERIFY, FIRST, "a", 0, 2, Outcome.UNKNOWN, "");

        assertThat(violations()).containsExactly(Invariant.ERRORS);
    }

    @Test
    void checkWhenKilledNodeDoesNotAnswerThenNothing() {
        issued("a");
        round(Fault.KILL, 10);
        call(Operation.REVOKE, FIRST, "a", 0, 10, Outcome.UNKNOWN, "");
        call(Operation.REVOKE, SECOND, "a", 0, 20, Outcome.NO, "");
        write(Kind.ISSUE, SECOND, 2, "b");
        call(Operation.ISSUE, SECOND, "b", 0, 20, Outcome.YES, "");
        acceptedAtTheEnd("b", 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void checkWhenValidKeyIsRejectedThenViolated() {
        issued("a");
        call(Operation.VERIFY, SECOND, "a", 0, 5, Outcome.NO, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenRefusedRevokePrecedesRejectThenViolated() {
        issued("a");
        call(Operation.REVOKE, SECOND, "a", 0, 3, Outcome.REFUSED, NOT_LEADER);
        call(Operation.VERIFY, SECOND, "a", 0, 5, Outcome.NO, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenRevokeIsUndecidedThenBothAllowed() {
        issued("a");
        call(Operation.REVOKE, FIRST, "a", 0, 3, Outcome.REFUSED, UNAVAILABLE);
        call(Operation.VERIFY, FIRST, "a", 0, 5, Outcome.YES, "");
        call(Operation.VERIFY, SECOND, "a", 0, 6, Outcome.NO, "");

        assertThat(violations()).isEmpty();
    }

    @Test
    void checkWhenKeyIsNotAcceptedAtTheEndThenViolated() {
        issued("a");
        call(Operation.VERIFY, FIRST, "a", 0, AT_THE_END, Outcome.YES, "");

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenKeyIsAcceptedOnlyEarlierThenViolated() {
        issued("a");
        call(Operation.VERIFY, FIRST, "a", 0, AT_THE_END, Outcome.YES, "");
        call(Operation.VERIFY, SECOND, "a", 0, AT_THE_END - 1, Outcome.YES, "");

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenRotatedTokenIsLostThenViolated() {
        issued("a");
        rotated("a", 1);

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY, Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenAcknowledgedChangeIsLostThenViolated() {
        call(Operation.ISSUE, FIRST, "a", 0, 1, Outcome.YES, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).containsExactly(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenIssuedKeyCannotBeRevokedThenViolated() {
        issued("a");
        call(Operation.REVOKE, FIRST, "a", 0, 3, Outcome.NO, "");
        acceptedAtTheEnd("a", 0);

        assertThat(violations()).contains(Invariant.NO_LOST_KEY);
    }

    @Test
    void checkWhenRevokedKeyIsAcceptedThenViolated() {
        issued("a");
        write(Kind.REVOKE, FIRST, 1, "a");
        call(Operation.REVOKE, FIRST, "a", 0, 3, Outcome.YES, "");
        call(Operation.VERIFY, SECOND, "a", 0, 5, Outcome.YES, "");

        assertThat(violations()).containsExactly(Invariant.NO_UNREVOKED_KEY);
    }

    @Test
    void checkWhenVerifyBeganBeforeRevokeEndedThenNothing() {
        issued("a");
        write(Kind.REVOKE, FIRST, 1, "a");
        call(Operation.REVOKE, FIRST, "a", 0, 3, Outcome.YES, "");
        call(Operation.VERIFY, SECOND, "a", 0, 3, Outcome.YES, "");

        assertThat(violations()).isEmpty();
    }

    @Test
    void checkWhenOldTokenIsAcceptedThenViolated() {
        issued("a");
        rotated("a", 1);
        call(Operation.VERIFY, SECOND, "a", 0, 5, Outcome.YES, "");
        acceptedAtTheEnd("a", 1);

        assertThat(violations()).containsExactly(Invariant.NO_UNREVOKED_KEY);
    }

    @Test
    void checkWhenNodesDoNotRecoverThenViolated() {
        rounds.add(new FaultRound(1, Fault.RESTART_IMMEDIATE, FIRST, 0, 1, false));

        assertThat(violations()).containsExactly(Invariant.RECOVERY);
    }

    private List<Invariant> violations() {
        History history = new History(calls, writes, rounds, nanos(AT_THE_END), List.of(FIRST, SECOND));
        return InvariantChecker.check(history, LEASE).stream()
                .map(Violation::invariant)
                .toList();
    }

    private void issued(String key) {
        write(Kind.ISSUE, FIRST, 1, key);
        call(Operation.ISSUE, FIRST, key, 0, 1, Outcome.YES, "");
    }

    private void rotated(String key, int generation) {
        write(Kind.ROTATE, FIRST, 1, key);
        call(Operation.ROTATE, FIRST, key, generation, 3, Outcome.YES, "");
    }

    private void acceptedAtTheEnd(String key, int generation) {
        call(Operation.VERIFY, FIRST, key, generation, AT_THE_END, Outcome.YES, "");
        call(Operation.VERIFY, SECOND, key, generation, AT_THE_END, Outcome.YES, "");
    }

    /** A call takes one second. */
    private void call(
            Operation operation,
            String node,
            @Nullable String key,
            int generation,
            int start,
            Outcome outcome,
            String code) {
        calls.add(new Call(operation, node, key, generation, nanos(start), nanos(start + 1), outcome, code));
    }

    private void write(Kind kind, String node, long epoch, @Nullable String key) {
        writes.add(new Write(kind, node, node, epoch, key));
    }

    /** A fault against the first node, which is followed by another round much later. */
    private void round(Fault fault, int start) {
        rounds.add(new FaultRound(rounds.size() + 1, fault, FIRST, nanos(start), nanos(start + 100), true));
    }

    private static long nanos(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
