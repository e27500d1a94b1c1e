/** Tables and charts of what was measured. */
@NullMarked
package io.credential.benchmarks.report;

import org.jspecify.annotations.NullMarked;
