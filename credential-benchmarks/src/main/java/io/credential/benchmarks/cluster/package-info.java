/** Injects faults into a cluster of three processes, and checks the recorded calls and writes against its promises. */
@NullMarked
package io.credential.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
