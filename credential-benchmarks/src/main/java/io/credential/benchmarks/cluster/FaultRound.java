package io.credential.benchmarks.cluster;

import java.util.Collection;
import java.util.OptionalDouble;

import io.credential.benchmarks.cluster.Call.Outcome;

/**
 * One fault.
 *
 * @param number counts from 1
 * @param leader the process that was the leader before the fault
 * @param faultedAt nanoseconds since the start of the run, immediately before the fault
 * @param endedAt nanoseconds since the start of the run, when the wait for healthy nodes was over
 * @param recovered whether all nodes were healthy then; only the victim of a kill was started again
 */
record FaultRound(int number, Fault fault, String leader, long faultedAt, long endedAt, boolean recovered) {

    /** Returns the seconds from the fault until another node answered that it had changed a key, if any did. */
    OptionalDouble takeoverSeconds(Collection<Call> calls) {
        return calls.stream()
                .filter(call -> contains(call)
                        && call.isSuccessfulChange()
                        && !call.node().equals(leader))
                .mapToDouble(call -> (call.end() - faultedAt) / 1e9)
                .min();
    }

    /** Whether the call began after the fault and before the next round. */
    boolean contains(Call call) {
        return call.start() >= faultedAt && call.start() < endedAt;
    }

    /** Whether the call could not be answered because its node was killed. */
    boolean explains(Call call) {
        return fault == Fault.KILL
                && call.outcome() == Outcome.UNKNOWN
                && call.node().equals(leader)
                && call.end() >= faultedAt;
    }
}
