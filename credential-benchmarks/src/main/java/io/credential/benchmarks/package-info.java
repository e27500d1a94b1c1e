/** Load harnesses. Absolute figures depend on the machine; only the ratios of one run mean something. */
@NullMarked
package io.credential.benchmarks;

import org.jspecify.annotations.NullMarked;
