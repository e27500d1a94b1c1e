/** Load of the dispatcher and of the sample application. */
@NullMarked
package io.credential.benchmarks.dispatcher;

import org.jspecify.annotations.NullMarked;
