/** What remains the same when there is more: more rows, more endpoints that fail, a larger backlog. */
@NullMarked
package io.credential.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
