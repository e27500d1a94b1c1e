package io.credential.benchmarks.cluster;

import java.util.List;

/**
 * Everything that was recorded in a run.
 *
 * @param calls in no particular order
 * @param writes in the order of their commits
 * @param rounds in their order
 * @param lastVerificationAt nanoseconds since the start of the run, when all keys were verified on all nodes
 * @param nodes the processes that ran then
 */
record History(
        List<Call> calls, List<Write> writes, List<FaultRound> rounds, long lastVerificationAt, List<String> nodes) {

    History {
        calls = List.copyOf(calls);
        writes = List.copyOf(writes);
        rounds = List.copyOf(rounds);
        nodes = List.copyOf(nodes);
    }
}
