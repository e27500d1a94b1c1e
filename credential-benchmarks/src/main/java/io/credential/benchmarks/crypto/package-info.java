/** Measures signatures beside the bare primitives and the client libraries of others. */
@NullMarked
package io.credential.benchmarks.crypto;

import org.jspecify.annotations.NullMarked;
