/** Nodes in their own processes, and what stands between them and the database. */
@NullMarked
package io.credential.benchmarks.node;

import org.jspecify.annotations.NullMarked;
