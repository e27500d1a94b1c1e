/** What the starter costs an application. */
@NullMarked
package io.credential.benchmarks.host;

import org.jspecify.annotations.NullMarked;
