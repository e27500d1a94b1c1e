/** All benchmarks by one command. */
@NullMarked
package io.credential.benchmarks.all;

import org.jspecify.annotations.NullMarked;
