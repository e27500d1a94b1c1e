package io.credential.benchmarks.cluster;

/** @param offender the calls, writes or round that break the invariant */
record Violation(Invariant invariant, String offender) {}
