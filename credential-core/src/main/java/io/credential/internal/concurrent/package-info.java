/** Threads that are started, named, owned and stopped. Uses nothing of the other packages; any of them may use it. */
@NullMarked
package io.credential.internal.concurrent;

import org.jspecify.annotations.NullMarked;
