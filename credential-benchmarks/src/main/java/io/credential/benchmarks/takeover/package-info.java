/** Takeover of webhook deliveries after the failure of a node. */
@NullMarked
package io.credential.benchmarks.takeover;

import org.jspecify.annotations.NullMarked;
