package io.credential.benchmarks.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

import io.credential.benchmarks.cluster.Call.Outcome;

/**
 * Checks a history. A call without an answer, or one that failed as unavailable, may have changed its key at any time
 * after it began. Not thread-safe; checks one history.
 */
final class InvariantChecker {

    /** The renewal interval of the default lease. */
    private static final Duration TAKEOVER_ALLOWANCE = Duration.ofSeconds(3);

    private static final String UNAVAILABLE = "api-key/unavailable";
    private static final Set<String> CHANGE_CODES = Set.of("api-key/not-leader", UNAVAILABLE);
    private static final Set<String> VERIFY_CODES = Set.of(UNAVAILABLE);

    private final History history;
    private final double takeoverLimitSeconds;
    private final Map<String, List<Call>> callsByKey;
    private final List<Violation> violations = new ArrayList<>();

    private InvariantChecker(History history, Duration lease) {
        this.history = history;
        this.takeoverLimitSeconds = lease.plus(TAKEOVER_ALLOWANCE).toMillis() / 1e3;
        this.callsByKey = history.calls().stream()
                .filter(call -> call.keyId() != null)
                .collect(Collectors.groupingBy(call -> Objects.requireNonNull(call.keyId())));
    }

    /** Returns all violations; none if the history keeps every invariant. */
    static List<Violation> check(History history, Duration lease) {
        InvariantChecker checker = new InvariantChecker(history, lease);
        checker.checkTerms();
        checker.checkRounds();
        history.calls().forEach(checker::checkAnswer);
        checker.checkAcknowledged();
        checker.callsByKey.values().forEach(checker::checkKey);
        return List.copyOf(checker.violations);
    }

    private void checkTerms() {
        Map<Long, String> leaders = new HashMap<>();
        long latest = 0;
        for (Write write : history.writes()) {
            if (!write.node().equals(write.holder())) {
                report(Invariant.ONE_LEADER, "written without the lease: " + write);
            }
            String leader = leaders.putIfAbsent(write.epoch(), write.node());
            if (leader != null && !leader.equals(write.node())) {
                report(Invariant.ONE_LEADER, "written in the term of " + leader + ": " + write);
            }
            if (write.epoch() < latest) {
                report(Invariant.ONE_LEADER, "committed after term " + latest + " began: " + write);
            }
            latest = Math.max(latest, write.epoch());
        }
    }

    private void checkRounds() {
        for (FaultRound round : history.rounds()) {
            if (!round.recovered()) {
                report(Invariant.RECOVERY, round.toString());
            }
            if (round.fault().isAgainstLeader()) {
                OptionalDouble seconds = round.takeoverSeconds(history.calls());
                if (seconds.isEmpty()) {
                    report(Invariant.TAKEOVER, "none in " + round);
                } else if (seconds.getAsDouble() > takeoverLimitSeconds) {
                    report(Invariant.TAKEOVER, "%.3f s in %s".formatted(seconds.getAsDouble(), round));
                }
            }
        }
    }

    private void checkAnswer(Call call) {
        boolean specified = switch (call.outcome()) {
            case YES, NO -> true;
            case REFUSED -> (call.operation().isChange() ? CHANGE_CODES : VERIFY_CODES).contains(call.code());
            case UNKNOWN -> history.rounds().stream().anyMatch(round -> round.explains(call));
        };
        if (!specified) {
            report(Invariant.ERRORS, call.toString());
        }
    }

    /** Each change that a caller was told of was committed by the node that told it. */
    private void checkAcknowledged() {
        Map<List<String>, Long> committed = history.writes().stream()
                .filter(write -> write.keyId() != null)
                .collect(Collectors.groupingBy(
                        write -> List.of(write.kind().name(), write.node(), Objects.requireNonNull(write.keyId())),
                        Collectors.counting()));
        Map<List<String>, List<Call>> acknowledged = history.calls().stream()
                .filter(Call::isSuccessfulChange)
                .collect(Collectors.groupingBy(
                        call -> List.of(call.operation().name(), call.node(), Objects.requireNonNull(call.keyId()))));
        acknowledged.forEach((change, calls) -> {
            if (committed.getOrDefault(change, 0L) < calls.size()) {
                report(Invariant.NO_LOST_KEY, "acknowledged, but not committed: " + calls);
            }
        });
    }

    private void checkKey(List<Call> calls) {
        for (Call call : calls) {
            if (call.operation() == Operation.REVOKE && call.outcome() == Outcome.NO && !mayBeRevoked(calls, call)) {
                report(Invariant.NO_LOST_KEY, "nothing to revoke: " + call);
            }
            if (call.operation() == Operation.VERIFY && call.outcome() == Outcome.NO && !mayBeDead(calls, call)) {
                report(Invariant.NO_LOST_KEY, "valid, but rejected: " + call);
            }
            if (call.operation() == Operation.VERIFY && call.outcome() == Outcome.YES) {
                calls.stream()
                        .filter(change -> change.end() < call.start() && hasKilled(change, call.generation()))
                        .findFirst()
                        .ifPresent(change -> report(Invariant.NO_UNREVOKED_KEY, call + " after " + change));
            }
        }
        calls.stream()
                .filter(call -> call.isSuccessfulChange() && call.operation() != Operation.REVOKE)
                .mapToInt(Call::generation)
                .max()
                .ifPresent(generation -> checkLastVerification(calls, generation));
    }

    private void checkLastVerification(List<Call> calls, int generation) {
        if (calls.stream().anyMatch(change -> mayHaveKilled(change, generation))) {
            return;
        }
        for (String node : history.nodes()) {
            boolean accepted = calls.stream()
                    .anyMatch(call -> call.operation() == Operation.VERIFY
                            && call.outcome() == Outcome.YES
                            && call.generation() == generation
                            && call.start() >= history.lastVerificationAt()
                            && call.node().equals(node));
            if (!accepted) {
                report(
                        Invariant.NO_LOST_KEY,
                        "not accepted on " + node + " at the end: key "
                                + calls.get(0).keyId());
            }
        }
    }

    private static boolean mayBeRevoked(List<Call> calls, Call revoke) {
        return calls.stream()
                .anyMatch(change -> change.operation() == Operation.REVOKE
                        && change.mayHaveChanged()
                        && change.start() < revoke.end());
    }

    private static boolean mayBeDead(List<Call> calls, Call verify) {
        return calls.stream()
                .anyMatch(change -> change.start() < verify.end() && mayHaveKilled(change, verify.generation()));
    }

    /** Whether the call may have made tokens of this generation invalid. */
    private static boolean mayHaveKilled(Call change, int generation) {
        return change.mayHaveChanged()
                && (change.operation() == Operation.REVOKE
                        || (change.operation() == Operation.ROTATE && change.generation() > generation));
    }

    /** Whether tokens of this generation are invalid since the call, or longer. */
    private static boolean hasKilled(Call change, int generation) {
        return switch (change.operation()) {
            case REVOKE -> change.outcome() == Outcome.YES || change.outcome() == Outcome.NO;
            case ROTATE -> change.outcome() == Outcome.YES && change.generation() > generation;
            case ISSUE, VERIFY -> false;
        };
    }

    private void report(Invariant invariant, String offender) {
        violations.add(new Violation(invariant, offender));
    }
}
